-- The span that a mail follows from, where its trace is recorded.
alter table mails add column traceparent text;
