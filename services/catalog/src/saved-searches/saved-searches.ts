import { createHash } from 'node:crypto';
import { MAX_SAVED_SEARCHES, type SavedSearch, type SaveSearchBody } from '@beltway/contracts/catalog/saved-searches';
import { SearchQuery } from '@beltway/contracts/catalog/search';
import { Rejected } from '@beltway/kit/rejected';
import type { RowOf } from '@beltway/kit/columns';
import { countRows, insertIf, lockKey, notErased } from '@beltway/kit/kysely';
import { badField, notFound } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { savedSearches } from '../generated/tables.ts';
import { positionIfKnown } from '../search/finds.ts';
import { DEFAULT_MILES } from '../search/search.ts';
import { tagKey } from '../search/words.ts';

/**
 * A digest of a search. Searches that differ only in case, blanks, the order of words or their sort have the same
 * digest.
 */
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

const COLUMNS = ['id', 'name', 'search', 'savedAt'] as const;
const answerOf = ({ id, name, search, savedAt }: Pick<RowOf<typeof savedSearches>, (typeof COLUMNS)[number]>) =>
  ({ id, name, search: search as SavedSearch['search'], savedAt: savedAt.toISOString() }) satisfies SavedSearch;

/** An account's saved searches, latest first. */
export async function savedSearchesOf(db: Queryable, userId: number): Promise<SavedSearch[]> {
  const rows = await kysely(db)
    .selectFrom('savedSearches')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .orderBy('savedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SAVED_SEARCHES)
    .execute();
  return rows.map(answerOf);
}

/**
 * Saves a search. If the account already has this search, returns the existing one unchanged, with `isNew` false.
 * Rejected: `too-many-saved-searches`; 400 at `search.near` for an unknown place.
 */
export async function saveSearch(
  pool: Pool,
  userId: number,
  { name, search }: SaveSearchBody,
): Promise<{ saved: SavedSearch; isNew: boolean }> {
  const query = SearchQuery.parse(search);
  if (query.near !== undefined && !positionIfKnown(query.near)) throw badField('search.near', 'invalid.near-place');
  const digest = digestOf(query);
  const said = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
  return transaction(pool, async (tx) => {
    // Serializes concurrent saves of an account, so that they cannot exceed the limit.
    await lockKey(tx, `saved searches ${userId}`);
    const searches = kysely(tx).selectFrom('savedSearches').where('userId', '=', userId);
    const existing = await searches.select(COLUMNS).where('digest', '=', digest).executeTakeFirst();
    if (existing) return { saved: answerOf(existing), isNew: false };
    const hasRoom = sql<boolean>`(${searches.select(countRows)}) < ${MAX_SAVED_SEARCHES} and ${notErased(userId)}`;
    const row = { userId, name, search: JSON.stringify(said), digest };
    const saved = await insertIf(kysely(tx), 'savedSearches', savedSearches, row, hasRoom)
      .returning(COLUMNS)
      .executeTakeFirst();
    if (!saved) throw new Rejected('too-many-saved-searches', { max: MAX_SAVED_SEARCHES });
    return { saved: answerOf(saved), isNew: true };
  });
}

/** Renames a search. Throws 404 for a search of another account. */
export async function renameSearch(db: Queryable, userId: number, id: number, name: string): Promise<SavedSearch> {
  const saved = await kysely(db)
    .updateTable('savedSearches')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!saved) throw notFound('saved-search');
  return answerOf(saved);
}

/** Deletes a search; idempotent. */
export const deleteSearch = (db: Queryable, userId: number, id: number) =>
  kysely(db).deleteFrom('savedSearches').where('id', '=', id).where('userId', '=', userId).execute();
