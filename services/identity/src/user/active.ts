import { Router } from 'express';
import type { Pool } from 'pg';
import type { ActiveAccounts } from '@beltway/contracts/catalog/stats';
import { internalOnly } from '@beltway/kit/internal';
import type { Secrets } from '@beltway/kit/secrets';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

const ACTIVE_DAYS = 30;

/**
 * `GET /internal/active-accounts`: accounts with a session that began or was renewed within 30 days
 * (frontend/PRODUCT.md#home).
 */
export function activeAccountRoutes({
  pool,
  internalToken,
  clock,
}: {
  pool: Pool;
  internalToken: Secrets;
  clock: () => Date;
}): Router {
  const router = Router();
  router.get('/internal/active-accounts', internalOnly(internalToken), async (_req, res) => {
    const since = new Date(clock().getTime() - ACTIVE_DAYS * 24 * 3_600_000);
    const { rows } = await sql<ActiveAccounts>`select count(distinct user_id)::int as count from sessions
      where exists (select from refresh_tokens t where t.session_id = sessions.id and t.issued_at > ${since})`.execute(
      kysely(pool),
    );
    res.setHeader('cache-control', 'no-store').json(rows[0]);
  });
  return router;
}
