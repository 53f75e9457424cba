-- The events that relay and mails read by their types: `MONEY_EVENTS` in sale/events.ts.
drop index events_of_money;
create index events_of_money on events (tx, position) where type in ('TicketsSold', 'PaymentNotFulfilled', 'TicketsReturned');

-- `take_guest_holds` has taken its place.
drop function take_network_holds;
