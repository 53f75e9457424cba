import type { Pool } from 'pg';
import type { AccountSession } from '@beltway/contracts/identity/accounts';
import { IDLE_MS } from '../session/refresh-tokens.ts';

const MAX_LISTED = 100;

/** Sessions of an account that can still be renewed, those used last first. `sessionId`: the one that asks. */
export async function liveSessions(
  pool: Pool,
  { userId, sessionId, now }: { userId: number; sessionId: string; now: Date },
): Promise<AccountSession[]> {
  const { rows } = await pool.query<{ id: string; device: string; startedAt: Date; usedAt: Date }>(
    `select s.id, s.device, s.created_at as "startedAt", t.issued_at as "usedAt"
     from sessions s join users u on u.id = s.user_id join refresh_tokens t on t.session_id = s.id and t.replaced_at is null
     where s.user_id = $1 and s.ends_at > $2 and t.issued_at > $3
       and s.credential_id = u.credential_id
       and not exists (select from revoked_sessions r where r.session_id = s.id)
     order by s.id = $4 desc, t.issued_at desc, s.id limit ${MAX_LISTED}`,
    [userId, now, new Date(now.getTime() - IDLE_MS), sessionId],
  );
  return rows.map(({ id, device, startedAt, usedAt }) => ({
    ...{ id, device: device || 'Unknown device', isCurrent: id === sessionId },
    ...{ startedAt: startedAt.toISOString(), usedAt: usedAt.toISOString() },
  }));
}
