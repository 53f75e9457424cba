import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import {
  EngagementVisibilityBody,
  LeaderboardQuery,
  PointsQuery,
  type BadgeList,
  type EngagementVisibility,
  type UserBadgeList,
} from '@beltway/contracts/identity/points';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { notFound } from '@beltway/kit/problems';
import type { z } from 'zod';
import type { AccessTokens } from '../session/access-tokens.ts';
import { BADGES } from '@beltway/contracts/identity/badges';
import { challengeRoutes } from './challenge/routes.ts';
import type { Blocked } from './connection/queries.ts';
import { badgesOfPerson, leaderboard, pointsPage, statsOf } from './queries.ts';
import type { Engagements } from './stream.ts';

export interface EngagementRoutesOptions {
  pool: Pool;
  engagements: Pick<Engagements, 'handle'>;
  access: Pick<AccessTokens, 'signedIn'>;
  blocked: Blocked;
  clock: () => Date;
}

/** Points, badges and the leaderboard: services/identity/PRODUCT.md#points-and-badges */
export function engagementRoutes({ pool, engagements, access, blocked, clock }: EngagementRoutesOptions): Router {
  const router = Router();
  /** Admits guests, but rejects an invalid token. */
  const anybody: RequestHandler = async (req, res, next) => {
    if (req.get('authorization') === undefined) return next();
    await access.signedIn(req, res, next);
  };

  router.use(challengeRoutes({ pool, anybody, clock }));

  /**
   * 200 the statistics of the caller or of a visible account. 404 for all other accounts, whether or not they exist.
   */
  router.get('/api/users/:id/stats', anybody, async (req, res) => {
    const stats = await statsOf(pool, IdText.parse(req.params['id']), { readerId: req.caller?.id, now: clock() });
    if (!stats) throw notFound('person');
    res.setHeader('cache-control', 'no-store').json(stats);
  });

  /** 200 all badges with the account's progress. 404 as above. */
  router.get('/api/users/:id/badges', anybody, async (req, res) => {
    const items = await badgesOfPerson(pool, IdText.parse(req.params['id']), {
      readerId: req.caller?.id,
      now: clock(),
    });
    if (!items) throw notFound('person');
    res
      .setHeader('cache-control', 'no-store')
      .json({ items, nextCursor: null } satisfies z.infer<typeof UserBadgeList>);
  });

  /** 200 a page of the caller's points with their reasons. 404 for other accounts. */
  router.get('/api/users/:id/points', access.signedIn, async (req, res) => {
    const { id } = callerOf(req);
    if (IdText.parse(req.params['id']) !== id) throw notFound('person');
    res.setHeader('cache-control', 'no-store').json(await pointsPage(pool, id, PointsQuery.parse(req.query), blocked));
  });

  /** 200 all badges. */
  router.get('/api/badges', (_req, res) => {
    res
      .setHeader('cache-control', 'no-store')
      .json({ items: [...BADGES], nextCursor: null } satisfies z.infer<typeof BadgeList>);
  });

  /** 200 a page of visible accounts, and the caller's rank. */
  router.get('/api/leaderboard', anybody, async (req, res) => {
    const query = LeaderboardQuery.parse(req.query);
    res.setHeader('cache-control', 'no-store').json(await leaderboard(pool, query, req.caller?.id, clock()));
  });

  /** 200: sets whether other accounts can see the caller. Idempotent. */
  router.patch('/api/users/me/engagement', access.signedIn, async (req, res) => {
    const { isVisible } = EngagementVisibilityBody.parse(req.body);
    const { id } = callerOf(req);
    await engagements.handle(
      String(id),
      { type: 'ChooseVisibility', isVisible },
      { commandId: randomUUID(), correlationId: requestIdOf(res), userId: id },
    );
    res.setHeader('cache-control', 'no-store').json({ isVisible } satisfies z.infer<typeof EngagementVisibility>);
  });

  return router;
}
