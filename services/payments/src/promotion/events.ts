import type { EventCanceledV1, EventState } from '@beltway/contracts/catalog/events';
import { endOf, startOf } from '@beltway/contracts/common/times';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

export interface PromotableEvent {
  ownerId: number;
  title: string;
  status: 'published' | 'postponed' | 'suspended' | 'canceled';
  /** null for an event stored before this column existed. */
  startsAt: Date | null;
  endsAt: Date;
}

/** Saves the catalog's state of an event, unless a newer state is stored. */
export const keepEvent = (db: Queryable, state: EventState) =>
  kysely(db)
    .insertInto('promotableEvents')
    .values({
      eventId: state.eventId,
      ownerId: state.ownerId,
      title: state.title,
      status: state.isSuspended ? 'suspended' : state.isPostponed ? 'postponed' : 'published',
      startsAt: startOf(state),
      endsAt: endOf(state),
      version: state.version,
    })
    .onConflict((conflict) =>
      conflict
        .column('eventId')
        .doUpdateSet((eb) => excluded(eb, ['ownerId', 'title', 'status', 'startsAt', 'endsAt', 'version']))
        .whereRef('excluded.version', '>=', 'promotableEvents.version')
        .where('promotableEvents.status', '<>', 'canceled'),
    )
    .execute();

/** A canceled event stays canceled. The cancellation may arrive before the event itself. */
export const keepCanceled = (db: Queryable, { eventId, ownerId, version }: EventCanceledV1['data']) =>
  kysely(db)
    .insertInto('promotableEvents')
    .values({ eventId, ownerId, title: '', status: 'canceled', endsAt: sql`now()`, version })
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet({ status: 'canceled' }))
    .execute();

export const eventById = (db: Queryable, eventId: number): Promise<PromotableEvent | undefined> =>
  kysely(db)
    .selectFrom('promotableEvents')
    .select(['ownerId', 'title', 'status', 'startsAt', 'endsAt'])
    .where('eventId', '=', eventId)
    .$castTo<PromotableEvent>()
    .executeTakeFirst();

/** The highest known event id; 0 when there is none. */
export async function newestEvent(db: Queryable): Promise<number> {
  const { id } = await kysely(db)
    .selectFrom('promotableEvents')
    .select((eb) => eb.fn.max('eventId').as('id'))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}
