import type { Pool } from 'pg';
import type { ChallengeFact } from './rules.ts';
import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

/**
 * The facts that count for an account in these weeks, for challenges. A fact without a time was withdrawn concurrently.
 */
export async function challengeFacts(pool: Pool, userId: number, weeks: readonly string[]) {
  const { rows } = await sql<Omit<ChallengeFact, 'doneAt'> & { week: string; doneAt: Date | null }>`
    select f.kind, f.week::text, f.day::text, f.place,
      case f.kind when 'photo' then greatest(p.shown_at, e.ends_at) else e.ends_at end as "doneAt",
      exists (select from counted_facts a
        where a.user_id = f.user_id and a.kind = 'attended' and a.subject_id = f.event_id) as "isOfAttended"
    from counted_facts f left join engagement_events e on e.event_id = f.event_id
      left join engagement_photos p on f.kind = 'photo' and p.photo_id = f.subject_id
    where f.user_id = ${userId} and f.week = ${anyOf(weeks)} and f.kind in ('attended', 'photo')`.execute(kysely(pool));
  return rows.flatMap(({ doneAt, ...fact }) => (doneAt ? [{ ...fact, doneAt }] : []));
}
