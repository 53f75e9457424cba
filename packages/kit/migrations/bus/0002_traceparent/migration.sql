-- The span that published a message, where its trace is recorded.
alter table bus_messages add column traceparent text;
