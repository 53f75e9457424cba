import { AdAnalytics, MoneyQuery } from '@beltway/contracts/payments/platform';
import {
  AdContentBody,
  AdsQuery,
  BoughtAd,
  ImpressionsBody,
  ReviewBody,
  ReviewQuery,
  ReviewedAd,
  ReviewedAds,
} from '@beltway/contracts/catalog/served-ads';
import { ServedAds } from '@beltway/contracts/catalog/shown-ads';
import { answeredBy, type Route } from './route.ts';

/** A picture of 5 MB inside JSON. */
const CONTENT_BYTES = 8 * 1_048_576;

/** Ads that were paid, from their picture to a counted click. What they cost is sold by payments. */
export const servedAds: Route[] = answeredBy('catalog', [
  {
    method: 'get',
    path: '/api/ads',
    summary: 'At most three ads of a slot of the home page, drawn anew each second',
    access: 'public',
    cache: 'public',
    query: AdsQuery.shape,
    answer: ServedAds,
  },
  {
    method: 'post',
    path: '/api/ads/impressions',
    summary:
      'Tell which ads and promoted events were seen in a view of a page: bounded per visitor and day, and no word about what was counted',
    access: 'public',
    // As many as pages are read, by whole offices behind one address.
    rate: 'read',
    body: ImpressionsBody,
    status: 204,
  },
  {
    method: 'get',
    path: '/api/ads/{adId}/click',
    summary: 'Counts a click and redirects to the link of the ad that an admin approved',
    access: 'public',
    status: 302,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/ads/{adId}',
    summary: 'A paid ad with its figures, for who has the key of its link',
    access: 'public',
    headers: ['X-Ad-Key'],
    answer: BoughtAd,
    problems: [404],
  },
  {
    method: 'put',
    path: '/api/ads/{adId}/content',
    summary:
      'Send picture, link and words of a paid ad, for who has its key; an admin looks at them before they are shown',
    access: 'public',
    rate: 'upload',
    gate: 'upload',
    headers: ['X-Ad-Key'],
    maxBytes: CONTENT_BYTES,
    body: AdContentBody,
    answer: BoughtAd,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: '/api/admin/ads',
    summary: 'Ads whose content waits for approval, or those that run, or all',
    access: 'admin',
    query: ReviewQuery.shape,
    answer: ReviewedAds,
  },
  {
    method: 'get',
    path: '/api/platform/analytics/ads',
    summary: 'How often ads were shown and opened in the last days, by package',
    access: 'admin',
    query: MoneyQuery.shape,
    answer: AdAnalytics,
  },
  {
    method: 'post',
    path: '/api/admin/ads/{adId}/review',
    summary:
      'Approve what was sent of an ad, reject it with a reason, take what is shown off the pages, or refuse one that was never shown for good, which refunds it',
    access: 'admin',
    headers: ['Idempotency-Key'],
    body: ReviewBody,
    answer: ReviewedAd,
    problems: [404, 409],
  },
]);
