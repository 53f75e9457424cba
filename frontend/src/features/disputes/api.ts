import { AlertPage, type Alert } from '@beltway/contracts/payments/payments';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from '../../lib/http/http.ts';

const KINDS = ['dispute-opened', 'dispute-lost', 'dispute-won-after-loss'] as const;
type DisputeKind = (typeof KINDS)[number];

/** An alert about a dispute. */
export type Dispute = Alert & { kind: DisputeKind };
export const isDispute = (alert: Alert): alert is Dispute => KINDS.some((kind) => kind === alert.kind);

/** GET /api/platform/alerts, page by page; for admins. */
export const alertsQuery = (status: 'open' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['/api/platform/alerts', status],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams({ status, limit: '100', ...(pageParam && { before: pageParam }) });
      return get(`/api/platform/alerts?${asked.toString()}`, AlertPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
