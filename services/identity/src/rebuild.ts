import { rebuild as replay } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { auditReadModel } from './audit/stream.ts';
import { challengeReadModel } from './engagement/challenge/stream.ts';
import { engagementReadModel } from './engagement/stream.ts';
import { caseReadModel } from './moderation/stream.ts';
import { sessionReadModel } from './session/stream.ts';
import { totpReadModel } from './totp/stream.ts';
import { userReadModel } from './user/stream.ts';

const readModels = [
  userReadModel,
  // Comes after the accounts, so that erased accounts get no rows.
  totpReadModel,
  sessionReadModel,
  caseReadModel,
  auditReadModel,
  engagementReadModel,
  challengeReadModel,
];

/** Empties the read models and replays the log. Returns the digests of each table before and after. */
export async function rebuild(databaseUrl: string) {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0, statement_timeout: 0 });
  try {
    return await replay(pool, readModels);
  } finally {
    await pool.end();
  }
}
