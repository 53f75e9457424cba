import { randomUUID } from 'node:crypto';
import { numbersFrom } from '../support/numbers.ts';

/** A requested ticket payment and its manual partial refunds, in cents. */
export interface Paid {
  id: string;
  paymentId: string;
  amountCents: number;
  parts: Array<{ refundId: string; cents: number }>;
}

/** An event of the provider's API, which is the body of a webhook. */
export interface Report {
  id: string;
  body: string;
}

const EVENT_ID = 7;
export const ORGANIZER_ID = 3;

/** Creates payments with at least this many different reports: two per success, one per partial refund. */
export function paymentsFor(reports: number): { payments: Paid[]; reports: Report[] } {
  const random = numbersFrom(1);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const payments: Paid[] = [];
  const all: Report[] = [];
  while (all.length < reports) {
    const at = payments.length;
    const amountCents = whole(500, 50_000);
    const first = whole(1, Math.floor(amountCents / 2));
    const parts = [first, whole(1, amountCents - first - 1)].slice(0, [0, 1, 0, 2][at % 4]);
    const payment: Paid = {
      id: randomUUID(),
      paymentId: `pi_bench${at}`,
      amountCents,
      parts: parts.map((cents, part) => ({ refundId: `re_bench${at}x${part}`, cents })),
    };
    payments.push(payment);
    all.push(...reportsOf(payment, at));
  }
  return { payments, reports: all };
}

/** The payment's log event before the provider's first report. */
export const requestedOf = ({ id, paymentId, amountCents }: Paid) => ({
  ...{ id, paymentId, amountCents, organizerId: ORGANIZER_ID, buyerId: null, clientSecret: null },
  bought: { purpose: 'tickets', orderId: id, eventId: EVENT_ID },
});

function reportsOf({ id, paymentId, amountCents, parts }: Paid, at: number): Report[] {
  const metadata = { purpose: 'tickets', orderId: id, eventId: String(EVENT_ID), organizerId: String(ORGANIZER_ID) };
  const common = { currency: 'usd', metadata };
  const report = (name: string, type: string, object: object): Report => ({
    id: `evt_bench${at}${name}`,
    body: JSON.stringify({ id: `evt_bench${at}${name}`, object: 'event', type, data: { object } }),
  });
  return [
    report('paid', 'payment_intent.succeeded', {
      ...{ object: 'payment_intent', id: paymentId, status: 'succeeded', ...common },
      ...{ amount: amountCents, amount_received: amountCents, latest_charge: `ch_bench${at}` },
    }),
    report('charged', 'charge.succeeded', {
      ...{ object: 'charge', id: `ch_bench${at}`, status: 'succeeded', captured: true, ...common },
      ...{ amount: amountCents, amount_captured: amountCents, amount_refunded: 0, payment_intent: paymentId },
    }),
    ...parts.map(({ refundId, cents }, part) =>
      report(`back${part}`, 'refund.updated', {
        ...{ object: 'refund', id: refundId, status: 'succeeded', ...common },
        ...{ amount: cents, payment_intent: paymentId },
      }),
    ),
  ];
}

/** Every report this many times, in random order. */
export function deliveries(reports: Report[], times: number): Report[] {
  const random = numbersFrom(2);
  const all = Array.from({ length: times }, () => reports).flat();
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}
