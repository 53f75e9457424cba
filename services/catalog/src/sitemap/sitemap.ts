import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { SITEMAP_PART, type SitemapPart } from '@beltway/contracts/catalog/sitemap';
import { internalOnly } from '@beltway/kit/internal';
import { notFound } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import type { Secrets } from '@beltway/kit/secrets';
import { kysely } from '../db.ts';

async function lastEventId(db: Queryable): Promise<number> {
  const { last } = await kysely(db)
    .selectFrom('listings')
    .select((eb) => eb.fn.max('eventId').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/**
 * A part of the sitemap. Parts are ranges of ids, so that new events do not change earlier parts. Canceled and
 * suspended events are left out.
 */
async function partOf(db: Queryable, part: number): Promise<SitemapPart> {
  const rows = await kysely(db)
    .selectFrom('listings')
    .select(['eventId', 'organizerId'])
    .where('eventId', '>', (part - 1) * SITEMAP_PART)
    .where('eventId', '<=', part * SITEMAP_PART)
    .where('status', 'in', ['published', 'postponed'])
    .orderBy('eventId')
    .execute();
  return {
    eventIds: rows.map(({ eventId }) => eventId),
    organizerIds: [...new Set(rows.map(({ organizerId }) => organizerId))],
  };
}

/** Routes for the gateway's sitemap (services/catalog/PRODUCT.md#search-engines). */
export function sitemapRoutes({ pool, internalToken }: { pool: Queryable; internalToken: Secrets }): Router {
  const router = Router();
  const internal = internalOnly(internalToken);
  router.get(
    '/internal/sitemap',
    internal,
    async (_req, res) => void res.json({ lastEventId: await lastEventId(pool) }),
  );
  router.get('/internal/sitemap/:part', internal, async (req, res) => {
    const part = IdText.safeParse(req.params['part']);
    // The limit keeps the ids of a part within the range of integers.
    if (!part.success || part.data > 200_000) throw notFound('part');
    res.json(await partOf(pool, part.data));
  });
  return router;
}
