import type { Pool } from 'pg';
import { countRows, excluded, lockKey } from '@beltway/kit/kysely';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';
import type { ReportReason } from '@beltway/contracts/identity/moderation';
import { kysely } from '../db.ts';

/** Things that an account may report in a day; one that is younger than a day fewer. */
const PER_DAY = 30;
const NEW_PER_DAY = 5;
const DAY_MS = 24 * 3_600_000;

interface Reporting {
  caseId: string;
  reporterId: number;
}

/** Throws 429 when the account has reported enough for a day. What it has reported already costs nothing. */
export async function checkReportLimit(db: Queryable, { caseId, reporterId }: Reporting, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const { day, isKnown, isNew } = await kysely(db)
    .selectNoFrom(({ exists, selectFrom }) => {
      const reports = selectFrom('moderationReports').where('reporterId', '=', reporterId);
      const account = selectFrom('users').select('id').where('id', '=', reporterId);
      return [
        reports.select(countRows).where('at', '>', since).$asScalar().$notNull().as('day'),
        exists(reports.select('caseId').where('caseId', '=', caseId)).as('isKnown'),
        exists(account.where('createdAt', '>', since)).as('isNew'),
      ];
    })
    .executeTakeFirstOrThrow();
  if (isKnown || day < (isNew ? NEW_PER_DAY : PER_DAY)) return;
  throw new HttpProblem(429, 'too-many-reports', {
    retryAfter: 3_600,
  });
}

/**
 * Keeps the words of a report, once per account and thing, within the limit: concurrent reports of an account are counted one after the
 * other. A report of a version before `since` is replaced.
 */
export const keepReport = (
  pool: Pool,
  {
    reason,
    note,
    version,
    since,
    ...reporting
  }: Reporting & { reason: ReportReason; note: string | undefined; version: number; since: number },
  now: Date,
): Promise<void> =>
  transaction(pool, async (tx) => {
    await lockKey(tx, `moderation reports ${reporting.reporterId}`);
    await checkReportLimit(tx, reporting, now);
    await kysely(tx)
      .insertInto('moderationReports')
      .values({ ...reporting, reason, note, version, at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['caseId', 'reporterId'])
          .doUpdateSet((eb) => excluded(eb, ['reason', 'note', 'version', 'at']))
          .where('moderationReports.version', '<', since),
      )
      .execute();
  });
