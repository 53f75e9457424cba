import type { Pool } from 'pg';
import { Rejected } from '@beltway/event-store';
import { HttpProblem, notFound } from '@beltway/kit/problems';

const PER_DAY = 30;

interface Report {
  of: 'photo' | 'video';
  id: number;
  reporterId: number;
  reason: string;
  note: string | undefined;
  /** Says in the log that there is one. */
  append: () => Promise<unknown>;
}

/** Reports a photo or video, once for each account. What the report says is a row; that there is one is in the log. Throws 404, 409, 429. */
export async function writeReport(pool: Pool, { of, id, reporterId, reason, note, append }: Report): Promise<void> {
  const { rows } = await pool.query<{ reports: number }>(
    `select count(*)::integer as reports from ${of}_reports where user_id = $1 and created_at > now() - interval '1 day'`,
    [reporterId],
  );
  if (rows[0]!.reports >= PER_DAY)
    throw new HttpProblem(429, 'too-many-reports', 'That is enough for one day. Please write to us instead.', {
      retryAfter: 3_600,
    });
  const { rowCount: written } = await pool.query(
    `insert into ${of}_reports (${of}_id, user_id, reason, note, created_at) values ($1, $2, $3, $4, now())
     on conflict do nothing`,
    [id, reporterId, reason, note ?? null],
  );
  try {
    await append();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    if (written) await pool.query(`delete from ${of}_reports where ${of}_id = $1 and user_id = $2`, [id, reporterId]);
    throw error.code === `${of}-removed` ? notFound(`This ${of}`) : error;
  }
}
