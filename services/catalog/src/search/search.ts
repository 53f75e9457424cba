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
/**
 * The longest duration of a one-day event. If an event began longer ago, it has ended. If an event's end and start are
 * at the same hour, it ends on the next day, and a day may have 25 hours.
 */
const LONGEST_HOURS = 26;
/** The longest time range that counts as short: four days, of which one may have 25 hours. */
const SHORT_HOURS = 4 * 24 + 1;

/** Collects values that conditions compare with. `add` returns the placeholder for the statement. */
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
  /** An expression on the row `e`. */
  sql: string;
  type: string;
  descending?: true;
}
const STARTS: Key = { sql: 'e.starts_at', type: 'timestamptz' };
const ID: Key = { sql: 'e.event_id', type: 'int' };

/** A condition for the rows that come after the row with these keys, sorted by the keys. */
function isAfter(keys: readonly Key[], after: ReadonlyArray<string | number>, values: Values): string {
  const [key, ...rest] = keys;
  const value = values.add(after[0], key!.type);
  const beyond = key!.descending ? '<' : '>';
  if (rest.length === 0) return `${key!.sql} ${beyond} ${value}`;
  // The first comparison lets an index scan start here.
  return `${key!.sql} ${beyond}= ${value} and (${key!.sql} ${beyond} ${value} or (${isAfter(rest, after.slice(1), values)}))`;
}

const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const anyOf = (terms: readonly string[]): string => `(${terms.join('|')})`;

/** 1: in the title; 2: in title or tags; 3: in title, tags or place; 4: in any field. */
type Field = 1 | 2 | 3 | 4;

/**
 * A `tsquery` text that matches documents with each word in this field. `begun`: also matches completions of an
 * incomplete word.
 */
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
 * The kinds of matches, best first: whole words in the title, in the tags, in the place, then beginnings of words in
 * the same order, and finally any match in the description. Each kind excludes all previous kinds. `any` matches all
 * kinds.
 */
function matchesOf(groups: readonly WordGroup[]): { kinds: string[]; any: string } {
  const whole = ([1, 2, 3] as const).map((field) => wordsMatch(groups, field, false)).filter((match) => match !== null);
  const begun = ([1, 2, 3, 4] as const)
    .map((field) => wordsMatch(groups, field, true))
    .filter((match) => match !== null);
  const without = (match: string, ...others: Array<string | undefined>) =>
    [match, ...others.filter((other) => other !== undefined).map((other) => `!(${other})`)].join('&');
  return {
    // In each list, every kind includes the previous kind, so it is enough to exclude the previous kind.
    kinds: [
      ...whole.map((match, at) => without(match, whole[at - 1])),
      ...begun
        .filter((match) => !whole.includes(match))
        .map((match, at, all) => without(match, whole.at(-1), all[at - 1])),
    ],
    any: begun.at(-1)!,
  };
}

/**
 * Parses a position such as `38.9,-77.0`, or returns the position of a place in the gazetteer. Throws 400 at `near` for
 * any other text.
 */
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

/** A parsed search: its parameters, and the meaning of its words. */
export interface Wanted {
  query: SearchQuery;
  said: SearchText;
  near: Position | undefined;
  groups: readonly WordGroup[];
  now: Date;
}

const inOrder = (...dates: Array<Date | undefined>) =>
  dates.filter((date) => date !== undefined).toSorted((one, other) => one.getTime() - other.getTime());

/** The marks that a document must contain, regardless of words. */
function marksOf({ query, said }: Wanted): string[] {
  return [
    ...(query.tags ?? []).map((tag) => quoted(mark.tag(tag))),
    ...(query.category?.length ? [anyOf(query.category.map((name) => quoted(mark.category(name))))] : []),
    ...(query.free || said.free ? [quoted(mark.free)] : []),
  ];
}

/**
 * The `tsquery` texts that a document must match: one text for each kind of match or, with `inOne`, a single text for
 * all kinds.
 */
function documentsOf(wanted: Wanted, inOne: boolean): string[] {
  const marks = marksOf(wanted);
  const matches = wanted.groups.length > 0 ? matchesOf(wanted.groups) : { kinds: [''], any: '' };
  return (inOne ? [matches.any] : matches.kinds).map((match) => [...marks, match].filter(Boolean).join('&'));
}

const documentMatches = (document: string, values: Values): string[] =>
  document === '' ? [] : [`e.document @@ ${values.add(document, 'tsquery')}`];

/** All conditions that a row `e` of `event_search` must meet to be found. */
export const conditionsOf = (wanted: Wanted, values: Values): string[] => [
  `(${timesOf(wanted, values)
    .map((conditions) => `(${conditions.join(' and ')})`)
    .join(' or ')})`,
  ...filtersOf(wanted, values),
  ...documentsOf(wanted, true).flatMap((document) => documentMatches(document, values)),
];

/** Whether the event has no exact position for a map. */
const APPROXIMATE = 'exists (select from listings a where a.event_id = e.event_id and a.place_is_approximate)';

/** The time range of the search, from its parameters and words. */
const windowOf = (query: SearchQuery, said: SearchText): { from: Date | undefined; to: Date | undefined } => ({
  from: inOrder(query.from, said.range?.from).at(-1),
  to: inOrder(query.to, said.range?.to)[0],
});

/**
 * Whether the time range of the search is at most four days, such as ‘tonight’. The index of starts then leaves few
 * rows.
 */
function isShort({ query, said, now }: Wanted): boolean {
  const { from, to } = windowOf(query, said);
  const since = from?.getTime() ?? now.getTime() - LONGEST_HOURS * HOUR_MS;
  return to !== undefined && to.getTime() - since <= SHORT_HOURS * HOUR_MS;
}

