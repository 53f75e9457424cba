import type { Pool } from 'pg';
import { countRows, excluded, lockKey } from '@beltway/kit/kysely';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';
import type { ReportReason } from '@beltway/contracts/identity/moderation';
import { kysely } from '../db.ts';

/** Reports per account and day. An account younger than a day has a lower limit. */
const PER_DAY = 30;
const NEW_PER_DAY = 5;
const DAY_MS = 24 * 3_600_000;

interface Reporting {
  caseId: string;
  reporterId: number;
}

/** Throws 429 when the account has used up its daily reports. Repeated reports about the same content do not count. */
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
 * Stores the text of a report within the daily limit, one text for each account and item. Concurrent reports by one
 * account are serialized. If the account's earlier report is about a version before `since` or is older than the last
 * decision, replaces that report.
 */
export const keepReport = (
  pool: Pool,
  {
    reason,
    note,
    version,
    since,
    decisions,
    ...reporting
  }: Reporting & {
    reason: ReportReason;
    note: string | undefined;
    version: number;
    since: number;
    decisions: number;
  },
  now: Date,
): Promise<void> =>
  transaction(pool, async (tx) => {
    await lockKey(tx, `moderation reports ${reporting.reporterId}`);
    await checkReportLimit(tx, reporting, now);
    await kysely(tx)
      .insertInto('moderationReports')
      .values({ ...reporting, reason, note, version, decisions, at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['caseId', 'reporterId'])
          .doUpdateSet((eb) => excluded(eb, ['reason', 'note', 'version', 'decisions', 'at']))
          .where((eb) =>
            eb.or([
              eb('moderationReports.version', '<', since),
              eb('moderationReports.decisions', '<', eb.ref('excluded.decisions')),
            ]),
          ),
      )
      .execute();
  });
