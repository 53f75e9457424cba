import type { Pool } from 'pg';
import { z } from 'zod';
import type { Alert, AlertKind, AlertPage, Purpose } from '@beltway/contracts/payments/payments';
import type { RowOf } from '@beltway/kit/columns';
import { cursorOf, fromMicros, Micros, PlainText, readCursor, toMicros } from '@beltway/kit/cursor';
import { alerts } from '../payment/columns.ts';

type Row = RowOf<typeof alerts> & {
  kind: AlertKind;
  /** With microseconds, for the cursor. */
  raised: string;
  purpose: string;
  eventId: number | null;
  intent: string;
};

/** When it was raised, the payment's id, kind and subject. */
const Cursor = z.tuple([Micros, z.guid(), PlainText, PlainText]);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const SELECT = `select ${alerts.select()}, ${toMicros('raised_at')} as raised, p.purpose, p.event_id as "eventId", p.stripe_payment_intent_id as intent
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
       ${before === undefined ? '' : `and (raised_at, payment_id, kind, subject) < (${fromMicros('$3')}, $4::uuid, $5, $6)`}
     order by raised_at desc, payment_id desc, kind desc, subject desc limit $2`,
    [status === 'all', limit + 1, ...(before === undefined ? [] : readCursor(before, Cursor, ['before', 'next']))],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    alerts: page.map(toAlert),
    next: rows.length > limit && last ? cursorOf([last.raised, last.paymentId, last.kind, last.subject]) : null,
  };
}
