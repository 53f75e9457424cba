import { Router } from 'express';
import type { Pool } from 'pg';
import { BlocksAmongQuery, BlocksQuery, type BlocksAmong } from '@beltway/contracts/realtime/community';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import { pathId } from '@beltway/kit/path-id';
import type { Secrets } from '@beltway/kit/secrets';
import { block, blockedBy, blocksAmong, unblock } from './blocks.ts';

export interface BlockRoutesDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn'>;
  internalToken: Secrets;
  /** Called when one of two accounts blocked or unblocked the other. */
  blocksChanged: (userId: number, otherId: number) => Promise<void>;
  clock: () => Date;
}

/** Blocks: services/realtime/PRODUCT.md#posts */
export function blockRoutes({ pool, auth, internalToken, blocksChanged, clock }: BlockRoutesDeps): Router {
  const router = Router();

  router.use('/api/blocks', (_req, res, next) => {
    res.set('Cache-Control', 'private, no-store');
    next();
  });

  router.get('/api/blocks', auth.signedIn, async (req, res) => {
    res.json(await blockedBy(pool, callerOf(req).id, BlocksQuery.parse(req.query)));
  });

  router.post('/api/blocks/:userId', auth.signedIn, async (req, res) => {
    const [{ id }, otherId] = [callerOf(req), pathId(req, 'userId', 'account')];
    await block(pool, id, otherId, clock());
    await blocksChanged(id, otherId);
    res.status(204).end();
  });

  router.delete('/api/blocks/:userId', auth.signedIn, async (req, res) => {
    const [{ id }, otherId] = [callerOf(req), pathId(req, 'userId', 'account')];
    await unblock(pool, id, otherId);
    await blocksChanged(id, otherId);
    res.status(204).end();
  });

  /** Identity calls this route before it shows people to each other. */
  router.get('/internal/blocks/:userId', internalOnly(internalToken), async (req, res) => {
    const { others } = BlocksAmongQuery.parse(req.query);
    const accounts = await blocksAmong(pool, pathId(req, 'userId', 'account'), others);
    res.json({ accounts } satisfies BlocksAmong);
  });

  return router;
}
