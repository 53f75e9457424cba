import type { Queryable } from '@beltway/kit/postgres';
import { HttpProblem } from '@beltway/kit/problems';

/** Comments and answers that an account may write in a minute, and in a day; a talkative person writes some a minute. */
const PER_MINUTE = 6;
const PER_DAY = 100;
/** Of all accounts below one event in a minute: more than anybody reads, and a list that many pages ask for anew each time. */
const PER_EVENT_MINUTE = 120;
const REPORTS_PER_DAY = 30;
/** From one address, which a campus may share, in ten minutes: counted by each instance. */
export const ADDRESS = { name: 'comments', points: 60, perSeconds: 600 };
/** Below one event, and of them below one comment. */
export const MAX_TOTAL = 10_000;
export const MAX_ANSWERS = 500;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const tooMany = (message: string, retryAfter: number) =>
  new HttpProblem(429, 'too-many-comments', message, { retryAfter });
const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Throws 429 when the account has written enough, or the event is written to by too many. What was deleted since counts too. */
export async function checkLimits(
  tx: Queryable,
  { authorId, eventId }: { authorId: number; eventId: number },
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ minute: number; day: number; here: number }>({
    name: 'comment-limits',
    text: `select (select count(*) from comment_requests where author_id = $1 and created_at > $3)::int as minute,
      (select count(*) from comment_requests where author_id = $1 and created_at > $4)::int as day,
      (select count(*) from comment_requests where event_id = $2 and created_at > $3)::int as here`,
    values: [authorId, eventId, before(now, MINUTE_MS), before(now, DAY_MS)],
  });
  const { minute, day, here } = rows[0]!;
  if (day >= PER_DAY) throw tooMany('That is enough for one day. Please come back tomorrow.', 3_600);
  if (minute >= PER_MINUTE) throw tooMany('You write quickly. Please wait a minute.', 60);
  if (here >= PER_EVENT_MINUTE) throw tooMany('Many people write here right now. Please wait a minute.', 60);
}

/** Throws 429 when the account has reported enough for a day. */
export async function checkReportLimit(tx: Queryable, reporterId: number, now: Date): Promise<void> {
  const { rows } = await tx.query<{ day: number }>({
    name: 'report-limit',
    text: 'select count(*)::int as day from comment_reports where reporter_id = $1 and created_at > $2',
    values: [reporterId, before(now, DAY_MS)],
  });
  if (rows[0]!.day >= REPORTS_PER_DAY)
    throw new HttpProblem(429, 'too-many-reports', 'That is enough for one day. Please write to us instead.', {
      retryAfter: 3_600,
    });
}
