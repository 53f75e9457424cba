import { createHash } from 'node:crypto';
import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import { HOUR_MS, dayAt, instantOf } from '@beltway/contracts/common/times';
import { readSearchText, type SearchText } from '@beltway/contracts/catalog/search-text';
import type { FeedQuery, SearchQuery } from '@beltway/contracts/catalog/search';
import { badField, unavailable } from '@beltway/kit/problems';
import { tookTooLong } from '@beltway/kit/transient';
import type { Secrets } from '@beltway/kit/secrets';
import { findPlace } from '@beltway/places/find';
import { PLACES } from '@beltway/places/gazetteer';
import type { Position } from '@beltway/places/distance';
import type { Pool } from 'pg';
import type { ListingRow } from '../event/queries.ts';
import { JOINED, SHOWN, answerOf } from '../event/queries.ts';
import { readCursor, writeCursor, type Cursor } from './cursor.ts';
import { mark, milesBetween, onPlane, type SearchTable } from './document.ts';
import { readWords, type WordGroup } from './vocabulary.ts';

const PAGE = 24;
export const DEFAULT_MILES = 10;
/** No event lasts longer: what began before that has ended. An end at the start's hour is on the next day, which may have 25 hours. */
const LONGEST_HOURS = 26;

/** Takes what a condition compares with, and gives the text that stands for it in the statement. */
export interface Values {
  add(value: unknown, type: string): string;
}

/** Collects the parameters of a statement. */
class Parameters implements Values {
  readonly all: unknown[] = [];
  add(value: unknown, type: string): string {
    return `$${this.all.push(value)}::${type}`;
  }
}

interface Key {
  /** Of the row `e`. */
  sql: string;
  type: string;
  descending?: true;
}
const STARTS: Key = { sql: 'e.starts_at', type: 'timestamptz' };
const ID: Key = { sql: 'e.event_id', type: 'int' };

/** After the row with these keys, in the order of the keys. */
function isAfter(keys: readonly Key[], after: ReadonlyArray<string | number>, values: Values): string {
  const [key, ...rest] = keys;
  const value = values.add(after[0], key!.type);
  const beyond = key!.descending ? '<' : '>';
  if (rest.length === 0) return `${key!.sql} ${beyond} ${value}`;
  // The first half alone is what an index can begin at.
  return `${key!.sql} ${beyond}= ${value} and (${key!.sql} ${beyond} ${value} or (${isAfter(rest, after.slice(1), values)}))`;
}

const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const anyOf = (terms: readonly string[]): string => `(${terms.join('|')})`;

/** 1: in the title, 2: in title or tags, 3: in these or the place, 4: anywhere. */
type Field = 1 | 2 | 3 | 4;

/** Each word in this field. `begun`: also what a half typed one may become. */
function wordsMatch(groups: readonly WordGroup[], field: Field, begun: boolean): string | null {
  const terms = groups.map((group) =>
    [...group.whole, ...(begun ? group.begun : [])].map(({ all, begins }) => {
      const lexemes = all.map((lexeme) => quoted(group.isMark ? mark.tag(lexeme) : `${field}${lexeme}`));
      return begins ? `${lexemes.join('')}:*` : `(${lexemes.join('&')})`;
    }),
  );
  return terms.some((group) => group.length === 0) ? null : terms.map(anyOf).join('&');
}

/**
 * The kinds of matches, the best first, each without those before it: whole words in the title, in the tags, in the place, then beginnings of
 * words in the same order, and at last anything in the description. `any` matches all of them.
 */
function matchesOf(groups: readonly WordGroup[]): { kinds: string[]; any: string } {
  const whole = ([1, 2, 3] as const).map((field) => wordsMatch(groups, field, false)).filter((match) => match !== null);
  const begun = ([1, 2, 3, 4] as const)
    .map((field) => wordsMatch(groups, field, true))
    .filter((match) => match !== null);
  const without = (match: string, ...others: Array<string | undefined>) =>
    [match, ...others.filter((other) => other !== undefined).map((other) => `!(${other})`)].join('&');
  return {
    // In each row a kind holds the one before it.
    kinds: [
      ...whole.map((match, at) => without(match, whole[at - 1])),
      ...begun
        .filter((match) => !whole.includes(match))
        .map((match, at, all) => without(match, whole.at(-1), all[at - 1])),
    ],
    any: begun.at(-1)!,
  };
}

