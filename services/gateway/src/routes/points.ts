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

/** What is counted of people: services/identity/PRODUCT.md#points-and-badges */
export const points: Route[] = answeredBy('identity', [
  {
    method: 'get',
    path: '/api/users/{id}/stats',
    summary: 'Points, level and streak: one’s own, or of somebody who chose to be seen',
    access: 'optional',
    answer: UserStats,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/users/{id}/badges',
    summary: 'All badges, with how far a person is: one’s own, or of somebody who chose to be seen',
    access: 'optional',
    answer: UserBadgeList,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/users/{id}/points',
    summary: 'What the caller’s own points were given for, counted last first',
    access: 'signed in',
    query: PointsQuery.shape,
    answer: PointsPage,
    problems: [404],
  },
  {
    method: 'patch',
    path: '/api/users/me/engagement',
    summary: 'Choose whether others see one’s points and badges',
    access: 'signed in',
    body: EngagementVisibilityBody,
    answer: EngagementVisibility,
  },
  {
    method: 'get',
    path: '/api/badges',
    summary: 'All badges there are',
    access: 'public',
    answer: BadgeList,
  },
  {
    method: 'get',
    path: '/api/challenges',
    summary: 'Weekly challenges, the latest week first, with how far the caller is',
    access: 'optional',
    query: ChallengesQuery.shape,
    answer: ChallengePage,
  },
  {
    method: 'get',
    path: '/api/leaderboard',
    summary: 'Who chose to be seen, most points first: of this week or ever, everywhere or of a place',
    access: 'optional',
    query: LeaderboardQuery.shape,
    answer: LeaderboardPage,
  },
]);
