import type { Pool } from 'pg';
import { z } from 'zod';
import type { Alert, AlertKind, AlertPage, Purpose } from '@beltway/contracts/payments/payments';
import { cursorOf, Micros, PlainText, readCursor } from '@beltway/kit/cursor';
import { behind, newestFirst, toMicros } from '@beltway/kit/kysely';
import type { InferResult } from 'kysely';
import { kysely } from '../db.ts';

const ORDER = ['raisedAt', 'alerts.paymentId', 'kind', 'subject'];
const Cursor = z.tuple([Micros, z.guid(), PlainText, PlainText]);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const alerts = (pool: Pool) =>
  kysely(pool)
    .selectFrom('alerts')
    .innerJoin('payments as p', 'p.id', 'alerts.paymentId')
    .selectAll('alerts')
    .select(['p.purpose', 'p.eventId', 'p.stripePaymentIntentId as intent', toMicros('raisedAt').as('raised')]);
type Row = InferResult<ReturnType<typeof alerts>>[number];

const toAlert = (row: Row): Alert => ({
  id: `${row.paymentId}:${row.kind}:${row.subject}`,
  kind: row.kind as AlertKind,
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

/** The alert with this id, and the stream of its payment; undefined for an unknown id. */
export async function alertById(pool: Pool, id: string): Promise<{ streamId: string; alert: Alert } | undefined> {
  const [paymentId = '', kind = '', ...subject] = id.split(':');
  if (!UUID.test(paymentId) || id.includes('\0')) return undefined;
  const row = await alerts(pool)
    .where('alerts.paymentId', '=', paymentId)
    .where('kind', '=', kind)
    .where('subject', '=', subject.join(':'))
    .executeTakeFirst();
  return row && { streamId: paymentId, alert: toAlert(row) };
}

/** Alerts for staff, newest first, starting after the cursor `before`. */
export async function alertPage(
  pool: Pool,
  { status, before, limit }: { status: 'open' | 'all'; before?: string | undefined; limit: number },
): Promise<AlertPage> {
  const rows = await alerts(pool)
    .$if(status === 'open', (query) => query.where('resolvedAt', 'is', null))
    .$if(before !== undefined, (query) => query.where(behind(ORDER, readCursor(before!, Cursor, ['before', 'next']))))
    .orderBy(newestFirst(ORDER))
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    alerts: page.map(toAlert),
    next: rows.length > limit && last ? cursorOf([last.raised, last.paymentId, last.kind, last.subject]) : null,
  };
}
