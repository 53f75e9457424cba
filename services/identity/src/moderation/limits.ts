import type { Pool } from 'pg';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';
import type { ReportReason } from '@beltway/contracts/identity/moderation';

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
  const { rows } = await db.query<{ day: number; isKnown: boolean; isNew: boolean }>(
    `select (select count(*) from moderation_reports where reporter_id = $1 and at > $3)::int as day,
       exists (select from moderation_reports where case_id = $2 and reporter_id = $1) as "isKnown",
       exists (select from users where id = $1 and created_at > $3) as "isNew"`,
    [reporterId, caseId, since],
  );
  const { day, isKnown, isNew } = rows[0]!;
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
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('moderation reports ' || $1::integer, 0))`, [
      reporting.reporterId,
    ]);
    await checkReportLimit(tx, reporting, now);
    await tx.query(
      `insert into moderation_reports as r (case_id, reporter_id, reason, note, version, at) values ($1, $2, $3, $4, $5, $6)
       on conflict (case_id, reporter_id) do update set reason = excluded.reason, note = excluded.note, version = excluded.version,
         at = excluded.at where r.version < $7`,
      [reporting.caseId, reporting.reporterId, reason, note ?? null, version, now, since],
    );
  });
