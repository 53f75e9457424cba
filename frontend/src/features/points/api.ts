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

// Points come without a word from the server, and who reads decides what is answered: all is asked for anew where it is shown.
const staleTime = 0;

/** GET /api/users/:id/stats; HttpError 404 of who is not seen, and where there is nobody. */
export const statsQuery = (userId: number) => ({ ...apiQuery(UserStats, USERS, userId, 'stats'), staleTime });
/** GET /api/users/:id/badges: all there are, with how far this person is; HttpError 404 as above. */
export const personBadgesQuery = (userId: number) => ({
  ...apiQuery(UserBadgeList, USERS, userId, 'badges'),
  staleTime,
});
/** GET /api/badges */
export const badgesQuery = () => apiQuery(BadgeList, '/api/badges');

/** GET /api/users/:id/points, one's own, page after page. */
export const pointsQuery = (userId: number) =>
  infiniteQueryOptions({
    queryKey: [USERS, userId, 'points'] as const,
    queryFn: ({ pageParam, signal }): Promise<PointsPage> =>
      get(`${USERS}/${userId}/points${pageParam && `?cursor=${pageParam}`}`, PointsPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime,
  });

/** Which leaderboard is shown; the address of the page has the same words. `place`: the id of a place, empty for everywhere. */
export interface Board {
  period: 'week' | 'all';
  place: string;
}

/** Scores are kept by how a place is written: `Bethesda, MD`. */
function nameOfPlace(id: string): string {
  const place = PLACES.find((one) => one.id === id);
  return place ? placeLabel(place) : id;
}

/** GET /api/leaderboard, page after page. */
export const leaderboardQuery = ({ period, place }: Board) =>
  pagesQuery(LeaderboardPage, LEADERBOARD, { period, place: place && nameOfPlace(place) });

/** GET /api/challenges, page after page, with how far the reader is. */
export const challengesQuery = (readerId: number | undefined) =>
  infiniteQueryOptions({
    queryKey: [CHALLENGES, readerId] as const,
    queryFn: ({ pageParam, signal }): Promise<ChallengePage> =>
      get(`${CHALLENGES}${pageParam && `?cursor=${pageParam}`}`, ChallengePage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime,
  });

/** Chooses whether others see one's points: PATCH /api/users/me/engagement. */
export function useChooseVisibility(userId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isVisible: boolean) => patch(`${USERS}/me/engagement`, { isVisible }, EngagementVisibility),
    onSuccess: ({ isVisible }) =>
      queries.setQueryData(statsQuery(userId).queryKey, (stats) => stats && { ...stats, isVisible }),
    onSettled: () => queries.invalidateQueries({ queryKey: [LEADERBOARD] }),
  });
}
