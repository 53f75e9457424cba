import { Router } from 'express';
import { IdText, type Said } from '@beltway/contracts/common/basics';
import type { Obstacles, PersonPart } from '@beltway/contracts/identity/people';
import { internalOnly } from '../http/instances/internal.ts';
import type { Secrets } from '../secrets.ts';

export interface PersonDeps {
  internalToken: Secrets;
  /** What the service has of the account, for the person themselves. Bounded. */
  partOf: (userId: number) => Promise<PersonPart>;
  /** Why the account cannot be erased now; nothing where it can. */
  obstaclesOf?: (userId: number) => Promise<Said[]>;
}

/**
 * `GET /internal/people/:id`: what this service has of an account. `GET /internal/people/:id/obstacles`: why it cannot be erased now.
 * Identity asks, which has checked who asks it.
 */
export function personRoutes({ internalToken, partOf, obstaclesOf }: PersonDeps): Router {
  const router = Router();
  router.use('/internal/people', internalOnly(internalToken), (_req, res, next) => {
    res.setHeader('cache-control', 'no-store');
    next();
  });
  router.get('/internal/people/:id', async (req, res) => {
    res.json(await partOf(IdText.parse(req.params['id'])));
  });
  router.get('/internal/people/:id/obstacles', async (req, res) => {
    const obstacles = (await obstaclesOf?.(IdText.parse(req.params['id']))) ?? [];
    res.json({ obstacles } satisfies Obstacles);
  });
  return router;
}
