import type { CommentsCountedV1 } from '@beltway/contracts/realtime/comments';
import { EventCounts } from '@beltway/contracts/identity/engagement';
import { insertIf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { eventCounts } from '../generated/tables.ts';
import type { Queryable } from '@beltway/kit/postgres';

export type Count = keyof EventCounts;
export const COUNTS = Object.keys(EventCounts.shape) as Count[];
const NOTHING_COUNTED: EventCounts = { likes: 0, comments: 0, interested: 0, going: 0, shares: 0, views: 0 };

/** What is read of the counts `c` of an event, which has no row before anybody did anything. */
export const SHOWN_COUNTS = COUNTS.map((count) => `coalesce(c.${count}, 0) as ${count}`).join(', ');

/** How much one count of an event changes. */
export interface CountChange {
  eventId: number;
  count: Count;
  by: number;
}
export type Counted = EventCounts & { eventId: number };

/** Text: each batch of reactions and views writes it. */
const ADD = `insert into event_counts as c (event_id, ${COUNTS.join(', ')})
  select * from unnest($1::int[], ${COUNTS.map((_, at) => `$${at + 2}::int[]`).join(', ')}) as n (event_id) order by event_id
  on conflict (event_id) do update set ${COUNTS.map((count) => `${count} = c.${count} + excluded.${count}`).join(', ')}
  returning ${eventCounts.select(['eventId', ...COUNTS], 'c')}`;

/**
 * Adds to the counts of events, in the transaction of what is counted; answers those of each event it changed. Every writer goes by here:
 * the rows of events are locked in the order of their numbers, so that no two writers wait for each other.
 */
export async function addToCounts(db: Queryable, changes: readonly CountChange[]): Promise<Counted[]> {
  const sums = new Map<number, EventCounts>();
  for (const { eventId, count, by } of changes) {
    const sum = sums.get(eventId) ?? { ...NOTHING_COUNTED };
    sum[count] += by;
    sums.set(eventId, sum);
  }
  const changed = [...sums].filter(([, sum]) => COUNTS.some((count) => sum[count] !== 0));
  if (changed.length === 0) return [];
  const { rows } = await db.query<Counted>({
    name: 'add-to-counts',
    text: ADD,
    values: [changed.map(([eventId]) => eventId), ...COUNTS.map((count) => changed.map(([, sum]) => sum[count]))],
  });
  return rows;
}

/** Keeps how many comments an event has, unless a newer number is known. */
export const keepComments = (db: Queryable, { eventId, comments, version }: CommentsCountedV1['data']) =>
  insertIf(
    kysely(db),
    'eventCounts',
    eventCounts,
    { eventId, comments, commentsVersion: version },
    sql<boolean>`exists (select from listings where event_id = ${eventId})`,
  )
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet({ comments, commentsVersion: version })
        .where('eventCounts.commentsVersion', '<', version),
    )
    .execute();

/** Views of the pages of events that sell tickets, of one owner's or of all. */
export async function viewsOfSales(db: Queryable, ownerId: number | null): Promise<number> {
  const { views } = await kysely(db)
    .selectFrom('listings as l')
    .innerJoin('eventCounts as c', 'c.eventId', 'l.eventId')
    .select((eb) => eb.fn.sum('c.views').as('views'))
    .where('l.hasTickets', '=', true)
    .$if(ownerId !== null, (query) => query.where('l.organizerId', '=', ownerId))
    .executeTakeFirstOrThrow();
  return Number(views ?? 0);
}
