-- Of an event only the latest state is looked at: what waits of an older one makes way.
create index notification_facts_search_matched on notification_facts ((data ->> 'eventId')) where kind = 'search-matched';
