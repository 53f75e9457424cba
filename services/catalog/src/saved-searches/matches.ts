import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchMatches } from '@beltway/contracts/catalog/saved-searches';
import { SearchQuery } from '@beltway/contracts/catalog/search';
import { ago } from '@beltway/kit/kysely';
import { tookTooLong } from '@beltway/kit/transient';
import { kysely } from '../db.ts';
import { inTime } from '../search/search.ts';
import { whichFind } from '../search/finds.ts';
import { batchedLookUps } from '../search/vocabulary.ts';
import type { Pool } from 'pg';

/** Limits of one part of the result: the number of searches, and the time. The next part continues with the rest. */
const PAGE = 1_000;
const PAGE_MS = 1_000;
/** Number of searches checked before the process yields to other work. */
const AT_ONCE = 100;
/** Events older than this many days are not reported, even if they change. */
const NEW_DAYS = 30;

interface Row {
  userId: number;
  name: string;
  search: unknown;
}

/**
 * Searches that were saved before the event was published, without those of its organizer. Empty if the event's status
 * is not `published`, or if the event is not new.
 */
const candidates = (pool: Pool, event: number, after: number): Promise<Row[]> =>
  kysely(pool)
    .selectFrom('listings as l')
    .innerJoin('savedSearches as s', (join) =>
      join.onRef('s.savedAt', '<', 'l.createdAt').onRef('s.userId', '<>', 'l.organizerId'),
    )
    .select(['s.userId', 's.name', 's.search'])
    .where('l.eventId', '=', event)
    .where('l.status', '=', 'published')
    .where('l.createdAt', '>', ago(`${NEW_DAYS} days`))
    .where('s.userId', '>', after)
    .orderBy('s.userId')
    .orderBy('s.savedAt')
    .orderBy('s.id')
    .limit(PAGE)
    .execute();

/** Splits rows into batches of about equal size, with all rows of an account in one batch. */
function* partsOf(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  for (const row of rows) {
    if (part.length >= AT_ONCE && part.at(-1)!.userId !== row.userId) {
      yield part;
      part = [];
    }
    part.push(row);
  }
  if (part.length > 0) yield part;
}

/**
 * A part of the accounts whose saved searches find the event in its current state; the part begins after the account
 * `after`. Empty if the event is canceled, postponed, unknown or no longer new. The number of searches and the time per
 * part are limited, and each part returns where the next part begins. The caller stores this position, so this service
 * needs no recovery after a crash. 503 if the database takes too long.
 */
export async function searchMatches(
  pool: Pool,
  { event, after, now }: { event: number; after: number; now: Date },
): Promise<SearchMatches> {
  return inTime(async () => {
    const until = performance.now() + PAGE_MS;
    const rows = await candidates(pool, event, after);
    const isLast = rows.length < PAGE;
    // The last account of a full part may have more rows, so the next part begins with this account.
    const whole = isLast ? rows : rows.filter(({ userId }) => userId !== rows.at(-1)!.userId);
    const understanding = { now, lookUps: batchedLookUps(pool), positions: new Map() };
    const matches = new Map<number, string[]>();
    let next = after;
    for (const part of partsOf(whole)) {
      const read = part.flatMap(({ search, ...row }) => {
        // If older code stored a search that is no longer valid, the search finds nothing.
        const { data: query } = SearchQuery.safeParse(search);
        return query ? [{ ...row, query }] : [];
      });
      const queries = read.map(({ query }) => query);
      const finding = await whichFind(pool, event, queries, understanding).catch((error: unknown) => {
        // Returns the results so far, so that the next part continues after them.
        if (next > after && tookTooLong(error)) return null;
        throw error;
      });
      if (finding === null) break;
      for (const [at, { userId, name }] of read.entries())
        if (finding.has(at)) matches.set(userId, [...(matches.get(userId) ?? []), name]);
      next = part.at(-1)!.userId;
      if (performance.now() > until) break;
      await nextTurn();
    }
    const accounts = [...matches].map(([id, names]) => ({ id, names }));
    const isDone = isLast && (rows.length === 0 || next === rows.at(-1)!.userId);
    return { accounts, next: isDone ? null : next };
  });
}
