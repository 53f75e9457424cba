-- The span that appended an event, where its trace is recorded: what is made of the event goes on in that trace. No part of the event.
alter table events add column traceparent text;
