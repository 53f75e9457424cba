import type { Express } from 'express';
import type { Pool } from 'pg';
import { ShownPricesQuery } from '@beltway/contracts/ops';
import { createServiceApp } from '@beltway/kit/app';
import type { Authenticator } from '@beltway/kit/auth';
import type { Checks } from '@beltway/kit/health';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { commentRoutes } from './comments/routes.ts';
import { lazyDb } from './db.ts';
import { engagementRoutes } from './engagement/routes.ts';
import type { Views } from './engagement/views.ts';
import type { Listings } from './event/listings.ts';
import { openPictures } from './event/pictures.ts';
import { shownPrices } from './event/prices.ts';
import { eventRoutes, pictureBodies } from './event/routes.ts';
import { feedRoutes } from './feeds/routes.ts';
import { organiserRoutes } from './organiser/routes.ts';
import { sitemapRoutes } from './sitemap/sitemap.ts';
import { statsRoutes } from './stats/stats.ts';

export interface CatalogDeps {
  log: Logger;
  listings: Listings;
  pool: Pool;
  /** For searches alone: bounded in number and time. */
  searchPool: Pool;
  auth: Pick<Authenticator, 'signedIn' | 'optional'>;
  internalToken: string;
  /** The address people use. */
  publicUrl: string;
  /** Where embedded pictures are stored. */
  media: Pick<InternalClient, 'post'>;
  /** Asked how many accounts are active. */
  identity: Pick<InternalClient, 'get'>;
  /** Counts who looks at an event's page. */
  views: Pick<Views, 'note'>;
  checks?: Checks;
  clock?: () => Date;
}

export function createApp({
  log,
  listings,
  pool,
  searchPool,
  auth,
  internalToken,
  publicUrl,
  media,
  identity,
  views,
  checks,
  clock = () => new Date(),
}: CatalogDeps): Express {
  const db = lazyDb(pool);
  const searching = { pool: searchPool, secret: internalToken };

  return createServiceApp({
    log,
    ...(checks && { checks }),
    beforeJson: (app) => pictureBodies(app, auth.signedIn),
    routes: (app) => {
      app.use(feedRoutes({ pool, searching, clock, publicUrl }));
      app.use(eventRoutes({ pool, db, listings, keepPicture: openPictures(media), auth, clock, searching }));
      app.use(engagementRoutes({ pool, auth, views, clock, secret: internalToken }));
      app.use(commentRoutes({ pool, auth, clock }));
      app.use(organiserRoutes({ pool, auth, clock }));
      app.use(statsRoutes({ pool, identity, log, clock }));
      app.use(sitemapRoutes({ pool, internalToken }));
      app.get('/internal/prices', internalOnly(internalToken), async (req, res) => {
        res.json(await shownPrices(pool, ShownPricesQuery.parse(req.query)));
      });
    },
  });
}
