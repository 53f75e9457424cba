import { Router } from 'express';
import { IdText, type Said } from '@beltway/contracts/common/basics';
import type { Obstacles, PersonPart } from '@beltway/contracts/identity/people';
import { internalOnly } from '../http/instances/internal.ts';
import type { Secrets } from '../secrets.ts';

export interface PersonDeps {
  internalToken: Secrets;
  /** The service's data of the account, for the account's owner. Its size is bounded. */
  partOf: (userId: number) => Promise<PersonPart>;
  /** Reasons why the account cannot be erased now; empty if it can be erased. */
  obstaclesOf?: (userId: number) => Promise<Said[]>;
}

/**
 * `GET /internal/people/:id`: the service's data of an account. `GET /internal/people/:id/obstacles`: reasons why the
 * account cannot be erased now. Identity calls both routes after it has authorized the request.
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
