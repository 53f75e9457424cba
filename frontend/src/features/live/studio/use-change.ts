import type { Broadcast } from '@beltway/contracts/media/broadcast';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { broadcastQuery } from './api.ts';

/** A mutation of a broadcast. The response is the changed broadcast. */
export function useChange<Wanted = void>(
  eventId: number,
  change: (wanted: Wanted) => Promise<Broadcast>,
): UseMutationResult<Broadcast, Error, Wanted> {
  const queries = useQueryClient();
  const { queryKey } = broadcastQuery(eventId);
  return useMutation({
    mutationFn: change,
    // Cancels polls, because a poll that began before the change would restore the old state.
    onSuccess: async (broadcast) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, broadcast);
    },
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
