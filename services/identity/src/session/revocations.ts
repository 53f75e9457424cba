import { Router } from 'express';
import type { Pool } from 'pg';
import type { Revocations } from '@beltway/contracts/identity/accounts';
import { REVOKED_MS } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';

/** `GET /internal/revocations`: what a service that just started must know before it trusts a token; the rest it hears on the bus. */
export function revocationRoutes({
  pool,
  internalToken,
  clock,
}: {
  pool: Pool;
  internalToken: Secrets;
  clock: () => Date;
}): Router {
  const router = Router();
  router.get('/internal/revocations', internalOnly(internalToken), async (_req, res) => {
    const since = new Date(clock().getTime() - REVOKED_MS);
    const [sessions, users] = await Promise.all([
      pool.query<{ session_id: string }>('select session_id from revoked_sessions where revoked_at > $1', [since]),
      pool.query<{ id: number; generation: number; isSuspended: boolean }>(
        `select id, generation, suspended_at is not null and (suspended_until is null or suspended_until > $2) as "isSuspended"
           from users where generation_raised_at > $1
         union all select user_id, generation, false from erased_users where erased_at > $1`,
        [since, clock()],
      ),
    ]);
    const body: Revocations = {
      sessions: sessions.rows.map(({ session_id }) => session_id),
      users: users.rows.map(({ id, ...known }) => ({ userId: id, ...known })),
    };
    res.setHeader('cache-control', 'no-store').json(body);
  });
  return router;
}
