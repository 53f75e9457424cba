import type { Caller } from '@beltway/kit/auth';
import { anyOf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { notFound } from '@beltway/kit/problems';
import type { Place } from '@beltway/places/gazetteer';
import { sql, type SelectQueryBuilder } from 'kysely';
import { notBlocked } from '../community/blocks.ts';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';
import { RULES, type Kind, type Mark } from './kinds.ts';

/** The reader; undefined if the reader is not signed in. */
export type Viewer = Pick<Caller, 'id' | 'role'> | undefined;

const isMarked = (viewer: Viewer, mark: Mark) =>
  sql<boolean>`exists (select from contribution_marks m
    where m.contribution_id = c.id and m.mark = ${sql.lit(mark)} and m.user_id = ${viewer?.id ?? null}::integer)`;

type Contributions = SelectQueryBuilder<Tables & { c: Tables['contributions'] }, 'c', object>;

/** Contributions for one reader, with all data that their kinds show or check. */
const withAll = (contributions: Contributions, viewer: Viewer) =>
  contributions
    .leftJoin('communityPeople as w', 'w.userId', 'c.authorId')
    .leftJoin('notedEvents as e', 'e.eventId', 'c.eventId')
    .leftJoin('contributions as p', 'p.id', 'c.parentId')
    .select([
      'c.id',
      sql<Kind>`c.kind`.as('kind'),
      'c.authorId',
      'c.eventId',
      'c.placeId',
      'c.parentId',
      'c.text',
      'c.version',
    ])
    .select(['c.imageUrl', 'c.category', 'c.isVerified', 'c.isPinned', 'c.isTop', 'c.isAnswered', 'c.acceptedId'])
    .select([
      'c.likes',
      'c.shares',
      'c.below',
      'c.createdAt',
      'c.editedAt',
      'c.deletedAt',
      'c.hiddenAt',
      'c.hiddenByAdmin',
    ])
    .select([
      sql<string>`coalesce(w.name, '')`.as('authorName'),
      sql<boolean>`coalesce(w.is_visible, false)`.as('hasProfile'),
      'e.title as eventTitle',
      // The owner of the event.
      'e.ownerId',
      'p.authorId as parentAuthorId',
      // Whether the author of the parent accepted this answer.
      sql<boolean>`coalesce(p.accepted_id = c.id, false)`.as('isAccepted'),
      isMarked(viewer, 'like').as('isLiked'),
      isMarked(viewer, 'follow').as('isFollowed'),
    ]);
export type Row = Awaited<ReturnType<ReturnType<typeof withAll>['execute']>>[number];

const all = (db: Queryable): Contributions => kysely(db).selectFrom('contributions as c');
/** SQL condition: neither the author nor the reader blocked the other. */
const seenBy = (viewer: Viewer) =>
  viewer ? notBlocked(sql`c.author_id`, sql`${viewer.id}::integer`) : sql<boolean>`true`;
const IS_SHOWN = sql<boolean>`c.hidden_at is null and c.deleted_at is null`;

/** Begins an update of a contribution. */
export const updated = (tx: Queryable, id: number) => kysely(tx).updateTable('contributions').where('id', '=', id);

export const isShown = ({ hiddenAt, deletedAt }: Row): boolean => hiddenAt === null && deletedAt === null;

/** The owner of the event, and admins. */
export const isModerator = ({ ownerId }: Row, viewer: Viewer): boolean =>
  viewer !== undefined && (viewer.role === 'admin' || viewer.id === ownerId);

/**
 * A contribution, even if it is hidden or deleted. Undefined if there is no such contribution of this kind, or if the
 * author or the viewer blocked the other.
 */
export const find = (db: Queryable, viewer: Viewer, kind: Kind, id: number): Promise<Row | undefined> =>
  withAll(all(db), viewer).where('c.id', '=', id).where('c.kind', '=', kind).where(seenBy(viewer)).executeTakeFirst();

/** A contribution that the reader may see, and whose parent is visible; undefined if there is no such contribution. */
export async function findShown(db: Queryable, viewer: Viewer, kind: Kind, id: number): Promise<Row | undefined> {
  const row = await find(db, viewer, kind, id);
  if (!row || !isShown(row)) return undefined;
  const { parent, keepsPlace } = RULES[kind];
  const isBelowShown = row.parentId === null || keepsPlace || (await findShown(db, viewer, parent!, row.parentId));
  return isBelowShown ? row : undefined;
}

/** Like `findShown`, but throws 404. */
export async function shown(db: Queryable, viewer: Viewer, kind: Kind, id: number): Promise<Row> {
  const row = await findShown(db, viewer, kind, id);
  if (!row) throw notFound(RULES[kind].what);
  return row;
}

/** The filters of a list. All of them must match. */
export interface ThreadQuery {
  kind: Kind;
  parentId?: number | undefined;
  authorId?: number | undefined;
  eventId?: number | undefined;
  place?: Place | undefined;
  category?: string | undefined;
  isAnswered?: boolean | undefined;
  words?: string | undefined;
  /** Only by these accounts. */
  authors?: readonly number[] | undefined;
  /** `pinned`: pinned contributions first, then the newest. */
  order: 'newest' | 'oldest' | 'pinned';
  /** The last contribution in the previous part of the list, and whether it was pinned. */
  cursor?: number | undefined;
  isCursorPinned?: boolean | undefined;
  limit: number;
}

const pinOf = ({ eventId }: ThreadQuery) => (eventId === undefined ? 'isTop' : 'isPinned');

/** The rows that match the filters. Each filter has an index: kind, parent, author, event, place, town, category. */
function matching(contributions: Contributions, query: ThreadQuery): Contributions {
  const { kind, parentId, authorId, eventId, place, category, isAnswered } = query;
  const { isParentOptional, keepsPlace } = RULES[kind];
  const isRoot = isParentOptional && parentId === undefined;
  const found = contributions
    .where('c.kind', '=', sql.lit(kind))
    // A deleted or hidden contribution keeps its place while other contributions are below it.
    .where(
      isRoot && keepsPlace ? sql<boolean>`(c.below > 0 or (c.deleted_at is null and c.hidden_at is null))` : IS_SHOWN,
    )
    .$if(isRoot === true, (rows) => rows.where('c.parentId', 'is', null));
  const wanted = [
    ['c.parentId', parentId],
    ['c.authorId', authorId],
    ['c.eventId', eventId],
    [place?.kind === 'town' ? 'c.townId' : 'c.placeId', place?.id],
    ['c.category', category],
    ['c.isAnswered', isAnswered],
  ] as const;
  return wanted.reduce((rows, [column, value]) => (value === undefined ? rows : rows.where(column, '=', value)), found);
}

/** The rows after the cursor, in the order of the list. */
function sorted(contributions: Contributions, query: ThreadQuery): Contributions {
  const { order, cursor, isCursorPinned } = query;
  const pin = `c.${pinOf(query)}` as const;
  const rows = contributions
    .$if(order === 'pinned', (page) => page.orderBy(pin, 'desc'))
    .orderBy('c.id', order === 'oldest' ? 'asc' : 'desc');
  if (cursor === undefined) return rows;
  if (order === 'pinned')
    return rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(pin, 'c.id'), '<', tuple(isCursorPinned ?? false, cursor)),
    );
  return rows.where('c.id', order === 'oldest' ? '>' : '<', cursor);
}

