import { ChallengePage, ChallengesQuery } from '@beltway/contracts/identity/challenges';
import {
  BadgeList,
  EngagementVisibility,
  EngagementVisibilityBody,
  LeaderboardPage,
  LeaderboardQuery,
  PointsPage,
  PointsQuery,
  UserBadgeList,
  UserStats,
} from '@beltway/contracts/identity/points';
import { answeredBy, type Route } from './route.ts';

/** Points and badges of accounts: services/identity/PRODUCT.md#points-and-badges */
export const points: Route[] = answeredBy('identity', [
  {
    method: 'get',
    path: '/api/users/{id}/stats',
    summary:
      'Get an account’s points, level and streak: the caller’s own, or those of an account that chose to be visible',
    access: 'optional',
    answer: UserStats,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/users/{id}/badges',
    summary:
      'List all badges with an account’s progress: the caller’s own, or that of an account that chose to be visible',
    access: 'optional',
    answer: UserBadgeList,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/users/{id}/points',
    summary: 'List what the caller’s points were given for, most recently counted first; 404 for other accounts',
    access: 'signed in',
    query: PointsQuery.shape,
    answer: PointsPage,
    problems: [404],
  },
  {
    method: 'patch',
    path: '/api/users/me/engagement',
    summary: 'Choose whether others see the caller’s points and badges, also on the leaderboard',
    access: 'signed in',
    body: EngagementVisibilityBody,
    answer: EngagementVisibility,
  },
  {
    method: 'get',
    path: '/api/badges',
    summary: 'List all badges',
    access: 'public',
    answer: BadgeList,
  },
  {
    method: 'get',
    path: '/api/challenges',
    summary: 'List weekly challenges with the caller’s progress, latest week first',
    access: 'optional',
    query: ChallengesQuery.shape,
    answer: ChallengePage,
  },
  {
    method: 'get',
    path: '/api/leaderboard',
    summary:
      'List accounts that chose to be visible, most points first: of this week or all time, for all places or one',
    access: 'optional',
    query: LeaderboardQuery.shape,
    answer: LeaderboardPage,
  },
]);
