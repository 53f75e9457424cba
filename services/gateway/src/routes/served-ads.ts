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

/** Maximum body: a picture of 5 MB, as base64 inside JSON, fits. */
const CONTENT_BYTES = 8 * 1_048_576;

/** Paid ads, from uploading the picture to counting the click. Payments sells them. */
export const servedAds: Route[] = answeredBy('catalog', [
  {
    method: 'get',
    path: '/api/ads',
    summary: 'Get up to three ads for a slot of the home page, chosen at random anew every second',
    access: 'public',
    cache: 'public',
    query: AdsQuery.shape,
    answer: ServedAds,
  },
  {
    method: 'post',
    path: '/api/ads/impressions',
    summary:
      'Report the ads and promoted events seen in a page view. Each counts at most four times per visitor and day; the response does not reveal what counted',
    access: 'public',
    // A high limit: the page sends this request with each view, and a whole office may share one IP address.
    rate: 'read',
    body: ImpressionsBody,
    status: 204,
  },
  {
    method: 'get',
    path: '/api/ads/{adId}/click',
    summary: 'Count a click on an ad, and redirect to the link that an admin approved',
    access: 'public',
    status: 302,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/ads/{adId}',
    summary: 'Get a paid ad with its figures, for the holder of the key in its link (`X-Ad-Key`)',
    access: 'public',
    headers: ['X-Ad-Key'],
    answer: BoughtAd,
    problems: [404],
  },
  {
    method: 'put',
    path: '/api/ads/{adId}/content',
    summary:
      'Submit picture, link and texts of a paid ad, with its key (`X-Ad-Key`), up to 50 times; an admin reviews them before they are shown',
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
    summary: 'List ads whose content waits for review, ads that run, or all ads',
    access: 'admin',
    query: ReviewQuery.shape,
    answer: ReviewedAds,
  },
  {
    method: 'get',
    path: '/api/platform/analytics/ads',
    summary: 'Get the impressions and clicks of ads in the last days, by package',
    access: 'admin',
    query: MoneyQuery.shape,
    answer: AdAnalytics,
  },
  {
    method: 'post',
    path: '/api/admin/ads/{adId}/review',
    summary:
      'Approve an ad’s submitted content, reject submitted or shown content with a reason, or permanently refuse an ad that was never shown, which refunds it',
    access: 'admin',
    headers: ['Idempotency-Key'],
    body: ReviewBody,
    answer: ReviewedAd,
    problems: [404, 409],
  },
]);
