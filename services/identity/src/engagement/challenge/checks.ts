import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { weekOf } from '@beltway/contracts/identity/point-rules';
import { dayAt, daysAfter } from '@beltway/contracts/common/times';
import { follow, type Follower, type Logged, type Queries, type Store } from '@beltway/event-store';
import { enqueueKeys, startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { startPolling } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import { challengeChecks } from '../check-queue.ts';
import type { ChallengeEvent } from './events.ts';
import { challengeFacts } from './facts.ts';
import {
  challengeIdOf,
  challengeNumberOf,
  challengesFrom,
  progressIn,
  type ChallengeTerms,
  type EventOn,
} from './rules.ts';
import type { EngagementEvent } from '../events.ts';
import type { Challenges } from './stream.ts';
import type { Engagements } from '../stream.ts';
import { sql, type RawBuilder } from 'kysely';
import { kysely } from '../../db.ts';

export interface ChallengeDeps {
  pool: Pool;
  challenges: Pick<Challenges, 'handle'>;
  engagements: Pick<Engagements, 'handle'>;
  clock: () => Date;
}

/** Poll interval. It is short so that a new installation gets its first challenges soon after its first events. */
const MAKING_MS = 60_000;

/**
 * Creates this week's missing challenges, based on the events that still sell tickets. Several instances may run it
 * concurrently: each challenge is created only once.
 */
export async function makeChallenges({ pool, challenges, clock }: ChallengeDeps): Promise<void> {
  const now = clock();
  const week = weekOf(dayAt(now));
  const { rows } = await sql<EventOn>`select day::text, place from engagement_events
    where status = 'published' and day >= ${week} and day < ${daysAfter(week, 7)} and sells_until > ${now}`.execute(
    kysely(pool),
  );
  for (const terms of challengesFrom(week, rows)) {
    const id = challengeIdOf(terms);
    await challenges.handle(id, { type: 'MakeChallenge', terms }, { commandId: randomUUID() });
  }
}

type Keys = RawBuilder<{ key: string }>;
const weekKey = (userId: number | string, week: string): Keys => sql`select ${`${userId}/${week}`}::text as key`;
// A photo counts if its owner attended the event, and the photo may belong to a different week than the event.
const weeksOfEvent = (userId: string, week: string, eventId: number | null): Keys =>
  sql`${weekKey(userId, week)} union select user_id || '/' || week from counted_facts
    where user_id = ${Number(userId)} and event_id = ${eventId}`;
const everyone = (week: string): Keys =>
  sql`select distinct user_id || '/' || week as key from counted_facts where week = ${week} and kind in ('attended', 'photo')`;
const weeksOfAccount = (userId: number): Keys => sql`select distinct s.user_id || '/' || c.week as key
  from challenge_standings s join challenges c on c.id = s.challenge_id where s.user_id = ${userId}`;
const weeksOfHolders = (
  eventId: number,
): Keys => sql`select distinct f.user_id || '/' || f.week as key from engagement_orders o
  join counted_facts f on f.user_id = o.buyer_id and f.event_id = o.event_id where o.event_id = ${eventId}`;

const checkWeeks = (db: Pick<Queries, 'query'>, keys: Keys) => enqueueKeys(db, challengeChecks, keys);

/** Call it when the hours of an event may have changed: they determine the order in which accounts met a challenge. */
export const lookAtHours = (tx: Queryable, eventId: number) => checkWeeks(tx, weeksOfHolders(eventId));

const TYPES = ['FactCounted', 'FactTakenBack', 'EngagementErased', 'ChallengeMade', 'PlaceGiven', 'PlaceTakenBack'];

/** Queues the challenge checks that an event of the log requires. */
async function ask(db: Pick<Queries, 'query'>, event: Logged): Promise<void> {
  const { id, type, data } = event as Logged & (EngagementEvent | ChallengeEvent);
  switch (type) {
    case 'FactCounted':
    case 'FactTakenBack':
      if (data.kind !== 'attended' && data.kind !== 'photo') return;
      await checkWeeks(db, weeksOfEvent(id, weekOf(data.day), data.eventId));
      break;
    case 'EngagementErased':
      await checkWeeks(db, weeksOfAccount(Number(id)));
      break;
    case 'ChallengeMade':
      await checkWeeks(db, everyone(data.week));
      break;
    case 'PlaceGiven':
    case 'PlaceTakenBack':
      await checkWeeks(db, weekKey(data.userId, id.slice(0, 10)));
      break;
  }
}

/** Queues challenge checks for the log's events. Handling an event twice only costs an extra check. */
export const followChallenges = (store: Store, asked: () => void = () => undefined): Follower =>
  follow(store, {
    name: 'challenges',
    types: TYPES,
    handle: async (events, db) => {
      for (const event of events) await ask(db, event);
    },
    handled: asked,
  });

/** Records an account's progress in this challenge, then whether the account earns the reward. */
async function look(
  { pool, challenges, engagements }: ChallengeDeps,
  userId: number,
  terms: ChallengeTerms & { isMet: boolean; isRewarded: boolean },
  done: { at: string; day: string } | null,
): Promise<void> {
  const context = () => ({ commandId: randomUUID(), userId });
  const id = challengeIdOf(terms);
  let isTheirs = done !== null;
  if (terms.places !== null) {
    if (!done && !terms.isMet && !terms.isRewarded) return;
    await challenges.handle(id, { type: 'StateMet', userId, at: done?.at ?? null }, context());
    const standing = await kysely(pool)
      .selectFrom('challengeStandings')
      .select('hasPlace')
      .where('challengeId', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst();
    isTheirs = standing?.hasPlace ?? false;
  }
  if (!isTheirs && !terms.isRewarded) return;
  const reward = isTheirs && done ? { day: done.day, points: terms.reward } : null;
  await engagements.handle(
    String(userId),
    { type: 'StateReward', challenge: challengeNumberOf(terms), reward },
    context(),
  );
}

export const startChallengeChecks = (log: Logger, deps: ChallengeDeps): Worker =>
  startQueue({ pool: deps.pool, log }, challengeChecks, async ({ key }) => {
    const { pool } = deps;
    const [userId, week] = [Number(key.split('/')[0]), key.split('/')[1]!];
    const { rows } = await sql<ChallengeTerms & { isMet: boolean; isRewarded: boolean }>`
      select week::text, type, place, reward, max_progress as "maxProgress", places,
        exists (select from challenge_standings s where s.challenge_id = c.id and s.user_id = ${userId}) as "isMet",
        exists (select from counted_facts f
          where f.user_id = ${userId} and f.kind = 'challenge' and f.subject_id = c.number) as "isRewarded"
      from challenges c where week = ${week}`.execute(kysely(pool));
    const facts = rows.length > 0 ? await challengeFacts(pool, userId, [week]) : [];
    for (const terms of rows) await look(deps, userId, terms, progressIn(terms, facts).done);
  });

/**
 * Creates each week's challenges and checks which accounts have met them. Several instances may run it concurrently.
 */
export function startChallenges(store: Store, log: Logger, deps: ChallengeDeps): { stop(): Promise<void> }[] {
  const making = startPolling(log, 'challenges of the week', MAKING_MS, async () => {
    await makeChallenges(deps);
    return false;
  });
  making.wake(); // a week may have begun while nothing ran
  const checking = startChallengeChecks(log, deps);
  return [making, followChallenges(store, () => checking.wake()), checking];
}