/** A position of `38.9,-77.0`, or that of a place of the gazetteer. Throws 400 at `near` for anything else. */
export function positionOf(near: string): Position {
  const numbers = /^(-?\d{1,3}(?:\.\d{1,20})?),\s*(-?\d{1,3}(?:\.\d{1,20})?)$/.exec(near);
  if (numbers) {
    const [lat, lon] = [Number(numbers[1]), Number(numbers[2])];
    if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return { lat, lon };
    throw badField('near', 'invalid.near-position');
  }
  const place = PLACES.find(({ id }) => id === near) ?? findPlace(near)?.place;
  if (!place) throw badField('near', 'invalid.near-place');
  return place;
}

/** A search, understood: its parameters and what its words say. */
export interface Wanted {
  query: SearchQuery;
  said: SearchText;
  near: Position | undefined;
  groups: readonly WordGroup[];
  now: Date;
}

const inOrder = (...dates: Array<Date | undefined>) =>
  dates.filter((date) => date !== undefined).toSorted((one, other) => one.getTime() - other.getTime());

/** What must stand in a document whatever the words. */
function marksOf({ query, said }: Wanted): string[] {
  return [
    ...(query.tags ?? []).map((tag) => quoted(mark.tag(tag))),
    ...(query.category?.length ? [anyOf(query.category.map((name) => quoted(mark.category(name))))] : []),
    ...(query.free || said.free ? [quoted(mark.free)] : []),
  ];
}

/** What a document must have to be found, each kind of match without those before it, or all in one; the texts of `tsquery`. */
function documentsOf(wanted: Wanted, inOne: boolean): string[] {
  const marks = marksOf(wanted);
  const matches = wanted.groups.length > 0 ? matchesOf(wanted.groups) : { kinds: [''], any: '' };
  return (inOne ? [matches.any] : matches.kinds).map((match) => [...marks, match].filter(Boolean).join('&'));
}

const documentMatches = (document: string, values: Values): string[] =>
  document === '' ? [] : [`e.document @@ ${values.add(document, 'tsquery')}`];

/** All that a row `e` of `event_search` must fulfill to be found, in whatever order. */
export const conditionsOf = (wanted: Wanted, values: Values): string[] => [
  ...filtersOf(wanted, values),
  ...documentsOf(wanted, true).flatMap((document) => documentMatches(document, values)),
];

/** No map shows where it is. */
const APPROXIMATE = 'exists (select from listings a where a.event_id = e.event_id and a.place_is_approximate)';

