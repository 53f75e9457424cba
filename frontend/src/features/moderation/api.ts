import {
  ModerationCase,
  ModerationPage,
  OwnCases,
  type ActOnCaseBody,
  type AppealBody,
  type ContentKind,
  type DecideAppealBody,
} from '@beltway/contracts/identity/moderation';
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { get, post } from '../../lib/http/http.ts';

const MODERATION = '/api/moderation';
export type CaseState = ModerationCase['state'];

/**
 * GET /api/moderation, page after page. The list changes concurrently, because other users report content and other
 * admins decide.
 */
export const queueQuery = (state: CaseState, kind: ContentKind | '') =>
  infiniteQueryOptions({
    queryKey: [MODERATION, state, kind] as const,
    queryFn: ({ pageParam, signal }): Promise<ModerationPage> => {
      const query = new URLSearchParams({ state, ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) });
      return get(`${MODERATION}?${query}`, ModerationPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

/** GET /api/moderation/mine, page after page. */
export const ownCasesQuery = () =>
  infiniteQueryOptions({
    queryKey: [MODERATION, 'mine'] as const,
    queryFn: ({ pageParam, signal }): Promise<OwnCases> =>
      get(`${MODERATION}/mine${pageParam && `?cursor=${pageParam}`}`, OwnCases, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

export const actOnCase = (id: string, body: ActOnCaseBody) => post(`${MODERATION}/${id}/actions`, body, ModerationCase);
export const decideAppeal = (id: string, body: DecideAppealBody) =>
  post(`${MODERATION}/${id}/appeal/decision`, body, ModerationCase);
/** The call needs no session if the body has the token from a mail's link. */
export const appealDecision = (id: string, body: AppealBody) =>
  post(`${MODERATION}/${id}/appeal`, body, undefined, { session: body.token === undefined });

/** Refetches the moderation cases that are shown. */
export function useRefreshModeration(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [MODERATION] });
}
