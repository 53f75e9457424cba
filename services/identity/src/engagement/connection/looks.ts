import { follow, type Follower, type Logged, type Store } from '@beltway/event-store';
import { enqueueKeys } from '@beltway/kit/jobs';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { factChecks, factKey } from '../check-queue.ts';
import { sharedEvent } from './queries.ts';
import type { EngagementEvent } from '../events.ts';
import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

/**
 * Returns the event that a connection counts for, if both accounts requested the connection and attended that event.
 * null: the accounts are not connected.
 */
export async function lookAtConnection(db: Queryable, userId: number, otherId: number) {
  const wants = (one: number, other: number) =>
    sql`exists (select from connection_wishes where user_id = ${one} and other_id = ${other} and wants)`;
  const { rows } = await sql<{ isGone: boolean; eventId: number | null; day: string | null }>`
    select u.id is null as "isGone", s.event_id as "eventId", s.day::text
    from (values (1)) one left join users u on u.id = ${otherId}
    left join lateral (${sharedEvent(userId, sql.ref('u.id'))}) s
      on ${wants(userId, otherId)} and ${wants(otherId, userId)}`.execute(kysely(db));
  const { isGone, eventId, day } = rows[0]!;
  // Only the event's number and day are stored, as for photos.
  const fact = eventId !== null && day !== null ? { eventId, day, category: null, place: null, basis: null } : null;
  return { fact, isGone };
}

const pairKey = factKey(sql.ref('p.a'), 'connection', sql.ref('p.b'));
const pairsOf = (people: number[]) => sql<{ key: string }>`select distinct ${pairKey} from connection_wishes w,
    lateral (values (w.user_id, w.other_id), (w.other_id, w.user_id)) p (a, b)
  where w.user_id = ${anyOf(people)} or w.other_id = ${anyOf(people)}`;

/**
 * Queues checks for both accounts of a changed pair. When an account's attendance changed or the account was erased,
 * queues checks for all its connections.
 */
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
      const [one, other] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
      if (pairs.length > 0)
        await enqueueKeys(
          pool,
          factChecks,
          sql`select distinct ${pairKey} from unnest(${one}::integer[], ${other}::integer[]) p (a, b)`,
        );
      if (people.size > 0) await enqueueKeys(pool, factChecks, pairsOf([...people]));
    },
  });
