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

/** The selected columns of an event's counts `c`; 0 if the event has no row, because no reaction was counted yet. */
export const SHOWN_COUNTS = COUNTS.map((count) => `coalesce(c.${count}, 0) as ${count}`).join(', ');

export interface CountChange {
  eventId: number;
  count: Count;
  by: number;
}
export type Counted = EventCounts & { eventId: number };

/** Plain SQL, because every batch of reactions and views runs it. */
const ADD = `insert into event_counts as c (event_id, ${COUNTS.join(', ')})
  select * from unnest($1::int[], ${COUNTS.map((_, at) => `$${at + 2}::int[]`).join(', ')}) as n (event_id) order by event_id
  on conflict (event_id) do update set ${COUNTS.map((count) => `${count} = c.${count} + excluded.${count}`).join(', ')}
  returning ${eventCounts.select(['eventId', ...COUNTS], 'c')}`;

/**
 * Adds to the counts of events and returns the new counts of each changed event. Call it in the transaction that writes
 * the counted reactions or views. All writers use this function: it locks rows sorted by event id, so writers cannot
 * deadlock.
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

/** Stores the number of an event's comments, unless the stored number has a newer version. */
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

/** The number of page views of events that sell tickets. `ownerId` null: counts the events of all organizers. */
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
