import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { PHOTOS_OF_EVENT } from '@beltway/contracts/identity/point-rules';
import { dayAt } from '@beltway/contracts/common/times';
import { follow, type Follower, type Store } from '@beltway/event-store';
import { startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { factCheckOf, factChecks, type FactCheck } from './check-queue.ts';
import { lookAtConnection } from './connection/looks.ts';
import { forgetPerson } from './copies.ts';
import { isOwn } from './own-events.ts';
import type { EngagementCommand } from './events.ts';
import type { Engagements } from './stream.ts';
import { sql, type Expression } from 'kysely';
import { kysely } from '../db.ts';
type Statement = Extract<EngagementCommand, { type: 'StateFact' }>;

interface CheckDeps {
  pool: Pool;
  engagements: Pick<Engagements, 'handle'>;
  clock: () => Date;
}

/** SQL: the orders that give a buyer a valid ticket for an event. */
export const holds = (buyerId: number, eventId: Expression<unknown>) =>
  sql`select from engagement_orders o where o.event_id = ${eventId} and o.buyer_id = ${buyerId}
    and not o.is_returned and not o.is_void and o.bought > o.returned`;

interface Look {
  fact: Statement['fact'];
  /** When to check again. Set if the result can change without a message. */
  again?: Date;
  /** For a connection: whether the other account was erased. */
  isGone?: boolean;
}

/** Checks whether the fact is true now. */
async function lookInto({ pool, clock }: CheckDeps, { userId, kind, subjectId }: FactCheck): Promise<Look> {
  if (kind === 'connection') return lookAtConnection(pool, userId, subjectId);
  const notOwn = sql`not ${isOwn(sql`${userId}::integer`, sql.ref('e.organizer_id'))}`;
  if (kind === 'photo') {
    const { rows } = await sql<{ eventId: number; shownAt: Date }>`
      select p.event_id as "eventId", p.shown_at as "shownAt"
      from engagement_photos p left join engagement_events e using (event_id)
      where photo_id = ${subjectId} and uploader_id = ${userId} and is_shown and p.event_id is not null and ${notOwn}
        and (select count(*) from (
          select from engagement_photos b where b.event_id = p.event_id and b.uploader_id = ${userId} and b.is_shown
            and (b.shown_at, b.photo_id) < (p.shown_at, p.photo_id)
          limit ${PHOTOS_OF_EVENT}) earlier) < ${PHOTOS_OF_EVENT}`.execute(kysely(pool));
    const [photo] = rows;
    if (!photo) return { fact: null };
    const { shownAt, eventId } = photo;
    // Stores only the event's number, because media's message about the photo may arrive before catalog's message about
    // the event.
    return { fact: { eventId, day: dayAt(shownAt), category: null, place: null, basis: null } };
  }
  const { rows } = await sql<{
    endsAt: Date;
    day: string;
    category: string | null;
    place: string | null;
    holds: boolean;
  }>`select ends_at as "endsAt", day::text, category, place,
      status = 'published' and exists (${holds(userId, sql.ref('e.event_id'))}) and ${notOwn} as holds
    from engagement_events e where event_id = ${subjectId}`.execute(kysely(pool));
  const [event] = rows;
  if (!event?.holds) return { fact: null };
  const { day, category, place, endsAt } = event;
  if (endsAt > clock()) return { fact: null, again: endsAt };
  return { fact: { eventId: subjectId, day, category, place, basis: 'ticket-held' } satisfies Statement['fact'] };
}

/** Records whether the fact is true. Returns the time of the next check if the result can change without a message. */
async function check(deps: CheckDeps, fact: FactCheck): Promise<Date | undefined> {
  const { pool, engagements } = deps;
  const { userId, kind, subjectId } = fact;
  const isThere = await kysely(pool).selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst();
  if (!isThere) return void (await forgetPerson(pool, userId));
  const { fact: stated, again, isGone } = await lookInto(deps, fact);
  await engagements.handle(
    String(userId),
    { type: 'StateFact', kind, subjectId, fact: stated },
    { commandId: randomUUID(), userId },
  );
  if (isGone)
    await engagements.handle(
      String(userId),
      { type: 'ForgetConnection', otherId: subjectId },
      { commandId: randomUUID(), userId },
    );
  return again;
}

/** Checks facts after messages, and checks attendance when the event is over. */
export const startChecks = (log: Logger, deps: CheckDeps): Worker =>
  startQueue({ pool: deps.pool, log }, factChecks, async ({ key }) => {
    const again = await check(deps, factCheckOf(key));
    return again && { againAfter: (again.getTime() - deps.clock().getTime()) / 1_000 };
  });

/** Deletes all counted facts of an erased account. Commands and statements are idempotent. */
export const followErasures = (store: Store, { pool, engagements }: Omit<CheckDeps, 'clock'>): Follower =>
  follow(store, {
    name: 'engagement-erasures',
    types: ['UserErased'],
    handle: async (events) => {
      for (const { id } of events) {
        await engagements.handle(id, { type: 'EraseEngagement' }, { commandId: `erase-engagement\0${id}` });
        await forgetPerson(pool, Number(id));
      }
    },
  });
