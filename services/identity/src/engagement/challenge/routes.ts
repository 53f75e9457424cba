import { Router, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { ChallengesQuery } from '@beltway/contracts/identity/challenges';
import { challengePage } from './queries.ts';

interface Options {
  pool: Pool;
  /** Admits guests, but rejects an invalid token. */
  anybody: RequestHandler;
  clock: () => Date;
}

/** Weekly challenges: services/identity/PRODUCT.md#challenges */
export function challengeRoutes({ pool, anybody, clock }: Options): Router {
  const router = Router();

  /** 200 a page of challenges, each with the caller's progress. */
  router.get('/api/challenges', anybody, async (req, res) => {
    const query = ChallengesQuery.parse(req.query);
    res.setHeader('cache-control', 'no-store').json(await challengePage(pool, query, req.caller?.id, clock()));
  });

  return router;
}
