import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import type { AccountSession } from '@beltway/contracts/identity/accounts';
import { lifetimeOf } from '../session/refresh-tokens.ts';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

const MAX_LISTED = 100;

/**
 * An account's sessions that can still be renewed, sorted by last use, latest first. `sessionId`: the session of the
 * request.
 */
export async function liveSessions(
  pool: Pool,
  { userId, sessionId, role, now }: { userId: number; sessionId: string; role: Role; now: Date },
): Promise<AccountSession[]> {
  const { idleMs, wholeMs } = lifetimeOf(role);
  const rows = await kysely(pool)
    .selectFrom('sessions as s')
    .innerJoin('users as u', (join) =>
      join.onRef('u.id', '=', 's.userId').onRef('u.credentialId', '=', 's.credentialId'),
    )
    .innerJoin('refreshTokens as t', (join) => join.onRef('t.sessionId', '=', 's.id').on('t.replacedAt', 'is', null))
    .select(['s.id', 's.device', 's.createdAt as startedAt', 't.issuedAt as usedAt'])
    .where('s.userId', '=', userId)
    .where('s.endsAt', '>', now)
    .where('t.issuedAt', '>', new Date(now.getTime() - idleMs))
    .where('s.createdAt', '>', new Date(now.getTime() - wholeMs))
    .where(sql<boolean>`not exists (select from revoked_sessions r where r.session_id = s.id)`)
    .orderBy((eb) => eb('s.id', '=', sessionId), 'desc')
    .orderBy('t.issuedAt', 'desc')
    .orderBy('s.id')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ id, device, startedAt, usedAt }) => ({
    ...{ id, device: device || 'Unknown device', isCurrent: id === sessionId },
    ...{ startedAt: startedAt.toISOString(), usedAt: usedAt.toISOString() },
  }));
}
