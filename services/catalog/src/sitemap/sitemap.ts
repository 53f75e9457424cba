import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { SITEMAP_PART, type SitemapPart } from '@beltway/contracts/catalog/sitemap';
import { internalOnly } from '@beltway/kit/internal';
import { notFound } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import type { Secrets } from '@beltway/kit/secrets';

async function lastEventId(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ last: number }>('select coalesce(max(event_id), 0) as last from listings');
  return rows[0]!.last;
}

/** Ranges of numbers, so that a part stays as it is while events are added. Cancelled events are left out. */
async function partOf(db: Queryable, part: number): Promise<SitemapPart> {
  const { rows } = await db.query<{ eventId: number; organizerId: number }>({
    name: 'sitemap-part',
    text: `select event_id as "eventId", organiser_id as "organizerId" from listings
      where event_id > $1 and event_id <= $2 and status <> 'cancelled' order by event_id`,
    values: [(part - 1) * SITEMAP_PART, part * SITEMAP_PART],
  });
  return {
    eventIds: rows.map(({ eventId }) => eventId),
    organizerIds: [...new Set(rows.map(({ organizerId }) => organizerId))],
  };
}

/** For the gateway's sitemap (docs/product.md#search-engines). */
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
    // Beyond the numbers that there can be.
    if (!part.success || part.data > 200_000) throw notFound('This part');
    res.json(await partOf(pool, part.data));
  });
  return router;
}
