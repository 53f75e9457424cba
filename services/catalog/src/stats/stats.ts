import { Router } from 'express';
import { ActiveAccounts, type HomeStats } from '@beltway/contracts/catalog/stats';
import { dayAt, instantOf } from '@beltway/contracts/common/times';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { anyOf, countRows } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** Counted anew after so long: the new venues are counted over all events. */
const FRESH_MS = 30_000;
const NEW_DAYS = 30;
const MONTH_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export interface StatsDeps {
  pool: Queryable;
  /** Knows the accounts. */
  identity: Pick<InternalClient, 'get'>;
  log: Logger;
  clock: () => Date;
}

/** A bare date was once kept as midnight UTC (`dayOf` of contracts/times): both spellings of today count. */
async function countEvents(pool: Queryable, now: Date): Promise<Omit<HomeStats, 'activeUsers'>> {
  const today = dayAt(now);
  const lastDay = new Date(Date.parse(`${today}T00:00:00Z`) + (MONTH_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const midnight = new Date(`${today}T00:00:00Z`);
  const newSince = new Date(now.getTime() - NEW_DAYS * DAY_MS);
  return kysely(pool)
    .selectNoFrom(({ selectFrom }) => {
      const published = selectFrom('listings').where('status', '=', 'published');
      const venues = published
        .select(sql<number>`1`.as('one'))
        .groupBy((eb) => eb.fn('lower', ['location']))
        .having((eb) => eb.fn.min('createdAt'), '>', newSince);
      const counted = (query: typeof published) => query.select(countRows).$asScalar().$notNull();
      return [
        counted(published.where('eventDate', '=', anyOf([instantOf(today), midnight]))).as('eventsToday'),
        selectFrom(venues.as('venues')).select(countRows).$asScalar().$notNull().as('newVenues'),
        counted(published.where('eventDate', '>=', midnight).where('eventDate', '<=', instantOf(lastDay))).as(
          'eventsThisMonth',
        ),
        selectFrom('eventCounts')
          .select(
            sql<
              number | null
            >`round(100.0 * sum(likes + interested + comments + shares) / nullif(sum(views), 0))::int`.as('percent'),
          )
          .$asScalar()
          .as('engagementPercent'),
      ];
    })
    .executeTakeFirstOrThrow();
}

/** Counts for the home page, at most once in 30 s however many ask. While identity is away its last answer stands. */
function openStats({ pool, identity, log, clock }: StatsDeps): () => Promise<HomeStats> {
  let known: HomeStats | undefined;
  let until = 0;
  let counting: Promise<HomeStats> | undefined;
  let activeUsers: number | null = null;

  const count = async (): Promise<HomeStats> => {
    const [events] = await Promise.all([
      countEvents(pool, clock()),
      identity
        .get('/internal/active-accounts')
        .then((answer) => (activeUsers = ActiveAccounts.parse(answer).count))
        .catch((err: unknown) => log.warn({ err }, 'the active accounts are not known right now')),
    ]);
    known = { activeUsers, ...events };
    until = clock().getTime() + FRESH_MS;
    return known;
  };

  return async () => {
    if (known && clock().getTime() < until) return known;
    counting ??= count().finally(() => (counting = undefined));
    return counting;
  };
}

/** GET /api/stats (frontend/PRODUCT.md#home) */
export function statsRoutes(deps: StatsDeps): Router {
  const router = Router();
  const stats = openStats(deps);
  router.get('/api/stats', async (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=30', 'Cache-Tag': 'stats' }).json(await stats());
  });
  return router;
}
