import { Client } from 'pg';

const PAGE = 24;

export interface Peer {
  /** One page of results: the upcoming events with these words, best match first. */
  search(words: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * PostgreSQL's full-text search over the same events, as most products write it: a weighted `tsvector`, a GIN index,
 * `ts_rank`. Without HTTP, completions, corrections, other filters and pages.
 */
export async function openPeer(url: string): Promise<Peer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create table peer_events as
      select l.event_id as id, l.title, l.description, l.location, s.starts_at,
        setweight(to_tsvector('english', l.title), 'A') || setweight(to_tsvector('english', l.location), 'B')
          || setweight(to_tsvector('english', l.description), 'C') as document
      from listings l join event_search s using (event_id);
    create index on peer_events using gin (document);
    create index on peer_events (starts_at);
    analyze peer_events`);
  return {
    search: (words) =>
      client.query({
        name: 'search',
        text: `select e.id, e.title, e.description, e.location, e.starts_at
          from peer_events e, websearch_to_tsquery('english', $1) wanted
          where e.document @@ wanted and e.starts_at > now()
          order by ts_rank(e.document, wanted) desc, e.starts_at limit ${PAGE}`,
        values: [words],
      }),
    close: () => client.end(),
  };
}
