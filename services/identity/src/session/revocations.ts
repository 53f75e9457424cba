import { Router } from 'express';
import type { Pool } from 'pg';
import type { Revocations } from '@beltway/contracts/identity/accounts';
import { REVOKED_MS } from '@beltway/kit/auth';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/**
 * `GET /internal/revocations`: the revocations that a service must load at startup before it accepts tokens. Later
 * revocations arrive on the bus.
 */
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
    const [sessions, { rows: users }] = await Promise.all([
      kysely(pool).selectFrom('revokedSessions').select('sessionId').where('revokedAt', '>', since).execute(),
      sql<Revocations['users'][number]>`
        select id as "userId", generation, suspended_at is not null and (suspended_until is null or suspended_until > ${clock()}) as "isSuspended"
          from users where generation_raised_at > ${since}
        union all select user_id, generation, false from erased_users where erased_at > ${since}`.execute(kysely(pool)),
    ]);
    const body: Revocations = { sessions: sessions.map(({ sessionId }) => sessionId), users };
    res.setHeader('cache-control', 'no-store').json(body);
  });
  return router;
}
