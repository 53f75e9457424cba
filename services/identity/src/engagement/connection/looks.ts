import { follow, type Follower, type Logged, type Store } from '@beltway/event-store';
import { enqueueKeys } from '@beltway/kit/jobs';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { factChecks, factKey } from '../check-queue.ts';
import { SHARED_EVENT } from './queries.ts';
import type { EngagementEvent } from '../events.ts';

const STANDS = `select u.id is null as "isGone", s.event_id as "eventId", s.day::text
  from (values (1)) one left join users u on u.id = $2
  left join lateral (${SHARED_EVENT('$1', 'u.id')}) s
    on exists (select from connection_wishes where user_id = $1 and other_id = $2 and wants)
    and exists (select from connection_wishes where user_id = $2 and other_id = $1 and wants)`;

/** The event that a connection counts for, as both say it now and attended; null: they are not connected. */
export async function lookAtConnection(db: Queryable, userId: number, otherId: number) {
  const { rows } = await db.query<{ isGone: boolean; eventId: number | null; day: string | null }>(STANDS, [
    userId,
    otherId,
  ]);
  const { isGone, eventId, day } = rows[0]!;
  // As of a photo: of the event nothing counts but its number and its day.
  const fact = eventId !== null && day !== null ? { eventId, day, category: null, place: null, basis: null } : null;
  return { fact, isGone };
}

const PAIRS = `select distinct ${factKey('p.a', 'connection', 'p.b')} from unnest($1::integer[], $2::integer[]) p (a, b)`;
const PAIRS_OF = `select distinct ${factKey('p.a', 'connection', 'p.b')} from connection_wishes w,
    lateral (values (w.user_id, w.other_id), (w.other_id, w.user_id)) p (a, b)
  where w.user_id = any($1) or w.other_id = any($1)`;

/** Asks for a look at both halves of what was said, and at all connections of whose attendance changed or who is no more. */
export const followConnections = (store: Store, pool: Pool): Follower =>
  follow(store, {
    name: 'connection-looks',
    types: ['ConnectionSaid', 'FactCounted', 'FactTakenBack', 'EngagementErased'],
    handle: async (events) => {
      const pairs: Array<[number, number]> = [];
      const people = new Set<number>();
      for (const event of events) {
        const { id, type, data } = event as Logged & EngagementEvent;
        const userId = Number(id);
        if (type === 'ConnectionSaid') pairs.push([userId, data.otherId], [data.otherId, userId]);
        else if (type === 'EngagementErased') people.add(userId);
        else if ((type === 'FactCounted' || type === 'FactTakenBack') && data.kind === 'attended') people.add(userId);
      }
      const both = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
      if (pairs.length > 0) await enqueueKeys(pool, factChecks, PAIRS, both);
      if (people.size > 0) await enqueueKeys(pool, factChecks, PAIRS_OF, [[...people]]);
    },
  });
