import { Router } from 'express';
import { ActiveAccounts, type HomeStats } from '@beltway/contracts/catalog/stats';
import { dayAt, instantOf } from '@beltway/contracts/common/times';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { anyOf, countRows } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { expressionBuilder, sql } from 'kysely';
import { kysely } from '../db.ts';
import type { Tables } from '../generated/tables.ts';

/** How long counts are cached, because counting new venues reads all events. */
const FRESH_MS = 30_000;
const NEW_DAYS = 30;
const MONTH_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export interface StatsDeps {
  pool: Queryable;
  /** Reports the number of accounts. */
  identity: Pick<InternalClient, 'get'>;
  log: Logger;
  clock: () => Date;
}

/**
 * Counts events. Older code stored bare dates as midnight UTC (`dayOf` of contracts/times), so today is recognized in
 * both forms.
 */
async function countEvents(pool: Queryable, now: Date): Promise<Omit<HomeStats, 'activeUsers'>> {
  const today = dayAt(now);
  const lastDay = new Date(Date.parse(`${today}T00:00:00Z`) + (MONTH_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const midnight = new Date(`${today}T00:00:00Z`);
  const newSince = new Date(now.getTime() - NEW_DAYS * DAY_MS);
  return kysely(pool)
    .selectNoFrom(({ selectFrom }) => {
      const eb = expressionBuilder<Tables, 'listings'>();
      const published = selectFrom('listings').where('status', '=', 'published');
      const venues = published
        .select(sql<number>`1`.as('one'))
        .groupBy((eb) => eb.fn('lower', ['location']))
        .having((eb) => eb.fn.min('createdAt'), '>', newSince);
      const counted = (query: typeof published) => query.select(countRows).$asScalar().$notNull();
      // The event began before today and takes several days.
      const isRunning = eb.and([eb('eventDate', '<', midnight), eb('eventLastDate', '>=', instantOf(today))]);
      return [
        counted(published.where(eb.or([eb('eventDate', '=', anyOf([instantOf(today), midnight])), isRunning]))).as(
          'eventsToday',
        ),
        selectFrom(venues.as('venues')).select(countRows).$asScalar().$notNull().as('newVenues'),
        counted(
          published.where(
            eb.or([eb.and([eb('eventDate', '>=', midnight), eb('eventDate', '<=', instantOf(lastDay))]), isRunning]),
          ),
        ).as('eventsThisMonth'),
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

/**
 * Counts for the home page, computed at most once every 30 s. While identity is down, the last number of accounts is
 * used.
 */
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
        .catch((err: unknown) => log.warn({ err }, 'the number of active accounts is unavailable')),
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
