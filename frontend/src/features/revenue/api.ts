import {
  AdAnalytics,
  MoneyAnalytics,
  OrderAnalytics,
  PlatformRevenue,
  ViewAnalytics,
} from '@beltway/contracts/payments/platform';
import { queryOptions } from '@tanstack/react-query';
import { get } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

/** Polling interval in milliseconds (services/payments/PRODUCT.md#revenue). */
const POLL_MS = 30_000;
const polled = { staleTime: 0, refetchInterval: POLL_MS };

export const revenueQuery = () => ({ ...apiQuery(PlatformRevenue, '/api/platform/revenue'), ...polled });

/** The figures of the last `days` days. */
export const moneyQuery = (days: number) =>
  queryOptions({
    queryKey: ['/api/platform/analytics/money', days],
    queryFn: ({ signal }) => get(`/api/platform/analytics/money?days=${days}`, MoneyAnalytics, { signal }),
    ...polled,
  });
/** For admins only. */
export const adsQuery = (days: number) =>
  queryOptions({
    queryKey: ['/api/platform/analytics/ads', days],
    queryFn: ({ signal }) => get(`/api/platform/analytics/ads?days=${days}`, AdAnalytics, { signal }),
    ...polled,
  });
export const ordersQuery = () => ({ ...apiQuery(OrderAnalytics, '/api/platform/analytics/orders'), ...polled });
export const viewsQuery = () => ({ ...apiQuery(ViewAnalytics, '/api/platform/analytics/views'), ...polled });
