import type { Express } from 'express';
import type { Pool } from 'pg';
import type { EventContact } from '@beltway/contracts/catalog/event-bodies';
import { IdText } from '@beltway/contracts/common/basics';
import { ShownPricesQuery } from '@beltway/contracts/ops/invariants';
import type { TimelineOf } from '@beltway/contracts/ops/timelines';
import { NamedPicturesBody, type NamedPictures } from '@beltway/contracts/media/images';
import type { Allowances } from '@beltway/kit/allowances';
import { createServiceApp } from '@beltway/kit/app';
import type { Authenticator } from '@beltway/kit/auth';
import { noJobGivenUp } from '@beltway/kit/given-up';
import type { Checks } from '@beltway/kit/health';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Secrets } from '@beltway/kit/secrets';
import { jobRoutes } from '@beltway/kit/service/jobs';
import { contentRoutes, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { personRoutes } from '@beltway/kit/service/people';
import type { Ads } from './ads/stream.ts';
import type { AdCounting } from './ads/counting.ts';
import { adInvariants } from './ads/invariants.ts';
import { adPictureBodies, adRoutes } from './ads/routes.ts';
import { engagementRoutes } from './engagement/routes.ts';
import type { Views } from './engagement/views.ts';
import type { Listings } from './event/stream.ts';
import { namedPictures, openPictures } from './event/pictures.ts';
import { shownPrices } from './event/prices.ts';
import { contactOf } from './event/queries.ts';
import { eventRoutes, pictureBodies } from './event/routes.ts';
import { feedRoutes } from './feeds/routes.ts';
import { timelineOf } from './ops/timeline.ts';
import { organizerRoutes } from './organizer/routes.ts';
import { exportPerson } from '@beltway/kit/personal-data';
import { PERSONAL } from './person.ts';
import { promotionInvariants } from './promotion/invariants.ts';
import { liveStreamRoutes } from './promotion/live-streams.ts';
import { searchRoutes } from './search/routes.ts';
import { savedSearchRoutes } from './saved-searches/routes.ts';
import { sitemapRoutes } from './sitemap/sitemap.ts';
import { statsRoutes } from './stats/stats.ts';

export interface CatalogDeps {
  log: Logger;
  listings: Listings;
  ads: Ads;
  pool: Pool;
  /** Connections for searches only, limited in number and query time. */
  searchPool: Pool;
  /** Connections for feeds only. */
  feedPool: Pool;
  auth: Pick<Authenticator, 'signedIn' | 'optional' | 'role'>;
  internalToken: Secrets;
  /** The public URL of the website. */
  publicUrl: string;
  /** Stores embedded pictures. */
  media: Pick<InternalClient, 'post'>;
  /** The client of media with a shorter timeout, for the optional viewer counts of live streams. */
  audience: Pick<InternalClient, 'get'>;
  /** Reports what canceling an event refunds. */
  payments: Pick<InternalClient, 'get'>;
  /** Reports the number of active accounts. */
  identity: Pick<InternalClient, 'get'>;
  views: Pick<Views, 'note'>;
  adCounting: Pick<AdCounting, 'seen' | 'clicked'>;
  allowances: Allowances;
  /** How events and ads are reported and moderated. */
  moderated: ModeratedDeps;
  checks?: Checks;
  clock?: () => Date;
}

export function createApp({
  log,
  listings,
  ads,
  pool,
  searchPool,
  feedPool,
  auth,
  internalToken,
  publicUrl,
  media,
  audience,
  payments,
  identity,
  views,
  adCounting,
  allowances,
  moderated,
  checks,
  clock = () => new Date(),
}: CatalogDeps): Express {
  const keepPicture = openPictures(media);
  const searching = { pool: searchPool, secret: internalToken };

  return createServiceApp({
    service: 'catalog',
    log,
    ...(checks && { checks }),
    beforeJson: (app) => {
      pictureBodies(app, auth.signedIn);
      adPictureBodies(app, pool);
    },
    routes: (app) => {
      app.use(feedRoutes({ pool, searching, feedPool, clock, publicUrl }));
      app.use(searchRoutes({ pool, searching, clock }));
      app.use(eventRoutes({ pool, listings, keepPicture, auth, allowances, clock, payments }));
      app.use(liveStreamRoutes({ pool, audience, log, clock }));
      app.use(engagementRoutes({ pool, auth, views, clock, secret: internalToken }));
      app.use(organizerRoutes({ pool, keepPicture, auth, internalToken, clock }));
      app.use(savedSearchRoutes({ pool, searchPool, auth, internalToken, clock }));
      app.use(statsRoutes({ pool, identity, log, clock }));
      app.use(adRoutes({ pool, ads, counting: adCounting, keepPicture, auth, clock }));
      app.use(personRoutes({ internalToken, partOf: (userId) => exportPerson(pool, PERSONAL, userId) }));
      app.use(sitemapRoutes({ pool, internalToken }));
      app.use(contentRoutes(moderated, internalToken));
      app.get('/internal/ops/events/:id/timeline', internalOnly(internalToken), async (req, res) => {
        res.json((await timelineOf(pool, IdText.parse(req.params['id']))) satisfies TimelineOf);
      });
      app.get('/internal/events/:id/contact', internalOnly(internalToken), async (req, res) => {
        const email = await contactOf(pool, IdText.parse(req.params['id']));
        res.set('cache-control', 'no-store').json({ email } satisfies EventContact);
      });
      app.post('/internal/pictures/named', internalOnly(internalToken), async (req, res) => {
        const { urls } = NamedPicturesBody.parse(req.body);
        res.json({ named: await namedPictures(pool, urls) } satisfies NamedPictures);
      });
      app.get('/internal/prices', internalOnly(internalToken), async (req, res) => {
        res.json(await shownPrices(pool, ShownPricesQuery.parse(req.query)));
      });
      const invariants = async () =>
        (await Promise.all([adInvariants(pool), promotionInvariants(pool, clock()), noJobGivenUp(pool)])).flat();
      app.use(jobRoutes({ pool, internalToken, invariants }));
    },
  });
}
