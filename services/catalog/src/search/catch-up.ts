import { setTimeout as pause } from 'node:timers/promises';
import type { RowOf } from '@beltway/kit/columns';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import type { Pool, PoolClient } from 'pg';
import { listings } from '../generated/tables.ts';
import { PLACE } from '../event/place.ts';
import { noteLocation, placeColumnsOf, placeLocated } from '../event/place.ts';
import { INDEX_VERSION, indexEvent, type SearchTable } from './document.ts';

const BATCH = 50;
const RETRY_MS = 5_000;

const oldIn = (table: SearchTable, statuses: string) => `select ${listings.select(undefined, 'l')}
  from listings l left join ${table} e using (event_id)
  where l.status in (${statuses}) and l.event_id > $1
    and (e.event_id is null or e.index_version < ${INDEX_VERSION} or e.event_version <> l.version)
  order by l.event_id limit ${BATCH} for update of l skip locked`;
const OLD = {
  event_search: oldIn('event_search', `'published', 'postponed'`),
  cancelled_search: oldIn('cancelled_search', `'cancelled'`),
} satisfies Record<SearchTable, string>;
const TABLES = Object.keys(OLD) as SearchTable[];
const FIND = listings.update('eventId', PLACE);

/** Places and indexes a listing that is locked, or being written, in `tx`. */
export async function indexListing(
  tx: PoolClient,
  row: RowOf<typeof listings>,
  table: SearchTable = 'event_search',
): Promise<void> {
  const statements: Array<[text: string, values: unknown[]]> = [];
  const query = (text: string, values: unknown[] = []) => void statements.push([text, values]);
  // Not to lock it: who keeps an answer waits for the listings that are locked here.
  noteLocation({ query }, row.location, { ifNew: true });
  query(FIND.text, FIND.values({ ...row, ...placeColumnsOf(row.location) }));
  placeLocated({ query }, row.eventId);
  indexEvent({ query }, row.eventId, { ...row, isPostponed: row.status === 'postponed' }, table);
  for (const [text, values] of statements) await tx.query(text, values);
}

/** Indexes a batch of events; answers the last one's id, or null when there was none. */
async function indexBatch(tx: PoolClient, table: SearchTable, after: number): Promise<number | null> {
  const { rows } = await tx.query<RowOf<typeof listings>>(OLD[table], [after]);
  for (const row of rows) await indexListing(tx, row, table);
  return rows.at(-1)?.eventId ?? null;
}

/**
 * Indexes what was not indexed, or by an older version of the code: in the background, batch by batch, after each start. Rows that are being
 * written meanwhile are indexed by who writes them. Answers what stops it.
 */
export function catchUp({ pool, log }: { pool: Pool; log: Logger }): {
  done: Promise<void>;
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const indexAll = async (table: SearchTable) => {
    for (let after: number | null = 0; after !== null && !stopping.signal.aborted;) {
      try {
        const from: number = after;
        after = await transaction(pool, (tx) => indexBatch(tx, table, from));
      } catch (error) {
        log.warn({ err: error }, 'events could not be indexed, trying again');
        await pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const work = async () => {
    for (const table of TABLES) await indexAll(table);
  };
  const done = work();
  return {
    done,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}