/** For many authors: reads the first rows of each author. */
const ofAuthors = (db: Queryable, query: ThreadQuery, authors: readonly number[]): Contributions =>
  kysely(db)
    .selectFrom(sql<{ author: number }>`unnest(${authors}::integer[])`.as<'f'>(sql`f (author)`))
    .crossJoinLateral(({ selectFrom }) =>
      sorted(matching(selectFrom('contributions as c'), query), query)
        .where('c.authorId', '=', sql<number>`f.author`)
        .limit(query.limit + 1)
        .selectAll()
        .as('c'),
    ) as unknown as Contributions;

/**
 * Questions with rare words are found by the index of words and then sorted. Frequent words are quickly found while
 * reading in the order of the list.
 */
const RARE = 1_000;

async function withWords(db: Queryable, words: string): Promise<(rows: Contributions) => Contributions> {
  const hasWords = sql<boolean>`document @@ websearch_to_tsquery('english', ${words})`;
  const questions = kysely(db).selectFrom('contributions').select('id').where('kind', '=', sql.lit('question'));
  const rare = await questions
    .where(hasWords)
    .limit(RARE + 1)
    .execute();
  return (rows) =>
    rare.length > RARE
      ? rows.where(sql<boolean>`c.document @@ websearch_to_tsquery('english', ${words})`)
      : rows.where('c.id', '=', anyOf(rare.map(({ id }) => id)));
}

/** One part of a thread or feed as the reader sees it, in the contract of its kind. */
export async function pageOf<Item>(
  db: Queryable,
  viewer: Viewer,
  query: ThreadQuery,
  toItem: (row: Row, viewer: Viewer) => Item,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const found = query.words ? (await withWords(db, query.words))(all(db)) : all(db);
  const source = query.authors ? ofAuthors(db, query, query.authors) : found;
  // Only the rows that are returned are joined with names and marks.
  const page = sorted(matching(source, query), query)
    .where(seenBy(viewer))
    .limit(query.limit + 1)
    .selectAll('c')
    .as('c');
  const rows = await withAll(sorted(kysely(db).selectFrom(page) as unknown as Contributions, query), viewer).execute();
  const items = rows.slice(0, query.limit).map((row) => toItem(row, viewer));
  const last = rows.length > items.length ? rows[items.length - 1]! : undefined;
  const pin = last && query.order === 'pinned' ? `${last[pinOf(query)] ? 1 : 0}-` : '';
  return { items, nextCursor: last ? `${pin}${last.id}` : null };
}

/** The first contributions below each of these parents, as all visitors see them. */
export async function firstBelow(
  db: Queryable,
  parents: readonly Row[],
  limit: number,
): Promise<Map<number | null, Row[]>> {
  const ids = parents.filter(({ below }) => below > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const children = kysely(db)
    .selectFrom(sql<{ id: number }>`unnest(${ids}::integer[])`.as<'parent'>(sql`parent (id)`))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom('contributions as c')
        .selectAll()
        .where('c.parentId', '=', sql<number>`parent.id`)
        .where(IS_SHOWN)
        .orderBy('c.id')
        .limit(limit)
        .as('c'),
    ) as unknown as Contributions;
  const rows = await withAll(children, undefined).orderBy('c.id').execute();
  return Map.groupBy(rows, ({ parentId }) => parentId);
}
