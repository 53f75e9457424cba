import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { follow, type Follower, type Logged, type Store } from '@beltway/event-store';
import type { EngagementEvent } from '../events.ts';
import { isOwn } from '../own-events.ts';
import type { Engagements } from '../stream.ts';
import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

interface RewardDeps {
  pool: Pool;
  engagements: Pick<Engagements, 'handle'>;
}

/**
 * Sends the day of a referred account's first attendance to the referrer's stream, whenever that day may have changed.
 * Idempotent, because the command contains the current value.
 */
export const followAttendance = (store: Store, { pool, engagements }: RewardDeps): Follower =>
  follow(store, {
    name: 'referral-rewards',
    types: ['FactCounted', 'FactTakenBack'],
    handle: async (events) => {
      const attended = events.filter(
        (event) => (event as Logged & EngagementEvent & FactEvent).data.kind === 'attended',
      );
      const people = [...new Set(attended.map(({ id }) => Number(id)))];
      if (people.length === 0) return;
      // Events that the account attended as a guest before registration do not count. Neither do the referrer's events.
      // Erased accounts keep the day recorded before.
      const { rows } = await sql<{ referrerId: number; referredId: number; day: string | null }>`
        select r.referrer_id as "referrerId", r.referred_id as "referredId", (
          select min(f.day)::text from counted_facts f where f.user_id = r.referred_id and f.kind = 'attended'
            and f.day >= (r.joined_at at time zone 'America/New_York')::date
            and not exists (select from engagement_events e
              where e.event_id = f.event_id and ${isOwn(sql.ref('r.referrer_id'), sql.ref('e.organizer_id'))})
        ) as day from referrals r where r.referred_id = ${anyOf(people)} and r.left_at is null`.execute(kysely(pool));
      for (const { referrerId, referredId, day } of rows)
        await engagements.handle(
          String(referrerId),
          { type: 'StateReferral', referredId, day },
          { commandId: randomUUID(), userId: referrerId },
        );
    },
  });
type FactEvent = Extract<EngagementEvent, { type: 'FactCounted' | 'FactTakenBack' }>;
