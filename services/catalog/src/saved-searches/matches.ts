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

/** Searches that one page looks at, and for how long: what does not come to its turn is the next page's. */
const PAGE = 1_000;
const PAGE_MS = 1_000;
/** Between two of these the process turns to others. */
const AT_ONCE = 100;
/** Later an event is no news any more, whatever is changed of it. In days. */
const NEW_DAYS = 30;

interface Row {
  userId: number;
  name: string;
  search: unknown;
}

/** Searches that are older than an event that is on and new, but not its organizer's own. */
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

/** Rows of one account after the other, all of an account in one part, and about so many in each. */
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
 * A page of the accounts whose saved searches find an event as it is now, after the account `after`; nobody where the event is canceled,
 * postponed, not new any more or not there. A page is bounded in searches and in time, and says where the next one begins: who asks keeps
 * the place, so that nothing is to be made good here after a crash. 503 when the database takes too long.
 */
export async function searchMatches(
  pool: Pool,
  { event, after, now }: { event: number; after: number; now: Date },
): Promise<SearchMatches> {
  return inTime(async () => {
    const until = performance.now() + PAGE_MS;
    const rows = await candidates(pool, event, after);
    const isLast = rows.length < PAGE;
    // The last account of a full page may have more: it is the next page's.
    const whole = isLast ? rows : rows.filter(({ userId }) => userId !== rows.at(-1)!.userId);
    const understanding = { now, lookUps: batchedLookUps(pool), positions: new Map() };
    const matches = new Map<number, string[]>();
    let next = after;
    for (const part of partsOf(whole)) {
      const read = part.flatMap(({ search, ...row }) => {
        // What older code kept and searches do not take any more finds nothing.
        const { data: query } = SearchQuery.safeParse(search);
        return query ? [{ ...row, query }] : [];
      });
      const queries = read.map(({ query }) => query);
      const finding = await whichFind(pool, event, queries, understanding).catch((error: unknown) => {
        // What was looked at so far is not asked again.
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
