import { Connection, ConnectionPage, type ConnectionState } from '@beltway/contracts/identity/connections';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { del, put } from '../../lib/http/http.ts';
import { pagesQuery } from '../../lib/http/pages.ts';
import { apiQuery } from '../../lib/http/query.ts';

const CONNECTIONS = '/api/connections';
const MET = '/api/people-met';

/** GET /api/connections: the connections in one state, page by page. */
export const connectionsQuery = (state: Exclude<ConnectionState, 'none'>) =>
  pagesQuery(ConnectionPage, CONNECTIONS, { state });
/** GET /api/people-met, page by page: people that the account may connect with. */
export const peopleMetQuery = () => pagesQuery(ConnectionPage, MET);
/**
 * GET /api/connections/:userId; rejects with HttpError 404 if the account did not meet the person, or the person is
 * hidden from the account.
 */
export const connectionQuery = (userId: number) => ({ ...apiQuery(Connection, CONNECTIONS, userId), staleTime: 0 });

interface Said {
  onSuccess: (now: ConnectionState) => void;
  onError: (error: Error, wants: boolean) => void;
  /** Called after the lists were updated. */
  onShown: () => void;
}

/** Requests or accepts a connection (PUT /api/connections/:userId), or declines, withdraws or ends it (DELETE). */
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
