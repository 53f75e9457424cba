import type { Pool } from 'pg';
import type { TimelineOf, TimelineStep } from '@beltway/contracts/ops/timelines';
import { mailsOf } from '../mail/queue.ts';
import { historyOf, MAX_STEPS } from '../order/history.ts';
import { orderById } from '../order/queries.ts';
import { kysely } from '../db.ts';

/** Maximum rows per kind; only misuse produces more. */
const MAX_ROWS = 200;

const steps = (at: Date | null, type: string, text: string): TimelineStep[] =>
  at ? [{ at: at.toISOString(), type, text }] : [];

const nameOf = (kind: string): string => kind.replaceAll('-', ' ');

async function mailSteps(pool: Pool, orderId: string): Promise<TimelineStep[]> {
  const rows = await mailsOf(pool, orderId, MAX_ROWS);
  return rows.flatMap(({ kind, status, attempts, queuedAt, sentAt }) => [
    ...steps(
      queuedAt,
      'mail-queued',
      `The mail ‘${nameOf(kind)}’ was queued${status === 'failed' ? `, and given up after ${attempts} tries` : ''}.`,
    ),
    ...steps(sentAt, 'mail-sent', `The mail ‘${nameOf(kind)}’ was sent.`),
  ]);
}

async function lookSteps(pool: Pool, orderId: string): Promise<TimelineStep[]> {
  const rows = await kysely(pool)
    .selectFrom('orderLooks')
    .select(['accountId', 'role', 'at'])
    .where('orderId', '=', orderId)
    .orderBy('at')
    .limit(MAX_ROWS)
    .execute();
  return rows.flatMap(({ accountId, role, at }) =>
    steps(
      at,
      'order-looked-at',
      `The ${role === 'admin' ? 'admin' : 'organizer'} of account ${accountId} looked at the order.`,
    ),
  );
}

async function refundSteps(pool: Pool, orderId: string): Promise<TimelineStep[]> {
  const rows = await kysely(pool)
    .selectFrom('refundProgress')
    .select(['refundId', 'refundedAt', 'failedAt'])
    .where('orderId', '=', orderId)
    .orderBy('refundId')
    .limit(MAX_ROWS)
    .execute();
  return rows.flatMap(({ refundId, refundedAt, failedAt }) => [
    ...steps(refundedAt, 'refund-heard', `Ticketing heard that the refund ${refundId.slice(0, 8)} was done.`),
    ...steps(
      failedAt,
      'refund-failure-heard',
      `Ticketing heard that the bank sent the refund ${refundId.slice(0, 8)} back.`,
    ),
  ]);
}

/** An order's history in ticketing: sale events, mails, refunds and staff views, oldest first. */
export async function timelineOf(pool: Pool, orderId: string): Promise<TimelineOf> {
  const order = await orderById(pool, orderId);
  if (!order) return { known: false, steps: [], isCut: false };
  const parts = await Promise.all([
    historyOf(pool, order.eventId, orderId),
    mailSteps(pool, orderId),
    lookSteps(pool, orderId),
    refundSteps(pool, orderId),
  ]);
  return {
    known: true,
    steps: parts.flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    isCut: parts.some((part, at) => part.length >= (at === 0 ? MAX_STEPS : MAX_ROWS)),
  };
}
