import type { EventCancelledV1, EventState } from '@beltway/contracts/catalog/events';
import { endOf, startOf } from '@beltway/contracts/common/times';
import type { Queryable } from '@beltway/kit/postgres';

export interface PromotableEvent {
  ownerId: number;
  title: string;
  status: 'published' | 'postponed' | 'cancelled';
  /** Null: of an event that nothing was heard of for long. */
  startsAt: Date | null;
  endsAt: Date;
}

/** Keeps the catalog's state of an event unless a newer one is stored. */
export const keepEvent = (db: Queryable, state: EventState) =>
  db.query(
    `insert into promotable_events as e (event_id, owner_id, title, status, starts_at, ends_at, version)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (event_id) do update set owner_id = excluded.owner_id, title = excluded.title, status = excluded.status,
       starts_at = excluded.starts_at, ends_at = excluded.ends_at, version = excluded.version
     where excluded.version >= e.version and e.status <> 'cancelled'`,
    [
      state.eventId,
      state.ownerId,
      state.title,
      state.isPostponed ? 'postponed' : 'published',
      startOf(state),
      endOf(state),
      state.version,
    ],
  );

/** What is cancelled stays so. It may be heard of before the event itself. */
export const keepCancelled = (db: Queryable, { eventId, ownerId, version }: EventCancelledV1['data']) =>
  db.query(
    `insert into promotable_events (event_id, owner_id, title, status, ends_at, version) values ($1, $2, '', 'cancelled', now(), $3)
     on conflict (event_id) do update set status = 'cancelled'`,
    [eventId, ownerId, version],
  );

export async function eventById(db: Queryable, eventId: number): Promise<PromotableEvent | undefined> {
  const { rows } = await db.query<PromotableEvent>(
    `select owner_id as "ownerId", title, status, starts_at as "startsAt", ends_at as "endsAt"
     from promotable_events where event_id = $1`,
    [eventId],
  );
  return rows[0];
}

/** The highest id of an event that is known here; 0 when none is. */
export async function newestEvent(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ id: number | null }>('select max(event_id) as id from promotable_events');
  return rows[0]?.id ?? 0;
}
