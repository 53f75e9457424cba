import { ChallengePage } from '@beltway/contracts/identity/challenges';
import {
  BadgeList,
  EngagementVisibility,
  LeaderboardPage,
  PointsPage,
  UserBadgeList,
  UserStats,
} from '@beltway/contracts/identity/points';
import { placeLabel, PLACES } from '@beltway/places/gazetteer';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, patch } from '../../lib/http/http.ts';
import { pagesQuery } from '../../lib/http/pages.ts';
import { apiQuery } from '../../lib/http/query.ts';

const USERS = '/api/users';
const LEADERBOARD = '/api/leaderboard';
const CHALLENGES = '/api/challenges';

// Queries are stale immediately, because points change without a server message and responses depend on the reader.
const staleTime = 0;

/** GET /api/users/:id/stats; HttpError 404 for a private profile or an unknown account. */
export const statsQuery = (userId: number) => ({ ...apiQuery(UserStats, USERS, userId, 'stats'), staleTime });
/** GET /api/users/:id/badges: all badges, with this person's progress; HttpError 404 as above. */
export const personBadgesQuery = (userId: number) => ({
  ...apiQuery(UserBadgeList, USERS, userId, 'badges'),
  staleTime,
});
/** GET /api/badges */
export const badgesQuery = () => apiQuery(BadgeList, '/api/badges');

/** GET /api/users/:id/points, page after page, only for the signed-in account. */
export const pointsQuery = (userId: number) =>
  infiniteQueryOptions({
    queryKey: [USERS, userId, 'points'] as const,
    queryFn: ({ pageParam, signal }): Promise<PointsPage> =>
      get(`${USERS}/${userId}/points${pageParam && `?cursor=${pageParam}`}`, PointsPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime,
  });

/**
 * The filter of the leaderboard, with the same names as in the URL. `place` is a place's id, or empty for everywhere.
 */
export interface Board {
  period: 'week' | 'all';
  place: string;
}

/** Scores are stored by the place's label: `Bethesda, MD`. */
function nameOfPlace(id: string): string {
  const place = PLACES.find((one) => one.id === id);
  return place ? placeLabel(place) : id;
}

/** GET /api/leaderboard, page after page. */
export const leaderboardQuery = ({ period, place }: Board) =>
  pagesQuery(LeaderboardPage, LEADERBOARD, { period, place: place && nameOfPlace(place) });

/** GET /api/challenges, page after page, with the reader's progress. */
export const challengesQuery = (readerId: number | undefined) =>
  infiniteQueryOptions({
    queryKey: [CHALLENGES, readerId] as const,
    queryFn: ({ pageParam, signal }): Promise<ChallengePage> =>
      get(`${CHALLENGES}${pageParam && `?cursor=${pageParam}`}`, ChallengePage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime,
  });

/** Sets whether other people see the account's points: PATCH /api/users/me/engagement. */
export function useChooseVisibility(userId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isVisible: boolean) => patch(`${USERS}/me/engagement`, { isVisible }, EngagementVisibility),
    onSuccess: ({ isVisible }) =>
      queries.setQueryData(statsQuery(userId).queryKey, (stats) => stats && { ...stats, isVisible }),
    onSettled: () => queries.invalidateQueries({ queryKey: [LEADERBOARD] }),
  });
}