/** The conditions that no index of the document answers. */
function filtersOf({ query, said, near, now }: Wanted, values: Values): string[] {
  const from = inOrder(query.from, said.range?.from).at(-1);
  const to = inOrder(query.to, said.range?.to)[0];
  const isOfThePast = query.from !== undefined && query.from < instantOf(dayAt(now));
  const time = (date: Date) => values.add(date, 'timestamptz');
  const filters: string[] = [];
  if (!isOfThePast) {
    const since = new Date(now.getTime() - LONGEST_HOURS * HOUR_MS);
    filters.push(`e.ends_at > ${time(now)}`, `e.starts_at > ${time(since)}`);
  }
  if (from) filters.push(`e.starts_at >= ${time(from)}`);
  if (to) filters.push(`e.starts_at < ${time(to)}`);
  const cents = [query.maxPrice, said.maxPriceCents].filter((most) => most !== undefined && most !== null);
  if (cents.length > 0) filters.push(`e.price_cents <= ${values.add(Math.min(...cents), 'int')}`);
  if (near) {
    const { east, north } = onPlane(near);
    const miles = values.add(query.radius ?? DEFAULT_MILES, 'float8');
    filters.push(
      `e.position <@ circle(point(${values.add(east, 'float8')}, ${values.add(north, 'float8')}), ${miles})`,
    );
  }
  if (query.within) {
    const { west, south, east, north } = query.within;
    const corners = [
      { lat: south, lon: west },
      { lat: north, lon: east },
    ].map((corner) => onPlane(corner));
    const points = corners.map((at) => `point(${values.add(at.east, 'float8')}, ${values.add(at.north, 'float8')})`);
    filters.push(`e.position <@ box(${points.join(', ')})`, `not ${APPROXIMATE}`);
  }
  if (query.unplaced) filters.push(`(e.position is null or ${APPROXIMATE})`);
  if (query.organizer !== undefined)
    filters.push(
      `e.event_id in (select o.event_id from listings o where o.organizer_id = ${values.add(query.organizer, 'int')})`,
    );
  if (query.onSale)
    filters.push(
      `e.capacity > 0 and e.ends_at > ${time(now)}`,
      `(e.sales_start is null or e.sales_start <= ${time(now)}) and (e.sales_end is null or e.sales_end > ${time(now)})`,
      `not exists (select from stock s where s.event_id = e.event_id and s.sold >= e.capacity)`,
    );
  return filters;
}

/** What the sort says; an event's id at last, so that no two are equal. */
function keysOf({ query, near }: Wanted, values: Values): Key[] {
  switch (query.sort) {
    case 'newest':
      return [
        { sql: 'e.created_at', type: 'timestamptz', descending: true },
        { ...ID, descending: true },
      ];
    case 'popular':
      return [{ sql: 'e.popularity', type: 'int', descending: true }, STARTS, ID];
    case 'nearest': {
      const { east, north } = onPlane(near!);
      const point = `point(${values.add(east, 'float8')}, ${values.add(north, 'float8')})`;
      return [{ sql: `(e.position <-> ${point})`, type: 'float8' }, STARTS, ID];
    }
    case 'soonest':
    case undefined:
      return [STARTS, ID];
  }
}

interface Found {
  part: number;
  keys: Array<string | number>;
}

const ON: readonly SearchTable[] = ['event_search'];
const ON_AND_CANCELED: readonly SearchTable[] = ['event_search', 'canceled_search'];

/**
 * The statement for a page and one event more. Without a sort the best matches come first, kind by kind: each kind is a part of its own, in
 * which the soonest come first, and a part is not read before the one before it is at its end.
 */
export function statementOf(
  wanted: Wanted,
  after: Found | null,
  most: number,
  tables = ON,
): { text: string; values: unknown[] } {
  const values = new Parameters();
  const documents = documentsOf(wanted, wanted.query.sort !== undefined);
  const filters = filtersOf(wanted, values);
  const keys = keysOf(wanted, values);
  const limit = values.add(most, 'int');
  const order = (of: (sql: string, at: number) => string) =>
    keys.map(({ sql, descending }, at) => `${of(sql, at)}${descending ? ' desc' : ''}`).join(', ');

  const branches = documents.flatMap((document, part) => {
    if (after && part < after.part) return [];
    const conditions = [
      ...filters,
      ...documentMatches(document, values),
      ...(after?.part === part ? [isAfter(keys, after.keys, values)] : []),
    ];
    return tables.map(
      (table) => `(select e.event_id, ${part} as part, ${keys.map(({ sql }, at) => `${sql} as key${at}`).join(', ')}
      from ${table} e${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}
      order by ${order((sql) => sql)} limit ${limit})`,
    );
  });
  const shownOrder = (of: string) => `${of}part, ${order((_sql, at) => `${of}key${at}`)}`;
  // Of one table the parts stand in order, and those behind a full page are not read.
  const first = tables.length > 1 ? ` order by ${shownOrder('')}` : '';
  const text = `select ${SHOWN}, found.part, jsonb_build_array(${keys.map((_, at) => `found.key${at}`).join(', ')}) as keys
    from (select * from (${branches.join(' union all ')}) parts${first} limit ${limit}) found
      join listings l using (event_id) ${JOINED}
    order by ${shownOrder('found.')}`;
  return { text, values: values.all };
}

