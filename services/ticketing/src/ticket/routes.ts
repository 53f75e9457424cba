import { Router } from 'express';
import { callerOf } from '@beltway/kit/auth';
import type { Deps } from '../deps.ts';
import { ticketStats, ticketsOfBuyer } from './queries.ts';

export function ticketRoutes(deps: Deps): Router {
  const { pool, auth, signer } = deps;
  const router = Router();

  /** The signed-in user's own tickets (docs/product.md#tickets). */
  router.get('/api/tickets/my-tickets', auth.signedIn, async (req, res) => {
    res.set('cache-control', 'private, no-store').json(await ticketsOfBuyer(deps, callerOf(req).id));
  });

  /** Tickets sold, revenue in dollars, events with tickets. Public. */
  router.get('/api/tickets/stats', async (_req, res) => {
    res.set('cache-control', 'public, max-age=1').json(await ticketStats(pool));
  });

  /** The key that doors check tickets with: Ed25519, SPKI in PEM. Public. */
  router.get('/api/tickets/signing-key', (_req, res) => {
    res.set('cache-control', 'public, max-age=3600').json({ algorithm: 'Ed25519', publicKey: signer.publicKey });
  });

  return router;
}
