import type { ViewerSeat } from '@beltway/contracts/media/broadcast';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { HttpError, isPassing } from '../../lib/http/http.ts';
import { randomUuid } from '../../lib/browser/random-uuid.ts';
import { useSession } from '../../lib/session/session.ts';
import { leaveSeat, takeSeat } from './api.ts';

/** Codes of refusals that may end when another viewer leaves. */
const FULL = new Set(['stream-full', 'too-many-viewers-here']);
/** Milliseconds after which a viewer who found no free seat tries again. */
const FULL_MS = 15_000;
/** Milliseconds before each retry after a fault; the last value repeats. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * The code of a permanent refusal, which the page shows instead of the stream. Null if there is no error, or if the
 * refusal is temporary.
 */
export const refusalOf = (error: unknown): string | null =>
  error instanceof HttpError && !isPassing(error) ? (error.problem?.code ?? 'refused') : null;

/**
 * Acquires and renews a seat while mounted, and releases it afterwards. Renews it in a background tab too, where the
 * sound continues.
 */
export function useSeat(eventId: number): UseQueryResult<ViewerSeat> {
  const [viewerId] = useState(() => randomUuid());
  const { user } = useSession();
  const seat = useQuery({
    queryKey: ['live-seat', eventId, viewerId, user?.id ?? null],
    queryFn: () => takeSeat(eventId, viewerId),
    gcTime: 0,
    staleTime: Infinity,
    retry: (_count, error) => isPassing(error),
    retryDelay: (count) => PAUSES[Math.min(count, PAUSES.length - 1)]!,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, error } }) => {
      if (error) return FULL.has(refusalOf(error) ?? '') ? FULL_MS : false;
      return data ? data.renewSeconds * 1_000 : false;
    },
  });
  useEffect(() => {
    const leave = () => leaveSeat(eventId, viewerId);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [eventId, viewerId]);
  return seat;
}
