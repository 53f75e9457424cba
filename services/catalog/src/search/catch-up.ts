import { backoff } from '@beltway/kit/backoff';
import type { RowOf } from '@beltway/kit/columns';
import { enqueue, NotYet, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import type { Pool, PoolClient } from 'pg';
import { listings } from '../generated/tables.ts';
import { PLACE } from '../event/place.ts';
import { queueLookup, placeColumnsOf, placeLocated } from '../event/place.ts';
import { INDEX_VERSION, indexEvent, type SearchTable } from './document.ts';

const BATCH = 50;

const oldIn = (table: SearchTable, statuses: string) => `select ${listings.select(undefined, 'l')}
  from listings l left join ${table} e using (event_id)
  where l.status in (${statuses}) and l.event_id > $1
    and (e.event_id is null or e.index_version < ${INDEX_VERSION} or e.event_version <> l.version)
  order by l.event_id limit ${BATCH} for update of l skip locked`;
const OLD = {
  event_search: oldIn('event_search', `'published', 'postponed'`),
  canceled_search: oldIn('canceled_search', `'canceled'`),
} satisfies Record<SearchTable, string>;
const TABLES = Object.keys(OLD) as SearchTable[];
const FIND = listings.update('eventId', PLACE);

/** Sets the place of a listing and indexes it. The listing must be locked or being written in `tx`. */
export async function indexListing(
  tx: PoolClient,
  row: RowOf<typeof listings>,
  table: SearchTable = 'event_search',
): Promise<void> {
  const statements: Array<[text: string, values: unknown[]]> = [];
  const query = (text: string, values: unknown[] = []) => void statements.push([text, values]);
  // The lookup job need not be locked, because it can write its result only after this transaction has released its
  // listings.
  queueLookup({ query }, row.location, { ifNew: true });
  query(FIND.text, FIND.values({ ...row, ...placeColumnsOf(row.location) }));
  placeLocated({ query }, row.eventId);
  indexEvent({ query }, row.eventId, { ...row, isPostponed: row.status === 'postponed' }, table);
  for (const [text, values] of statements) await tx.query(text, values);
}

/** Indexes a batch of events. Returns the id of the last event, or null if there was no event. */
async function indexBatch(tx: PoolClient, table: SearchTable, after: number): Promise<number | null> {
  const { rows } = await tx.query<RowOf<typeof listings>>(OLD[table], [after]);
  for (const row of rows) await indexListing(tx, row, table);
  return rows.at(-1)?.eventId ?? null;
}

/**
 * Keys consist of a table and the version of the indexing code, so that an instance with older code leaves the job to
 * instances with newer code.
 */
const indexing: Queue<{ version: number; after: number }> = {
  ...{ name: 'search-index', maxAttempts: 100, pauseMs: backoff(5_000, 60_000) },
  ...{ leaseSeconds: 60, concurrency: 1, keepsDone: false },
};

/**
 * At each start, indexes events that are missing from the index or were indexed by an older version of the code, in
 * batches. A concurrent write indexes its own row.
 */
export async function startCatchingUp({ pool, log }: { pool: Pool; log: Logger }): Promise<Worker> {
  await enqueue(
    pool,
    indexing,
    TABLES.map((table) => ({ key: `${table}/${INDEX_VERSION}`, data: { version: INDEX_VERSION, after: 0 } })),
    { again: true },
  );
  return startQueue({ pool, log }, indexing, async ({ key, data }) => {
    if (data.version > INDEX_VERSION) throw new NotYet('a newer release indexes this', 60);
    const table = key.split('/')[0] as SearchTable;
    const after = await transaction(pool, (tx) => indexBatch(tx, table, data.after));
    return after === null ? {} : { againAfter: 0, data: { ...data, after } };
  });
}
