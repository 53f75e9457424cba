-- The events that relay and mails read by their types, with the old name of one (`STORED_MONEY_EVENTS` in sale/upcast.ts).
create index events_of_money on events (tx, position)
  where type in ('TicketsSold', 'PaymentNotFulfilled', 'TicketsReturned', 'RefundRequested');
drop index events_told;
