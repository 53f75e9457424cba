import { Connection, ConnectionPage, type ConnectionState } from '@beltway/contracts/identity/connections';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { del, put } from '../../lib/http/http.ts';
import { pagesQuery } from '../../lib/http/pages.ts';
import { apiQuery } from '../../lib/http/query.ts';

const CONNECTIONS = '/api/connections';
const MET = '/api/people-met';

/** GET /api/connections of one state, page after page. */
export const connectionsQuery = (state: Exclude<ConnectionState, 'none'>) =>
  pagesQuery(ConnectionPage, CONNECTIONS, { state });
/** GET /api/people-met, page after page: whom one may ask. */
export const peopleMetQuery = () => pagesQuery(ConnectionPage, MET);
/** GET /api/connections/:userId; HttpError 404 of whom one did not meet or may not know of. */
export const connectionQuery = (userId: number) => ({ ...apiQuery(Connection, CONNECTIONS, userId), staleTime: 0 });

interface Said {
  onSuccess: (now: ConnectionState) => void;
  onError: (error: Error, wants: boolean) => void;
  /** Once the lists have it. */
  onShown: () => void;
}

/** Says that one wants to be connected, or takes that back: PUT, DELETE /api/connections/:userId. */
export function useSayConnection(userId: number, { onSuccess, onError, onShown }: Said) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (wants: boolean): Promise<ConnectionState> => {
      const path = `${CONNECTIONS}/${userId}`;
      if (wants) return (await put(path, undefined, Connection)).state;
      await del(path);
      return 'none';
    },
    onSuccess,
    onError,
    onSettled: async (_now, error) => {
      await Promise.all([CONNECTIONS, MET].map((path) => queries.invalidateQueries({ queryKey: [path] })));
      if (!error) onShown();
    },
  });
}
