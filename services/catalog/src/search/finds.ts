import { readSearchText } from '@beltway/contracts/catalog/search-text';
import type { SearchQuery } from '@beltway/contracts/catalog/search';
import { HttpProblem } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import type { Position } from '@beltway/places/distance';
import { conditionsOf, positionOf, wordsToRead, type Values, type Wanted } from './search.ts';
import { readWordsBy, type LookUps } from './vocabulary.ts';

/**
 * Collects the values of conditions as columns of a row `w`, so that searches of the same shape differ only in these
 * columns.
 */
class Columns implements Values {
  readonly values: unknown[] = [];
  readonly types: string[] = [];
  add(value: unknown, type: string): string {
    this.types.push(type);
    return `w.v${this.values.push(value)}`;
  }
}

/** Searches with identical conditions, and the values of each search. */
interface Shape {
  conditions: string[];
  types: string[];
  searches: Array<{ at: number; values: unknown[] }>;
}

function shapesOf(wanted: ReadonlyArray<{ at: number; search: Wanted }>): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const { at, search } of wanted) {
    const columns = new Columns();
    const conditions = conditionsOf(search, columns);
    const key = conditions.join(' and ');
    const shape = shapes.get(key) ?? { conditions, types: columns.types, searches: [] };
    shape.searches.push({ at, values: columns.values });
    shapes.set(key, shape);
  }
  return [...shapes.values()];
}

/** The searches of this list that find the event. Runs one statement per shape. */
async function found(
  db: Queryable,
  eventId: number,
  wanted: ReadonlyArray<{ at: number; search: Wanted }>,
): Promise<Set<number>> {
  const all = new Set<number>();
  for (const { conditions, types, searches } of shapesOf(wanted)) {
    const lists = ['int', ...types].map((type, at) => `$${at + 2}::${type}[]`);
    const names = ['at', ...types.map((_, at) => `v${at + 1}`)];
    const { rows } = await db.query<{ at: number }>(
      `select w.at from unnest(${lists.join(', ')}) w (${names.join(', ')}), event_search e
       where e.event_id = $1 and ${conditions.join(' and ')}`,
      [eventId, searches.map(({ at }) => at), ...types.map((_, at) => searches.map(({ values }) => values[at]))],
    );
    for (const { at } of rows) all.add(at);
  }
  return all;
}

/**
 * The position of a place; undefined if the gazetteer does not have the place, or no longer has it. A search near such
 * a place cannot be saved, and finds nothing.
 */
export function positionIfKnown(near: string): Position | undefined {
  try {
    return positionOf(near);
  } catch (error) {
    if (error instanceof HttpProblem) return undefined;
    throw error;
  }
}

/** Lookups that many searches share. */
export interface Understanding {
  lookUps: LookUps;
  positions: Map<string, Position | undefined>;
}

/**
 * The searches of the list that find an event, as indexes into the list. Uses the same conditions as a search
 * (`conditionsOf`). Because looking up words is the expensive part, it comes last, and only for searches that meet all
 * other conditions.
 */
export async function whichFind(
  db: Queryable,
  eventId: number,
  queries: readonly SearchQuery[],
  { now, lookUps, positions }: Understanding & { now: Date },
): Promise<Set<number>> {
  const nearOf = (place: string) => {
    if (!positions.has(place)) positions.set(place, positionIfKnown(place));
    return positions.get(place);
  };
  const wanted = queries.flatMap((query, at) => {
    const near = query.near === undefined ? undefined : nearOf(query.near);
    if (query.near !== undefined && near === undefined) return [];
    const said = readSearchText(query.q ?? '', now);
    return [{ at, search: { query, said, near, groups: [], now } satisfies Wanted }];
  });
  const passed = await found(db, eventId, wanted);
  const withWords = await Promise.all(
    wanted
      .filter(({ at }) => passed.has(at))
      .map(async ({ at, search }) => ({
        at,
        search,
        groups: await readWordsBy(lookUps, wordsToRead(search.query, search.said)),
      })),
  );
  const isWordless = (groups: unknown[] | null) => groups?.length === 0;
  const finding = await found(
    db,
    eventId,
    withWords.flatMap(({ at, search, groups }) =>
      groups === null || isWordless(groups) ? [] : [{ at, search: { ...search, groups } }],
    ),
  );
  for (const { at, groups } of withWords) if (isWordless(groups)) finding.add(at);
  return finding;
}
