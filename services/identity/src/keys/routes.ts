import { Router } from 'express';
import type { Keyring } from './keyring.ts';

/**
 * 200 the public keys (RFC 7517). Verifiers may cache them for a minute, because a new key is published long before it
 * signs.
 */
export function keyRoutes(keys: Keyring): Router {
  const router = Router();
  router.get('/.well-known/jwks.json', async (_req, res) => {
    res.setHeader('cache-control', 'public, max-age=60').json(await keys.published());
  });
  return router;
}
