import type { Broadcast } from '@beltway/contracts/media/broadcast';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { broadcastQuery } from './api.ts';

/** A change of a broadcast whose answer is how it stands now. */
export function useChange<Wanted = void>(
  eventId: number,
  change: (wanted: Wanted) => Promise<Broadcast>,
): UseMutationResult<Broadcast, Error, Wanted> {
  const queries = useQueryClient();
  const { queryKey } = broadcastQuery(eventId);
  return useMutation({
    mutationFn: change,
    // What was asked for before the change says how it stood before.
    onSuccess: async (broadcast) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, broadcast);
    },
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
