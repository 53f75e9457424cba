import {
  BoughtAd,
  ReviewedAd,
  ReviewedAds,
  type AdContentBody,
  type ReviewBody,
} from '@beltway/contracts/catalog/served-ads';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { get, post, put } from '../../lib/http/http.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';

const keySlot = (adId: string) => `beltway.ad-key.${adId}`;

/** The secrets from the links of ads, stored in this tab to keep them out of the address bar. */
export const adKeys = {
  get: (adId: string): string | null => tabStorage.get(keySlot(adId)),
  set: (adId: string, key: string): void => tabStorage.set(keySlot(adId), key),
};

const withKey = (adId: string) => ({ session: false, headers: { 'x-ad-key': adKeys.get(adId) ?? '' } });

/** GET /api/ads/{adId}, with the link's secret. */
export const adQuery = (adId: string) =>
  queryOptions({
    queryKey: ['/api/ads', adId],
    queryFn: ({ signal }) => get(`/api/ads/${adId}`, BoughtAd, { signal, ...withKey(adId) }),
  });

/** Submits picture, link and text for approval. Idempotent. */
export const sendContent = (adId: string, content: AdContentBody) =>
  put(`/api/ads/${adId}/content`, content, BoughtAd, withKey(adId));

export const REVIEWS = '/api/admin/ads';
export type ReviewStatus = 'waiting' | 'running' | 'all';

/** GET /api/admin/ads, page by page. */
export const reviewsQuery = (status: ReviewStatus) =>
  infiniteQueryOptions({
    queryKey: [REVIEWS, status],
    queryFn: ({ pageParam, signal }) =>
      get(`${REVIEWS}?${new URLSearchParams({ status, ...(pageParam && { cursor: pageParam }) })}`, ReviewedAds, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const reviewAd = (adId: string, body: ReviewBody) => post(`${REVIEWS}/${adId}/review`, body, ReviewedAd);