/**
 * The conditions of two alternatives that exclude each other. First, an event that begins in the searched time range.
 * Second, an event of several days that began earlier and still takes place in the range. Events of the second kind are
 * few and have their own index, so that the first alternative can use the index of starts.
 */
function timesOf({ query, said, now }: Wanted, values: Values): [begins: string[], runs: string[]] {
  const { from, to } = windowOf(query, said);
  const isOfThePast = query.from !== undefined && query.from < instantOf(dayAt(now));
  const time = (date: Date) => values.add(date, 'timestamptz');
  const since = new Date(now.getTime() - LONGEST_HOURS * HOUR_MS);
  const starts = [
    ...(isOfThePast ? [] : [`e.starts_at > ${time(since)}`]),
    ...(from ? [`e.starts_at >= ${time(from)}`] : []),
  ];
  const both = to ? [`e.starts_at < ${time(to)}`] : [];
  const endsAfter = isOfThePast ? from! : inOrder(from, now).at(-1)!;
  return [
    [...(isOfThePast ? [] : [`e.ends_at > ${time(now)}`]), ...starts, ...both],
    ['e.several_days', `e.ends_at > ${time(endsAfter)}`, `not (${starts.join(' and ')})`, ...both],
  ];
}

/** The conditions that neither the index of documents nor the index of starts can check. */
function filtersOf({ query, near, said, now }: Wanted, values: Values): string[] {
  const time = (date: Date) => values.add(date, 'timestamptz');
  const filters: string[] = [];
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

/** The sort keys. The event's id comes last, so that no two rows are equal. */
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
 * The statement for a page of results and one more event. Without a sort the best matches come first. Each kind of
 * match is a separate part, sorted by start. A part is only read if the previous parts do not fill the page.
 */
export function statementOf(
  wanted: Wanted,
  after: Found | null,
  most: number,
  tables = ON,
): { text: string; values: unknown[] } {
  const values = new Parameters();
  const documents = documentsOf(wanted, wanted.query.sort !== undefined);
  const [begins, runs] = timesOf(wanted, values);
  const filters = filtersOf(wanted, values);
  const keys = keysOf(wanted, values);
  const limit = values.add(most, 'int');
  const order = (of: (sql: string, at: number) => string) =>
    keys.map(({ sql, descending }, at) => `${of(sql, at)}${descending ? ' desc' : ''}`).join(', ');

  // The rows are few, so they are read once for all kinds of matches. Planning one query per kind took longer than
  // reading them.
  const short = isShort(wanted);
  const any = short ? documentsOf(wanted, true).flatMap((document) => documentMatches(document, values)) : [];
  const alternatives = short
    ? [
        [...begins, ...any],
        [...runs, ...any],
      ]
    : [runs];
  const few = tables.map(
    (table) =>
      `few_${table} as materialized (${alternatives
        .map((conditions) => `select e.* from ${table} e where ${[...conditions, ...filters].join(' and ')}`)
        .join(' union all ')})`,
  );

  const branches = documents.flatMap((document, part) => {
    if (after && part < after.part) return [];
    const matching = [
      ...documentMatches(document, values),
      ...(after?.part === part ? [isAfter(keys, after.keys, values)] : []),
    ];
    const shown = `e.event_id, ${part} as part, ${keys.map(({ sql }, at) => `${sql} as key${at}`).join(', ')}`;
    const select = (from: string, conditions: readonly string[]) =>
      `(select ${shown} from ${from} e where ${conditions.join(' and ')} order by ${order((sql) => sql)} limit ${limit})`;
    return tables.map((table) => {
      const ofFew = select(`few_${table}`, ['true', ...matching]);
      if (short) return ofFew;
      return `(select * from (${select(table, [...begins, ...filters, ...matching])} union all ${ofFew}) either
        order by ${order((_sql, at) => `key${at}`)} limit ${limit})`;
    });
  });
  const shownOrder = (of: string) => `${of}part, ${order((_sql, at) => `${of}key${at}`)}`;
  // With one table the parts are already in order, and PostgreSQL stops reading when the page is full.
  const first = tables.length > 1 ? ` order by ${shownOrder('')}` : '';
  const text = `with ${few.join(', ')}
    select ${SHOWN}, found.part, jsonb_build_array(${keys.map((_, at) => `found.key${at}`).join(', ')}) as keys
    from (select * from (${branches.join(' union all ')}) parts${first} limit ${limit}) found
      join listings l using (event_id) ${JOINED}
    order by ${shownOrder('found.')}`;
  return { text, values: values.all };
}

/** A digest of a search, without its cursor and limit. */
function digestOf({ cursor: _cursor, limit: _limit, ...query }: SearchQuery): string {
  const named = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url').slice(0, 16);
}

export interface SearchDeps {
  /** A separate pool, so that slow searches block nothing else. */
  pool: Pool;
  /** Signs cursors; all instances must use the same secret. */
  secret: Secrets;
}

/**
 * A page of results: events that a search finds (services/catalog/PRODUCT.md#search). Ended events are left out, unless
 * `from` names an earlier day. 400 for an unknown place or an invalid cursor; 503 if the search takes too long.
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
  /** Maximum number of events. */
  most: number;
  /** Includes canceled events. */
  withCanceled: boolean;
}

/**
 * The first events that a search finds. If the search has no sort, the soonest events come first. Throws the same
 * errors as `search`.
 */
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

/** Parses a search; null if one of its words occurs in no event. */
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

/** The words of a search. A blank at the end marks the last word as complete. */
export const wordsToRead = ({ q = '' }: SearchQuery, said: SearchText): string =>
  said.words + (/\s$/.test(q) ? ' ' : '');

/** Runs a search; throws 503 if the database stopped it because it took too long. */
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
