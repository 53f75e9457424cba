import { createHash, randomUUID } from 'node:crypto';
import { MoneyQuery, type AdAnalytics } from '@beltway/contracts/payments/platform';
import {
  AdContentBody,
  AdsQuery,
  ImpressionsBody,
  ReviewBody,
  ReviewQuery,
} from '@beltway/contracts/catalog/served-ads';
import { dayAt, daysAfter } from '@beltway/contracts/common/times';
import { fingerprintOf, uuidFrom } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { largeTextBody } from '@beltway/kit/large-text';
import { badField, notFound } from '@beltway/kit/problems';
import { addressOf } from '@beltway/kit/rate-limit';
import { sameText } from '@beltway/kit/secrets';
import { Router, type Express, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { isFromOurPage, visitorOf } from '@beltway/kit/visitors';
import { noteNewVersion } from '@beltway/kit/service/moderated';
import { sharedAnswer } from '@beltway/kit/shared-answer';
import type { KeepPicture } from '../event/pictures.ts';
import type { Ads } from './stream.ts';
import type { AdRow } from './queries.ts';
import type { AdCounting } from './counting.ts';
import { MAX_SUBMISSIONS, tooManyChanges } from './decider.ts';
import { adAnalytics, adById, adsToReview, boughtAd, reviewedAd, servedAds } from './queries.ts';

export interface AdRoutesDeps {
  pool: Pool;
  ads: Ads;
  counting: Pick<AdCounting, 'seen' | 'clicked'>;
  keepPicture: KeepPicture;
  auth: Pick<Authenticator, 'role'>;
  clock: () => Date;
  /** Returns a number in [0, 1) for drawing ads. */
  random?: () => number;
}

/**
 * The size of a 5 MB picture as base64 with its `data:` prefix. At most three at a time, because a process has 384 MB
 * in total.
 */
const PICTURE_BYTES = 7_100_000;
const PICTURES_TOGETHER = 3 * PICTURE_BYTES;

async function adOf(pool: Pool, req: Request): Promise<AdRow> {
  const adId = z.uuid().safeParse(req.params['adId']);
  const row = adId.success ? await adById(pool, adId.data) : undefined;
  if (!row) throw notFound('ad');
  return row;
}

/**
 * The ad that the path names. If the request lacks the ad's key, throws 404, so that the response does not reveal
 * whether the ad exists.
 */
async function openAd(pool: Pool, req: Request): Promise<AdRow> {
  const row = await adOf(pool, req);
  const key = req.get('x-ad-key') ?? '';
  if (!sameText(createHash('sha256').update(key).digest('hex'), row.keyHash)) throw notFound('ad');
  return row;
}

/** Prevents caching of the response, and keeps its URL out of the referrer that other sites receive. */
const secret = (res: Response): Response =>
  res.set({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });

/**
 * Parses bodies with an ad's picture. Must be mounted before the app's JSON parser. Only the holder of an ad's key may
 * send a picture, and all other fields must be small.
 */
export function adPictureBodies(app: Express, pool: Pool): void {
  const withPicture = largeTextBody({
    field: 'imageUrl',
    maxBytes: PICTURE_BYTES,
    maxTotalBytes: PICTURES_TOGETHER,
    senderOf: (req) => String(req.params['adId']),
  });
  app.put('/api/ads/:adId/content', async (req, _res, next) => void (await openAd(pool, req), next()), withPicture);
}

/** Whether a person sent the request. Excludes requests that a browser sent to prefetch, because no one saw the ad. */
const isByHand = (req: Request): boolean => isFromOurPage(req) && req.get('sec-purpose') === undefined;

/** Paid ads: serving, counting, submissions by buyers, reviews by admins (services/catalog/PRODUCT.md#ads). */
export function adRoutes(deps: AdRoutesDeps): Router {
  const { pool, ads, counting, keepPicture, auth, clock, random = Math.random } = deps;
  const router = Router();
  const again = async (adId: string): Promise<AdRow> => {
    const row = await adById(pool, adId);
    if (!row) throw notFound('ad');
    return row;
  };

  router.get('/api/ads', async (req, res) => {
    const { slot } = AdsQuery.parse(req.query);
    const items = await servedAds(pool, slot, { now: clock(), random });
    sharedAnswer(res, 'ads').json({ items });
  });

  /** The response is always the same, so that it does not reveal what was counted. */
  router.post('/api/ads/impressions', (req, res) => {
    const { view, ...seen } = ImpressionsBody.parse(req.body);
    if (isByHand(req)) counting.seen(seen, view, visitorOf(req));
    res.set('cache-control', 'no-store').status(204).end();
  });

  /**
   * Redirects only to the link that an admin approved. An ended ad still redirects, because a browser may still show it
   * on a page that was opened earlier.
   */
  router.get('/api/ads/:adId/click', async (req, res) => {
    const { adId, shownLinkUrl } = await adOf(pool, req);
    if (shownLinkUrl === null) throw notFound('ad');
    if (req.method === 'GET' && isByHand(req)) counting.clicked(adId, visitorOf(req));
    res
      .set({ location: shownLinkUrl, 'cache-control': 'no-store', 'referrer-policy': 'strict-origin' })
      .status(302)
      .end();
  });

  router.get('/api/ads/:adId', async (req, res) => {
    secret(res).json(boughtAd(await openAd(pool, req)));
  });

  router.put('/api/ads/:adId/content', async (req, res) => {
    const row = await openAd(pool, req);
    const { imageUrl, ...words } = AdContentBody.parse(req.body);
    // Throws before the picture is stored, so that media stores no unused picture.
    if (row.endedAt) throw new Rejected('ad-ended');
    if (row.submission >= MAX_SUBMISSIONS) throw tooManyChanges();
    const isNew = imageUrl.startsWith('data:');
    if (!isNew && imageUrl !== row.sentImageUrl && imageUrl !== row.shownImageUrl)
      throw badField('imageUrl', 'invalid.ad-picture');
    const stored = await keepPicture(imageUrl, { address: addressOf(req) });
    await ads.handle(
      row.adId,
      { type: 'SubmitAd', content: { imageUrl: stored ?? imageUrl, ...words } },
      { commandId: randomUUID(), correlationId: requestIdOf(res) },
    );
    secret(res).json(boughtAd(await again(row.adId)));
  });

  router.get('/api/admin/ads', auth.role('admin'), async (req, res) => {
    const page = await adsToReview(pool, ReviewQuery.parse(req.query));
    res.set('cache-control', 'private, no-store').json(page);
  });

  /** Impressions and clicks of ads in the last `days` days, for each package. */
  router.get('/api/platform/analytics/ads', auth.role('admin'), async (req, res) => {
    const { days } = MoneyQuery.parse(req.query);
    const packages = await adAnalytics(pool, daysAfter(dayAt(clock()), 1 - days));
    res.set('cache-control', 'private, no-store').json({ packages } satisfies AdAnalytics);
  });

  router.post('/api/admin/ads/:adId/review', auth.role('admin'), async (req, res) => {
    const body = ReviewBody.parse(req.body);
    const { adId } = await adOf(pool, req);
    const key = idempotencyKeyOf(req);
    const userId = callerOf(req).id;
    await ads.handle(
      adId,
      body.action === 'approve'
        ? { type: 'ApproveAd', submission: body.submission, at: clock().toISOString() }
        : {
            type: body.action === 'refuse' ? 'RefuseAd' : 'RejectAd',
            submission: body.submission,
            reason: body.reason,
          },
      {
        commandId: key === undefined ? randomUUID() : uuidFrom(`review-ad\0${userId}\0${key}`),
        fingerprint: fingerprintOf([adId, body]),
        userId,
        correlationId: requestIdOf(res),
      },
    );
    if (body.action === 'approve') await noteNewVersion(pool, 'ad', adId, body.submission);
    // The ads to serve have changed. The cache tag makes the gateway purge its cached response.
    res.set({ 'cache-control': 'private, no-store', 'cache-tag': 'ads' }).json(reviewedAd(await again(adId)));
  });

  return router;
}
