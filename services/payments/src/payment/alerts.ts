import type { Pool } from 'pg';
import type { Alert, AlertKind, AlertPage, Purpose } from '@beltway/contracts/payments';
import type { RowOf } from '@beltway/kit/columns';
import { HttpProblem } from '@beltway/kit/problems';
import { alerts } from './columns.ts';

type Row = RowOf<typeof alerts> & {
  kind: AlertKind;
  /** With microseconds, for the cursor. */
  raised: string;
  purpose: string;
  eventId: number | null;
  intent: string;
};

type Cursor = [raised: string, paymentId: string, kind: string, subject: string];

const toCursor = ({ raised, paymentId, kind, subject }: Row): string =>
  Buffer.from(JSON.stringify([raised, paymentId, kind, subject] satisfies Cursor)).toString('base64url');

/** As PostgreSQL writes them. What it cannot read in a query would be an error of ours. */
const TIMESTAMP = /^\d{4}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?[+-][01]\d(:\d\d)?$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readCursor(text: string): Cursor {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(cursor) && cursor.length === 4 && cursor.every((part) => typeof part === 'string'))
      if (TIMESTAMP.test(cursor[0] as string) && UUID.test(cursor[1] as string) && !cursor.join('').includes('\0'))
        return cursor as Cursor;
  } catch {
    // answered below
  }
  throw new HttpProblem(400, 'bad-cursor', '`before` must be the `next` of a page.');
}

const SELECT = `select ${alerts.select()}, raised_at::text as raised, p.purpose, p.event_id as "eventId", p.stripe_payment_intent_id as intent
  from alerts join payments p on p.id = payment_id`;

const toAlert = (row: Row): Alert => ({
  id: `${row.paymentId}:${row.kind}:${row.subject}`,
  kind: row.kind,
  purpose: row.purpose as Purpose,
  orderId: row.purpose === 'tickets' ? row.paymentId : null,
  eventId: row.eventId,
  paymentId: row.intent,
  subject: row.subject,
  amountCents: row.amountCents,
  detail: row.detail,
  raisedAt: row.raisedAt.toISOString(),
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
});

/** An alert and the payment that it is of, by the alert's id; undefined when there is none. */
export async function alertById(pool: Pool, id: string): Promise<{ streamId: string; alert: Alert } | undefined> {
  const [paymentId = '', kind = '', ...subject] = id.split(':');
  if (!UUID.test(paymentId) || id.includes('\0')) return undefined;
  const { rows } = await pool.query<Row>(`${SELECT} where payment_id = $1 and kind = $2 and subject = $3`, [
    ...[paymentId, kind, subject.join(':')],
  ]);
  return rows[0] && { streamId: paymentId, alert: toAlert(rows[0]) };
}

/** What people must look at, newest first; from the one after `before` on. */
export async function alertPage(
  pool: Pool,
  { status, before, limit }: { status: 'open' | 'all'; before?: string | undefined; limit: number },
): Promise<AlertPage> {
  const { rows } = await pool.query<Row>(
    `${SELECT}
     where ($1 or resolved_at is null)
       ${before === undefined ? '' : 'and (raised_at, payment_id, kind, subject) < ($3::timestamptz, $4::uuid, $5, $6)'}
     order by raised_at desc, payment_id desc, kind desc, subject desc limit $2`,
    [status === 'all', limit + 1, ...(before === undefined ? [] : readCursor(before))],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    alerts: page.map(toAlert),
    next: rows.length > limit && last ? toCursor(last) : null,
  };
}
