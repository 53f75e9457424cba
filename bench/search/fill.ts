import { rebuild } from '../../services/catalog/src/rebuild.ts';
import type { Options } from '../support/bench.ts';
import { Client } from 'pg';
import type { Generator } from './events.ts';

const BATCH = 1_000;

/**
 * Fills the catalog's log with published events and their stock, and derives the rest with the code of `npm run
 * rebuild`.
 */
export async function fill(url: string, { details }: Generator, count: number, say: Options['say']): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    for (let from = 1; from <= count; from += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, at) => from + at);
      await client.query(
        `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
         select 'event-' || id, 1, 'EventPublished', data::json, 'bench', 'bench', now() - interval '1 minute' * (${count} - id)
         from unnest($1::int[], $2::text[]) e (id, data)`,
        [ids, ids.map(() => JSON.stringify({ ownerId: 1, details: details() }))],
      );
    }
    await client.query(
      `insert into stock select id, floor(pow(random(), 4) * 300)::int, 0, 1 from generate_series(1, ${count}) id where random() < 0.4`,
    );
    const from = performance.now();
    await rebuild(url);
    const took = (performance.now() - from) / 1_000;
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ words: string; size: string }>(
      `select (select count(*) from search_words) as words, pg_size_pretty(pg_total_relation_size('event_search')) as size`,
    );
    say(`${count} events indexed in ${took.toFixed(0)} s: ${rows[0]!.words} words, ${rows[0]!.size}`);
  } finally {
    await client.end();
  }
}
