import { createHash } from 'node:crypto';
import { MAX_SAVED_SEARCHES, type SavedSearch, type SaveSearchBody } from '@beltway/contracts/catalog/saved-searches';
import { SearchQuery } from '@beltway/contracts/catalog/search';
import { Rejected } from '@beltway/event-store';
import { badField, notFound } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { positionIfKnown } from '../search/finds.ts';
import { DEFAULT_MILES } from '../search/search.ts';
import { tagKey } from '../search/words.ts';

/** Equal for searches that find the same, as far as that can be seen: case, blanks, order and an order of results do not matter. */
export function digestOf({ sort: _sort, cursor: _cursor, limit: _limit, ...query }: SearchQuery): string {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
  const words = plain(query.q ?? '');
  const found = {
    ...query,
    q: words === '' ? undefined : words,
    tags: query.tags?.length ? [...new Set(query.tags.map(tagKey))].sort() : undefined,
    category: query.category?.length ? query.category.toSorted() : undefined,
    near: query.near === undefined ? undefined : plain(query.near),
    radius: query.near === undefined ? undefined : (query.radius ?? DEFAULT_MILES),
  };
  const said = Object.entries(found)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22);
}

interface Row extends Omit<SavedSearch, 'savedAt'> {
  savedAt: Date;
}
const COLUMNS = 'id, name, search, saved_at as "savedAt"';
const answerOf = ({ savedAt, ...row }: Row): SavedSearch => ({ ...row, savedAt: savedAt.toISOString() });

/** An account's searches, the latest first. */
export async function savedSearchesOf(db: Queryable, userId: number): Promise<SavedSearch[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from saved_searches where user_id = $1 order by saved_at desc, id desc limit ${MAX_SAVED_SEARCHES}`,
    [userId],
  );
  return rows.map(answerOf);
}

/** Of one account one at a time, so that the bound holds. */
const LOCK = `select pg_advisory_xact_lock(hashtext('saved_searches'), $1)`;
// Whoever is erased saves nothing: a call that was let in just before would leave it behind.
const SAVE = `insert into saved_searches (user_id, name, search, digest)
  select $1, $2, $3::jsonb, $4
  where (select count(*) from saved_searches where user_id = $1) < ${MAX_SAVED_SEARCHES}
    and not exists (select from erasures where user_id = $1)
  on conflict (user_id, digest) do nothing returning ${COLUMNS}`;

/**
 * Saves a search of an account. One that it has already is given as it is, and `isNew` is false: a repeat changes nothing. Rejected:
 * `too-many-saved-searches`;
 * 400 at `search.near` for a place that we do not know.
 */
export async function saveSearch(
  pool: Pool,
  userId: number,
  { name, search }: SaveSearchBody,
): Promise<{ saved: SavedSearch; isNew: boolean }> {
  const query = SearchQuery.parse(search);
  if (query.near !== undefined && !positionIfKnown(query.near))
    throw badField('search.near', 'We know no such place in the region.');
  const digest = digestOf(query);
  const said = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
  return transaction(pool, async (tx) => {
    await tx.query(LOCK, [userId]);
    const { rows: before } = await tx.query<Row>(
      `select ${COLUMNS} from saved_searches where user_id = $1 and digest = $2`,
      [userId, digest],
    );
    if (before[0]) return { saved: answerOf(before[0]), isNew: false };
    const { rows } = await tx.query<Row>(SAVE, [userId, name, JSON.stringify(said), digest]);
    if (!rows[0])
      throw new Rejected(
        'too-many-saved-searches',
        `You have ${MAX_SAVED_SEARCHES} saved searches, which is as many as we keep. Delete one in your account first.`,
      );
    return { saved: answerOf(rows[0]), isNew: true };
  });
}

/** Throws 404 for one that is not theirs. */
export async function renameSearch(db: Queryable, userId: number, id: number, name: string): Promise<SavedSearch> {
  const { rows } = await db.query<Row>(
    `update saved_searches set name = $3 where id = $1 and user_id = $2 returning ${COLUMNS}`,
    [id, userId, name],
  );
  if (!rows[0]) throw notFound('This saved search');
  return answerOf(rows[0]);
}

/** A repeat changes nothing. */
export const deleteSearch = (db: Queryable, userId: number, id: number) =>
  db.query('delete from saved_searches where id = $1 and user_id = $2', [id, userId]);