/** A digest of what is searched for, whatever the page. */
function digestOf({ cursor: _cursor, limit: _limit, ...query }: SearchQuery): string {
  const named = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url').slice(0, 16);
}

export interface SearchDeps {
  /** Of its own: searches that take long take no connection from anything else. */
  pool: Pool;
  /** Signs cursors; the same in all instances. */
  secret: Secrets;
}

/**
 * A page of the events that a search finds (services/catalog/PRODUCT.md#search). What has ended is not among them,
 * unless `from` names an earlier day.
 * 400 for a place that we do not know, or a cursor that is not ours; 503 when it takes too long.
 */
export async function search({ pool, secret }: SearchDeps, query: SearchQuery, time: Date): Promise<EventPage> {
  const of = digestOf(query);
  const cursor = query.cursor === undefined ? undefined : readCursor(secret, query.cursor, of);
  const now = cursor ? new Date(cursor.at) : time;
  return inTime(async () => {
    const wanted = await understand(pool, query, now, cursor?.groups);
    if (wanted === null) return { items: [], nextCursor: null };
    const limit = query.limit ?? PAGE;
    const [part, ...keys] = cursor?.after ?? [];
    const after = part === undefined ? null : { part: Number(part), keys };
    const { text: statement, values } = statementOf(wanted, after, limit + 1);
    const { rows } = await pool.query<ListingRow & Found>(statement, values);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1)! : undefined;
    const next: Cursor | undefined = last && {
      at: now.getTime(),
      after: [last.part, ...last.keys],
      groups: wanted.groups,
      of,
    };
    return {
      items: shown.map((row) => withDistance(answerOf(row, false), wanted.near)),
      nextCursor: next ? writeCursor(secret, next) : null,
    };
  });
}

interface Extent {
  /** Events at most. */
  most: number;
  /** With those that were canceled. */
  withCanceled: boolean;
}

/** The first events of a search, the soonest first where it names no order. Refuses as `search` does. */
export async function searchOnce(
  { pool }: Pick<SearchDeps, 'pool'>,
  query: FeedQuery,
  now: Date,
  { most, withCanceled }: Extent,
): Promise<ListingRow[]> {
  return inTime(async () => {
    const wanted = await understand(pool, { ...query, sort: query.sort ?? 'soonest' }, now);
    if (wanted === null) return [];
    const { text: statement, values } = statementOf(wanted, null, most, withCanceled ? ON_AND_CANCELED : ON);
    const { rows } = await pool.query<ListingRow & Found>(statement, values);
    return rows;
  });
}

/** Reads what a search says; null when it has words that stand in no event. */
async function understand(
  pool: Pool,
  query: SearchQuery,
  now: Date,
  known?: readonly WordGroup[],
): Promise<Wanted | null> {
  const said = readSearchText(query.q ?? '', now);
  const near = query.near === undefined ? undefined : positionOf(query.near);
  const groups = known ?? (await readWords(pool, wordsToRead(query, said)));
  return groups === null ? null : { query, said, near, groups, now };
}

/** The words of a search. A blank at the end says that the last one is whole. */
export const wordsToRead = ({ q = '' }: SearchQuery, said: SearchText): string =>
  said.words + (/\s$/.test(q) ? ' ' : '');

/** 503 in place of a search that was ended because it took too long. */
export async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (tookTooLong(error)) throw unavailable('search-slow');
    throw error;
  }
}

const withDistance = (event: Event, near: Position | undefined): Event =>
  near
    ? {
        ...event,
        distanceMiles:
          event.place && !event.place.isApproximate ? Math.round(milesBetween(near, event.place) * 10) / 10 : null,
      }
    : event;
