-- What relay and mail look for among a crowd's holds (TOLD_EACH in sale/publish.ts): who reads by it passes over none of them.
create index events_told on events (tx, position) where type in ('TicketsSold', 'RefundRequested', 'TicketsReturned');
