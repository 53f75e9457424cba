import type { Logged } from '@beltway/event-store';
import { dayAt } from '@beltway/contracts/common/times';
import { eventOf, type Bought } from '../payment/bought.ts';
import type { PaymentEvent } from '../payment/events.ts';

/** The events that take money or give it back. */
export const MONEY_EVENTS = [
  ...(['PaymentSucceeded', 'PaymentRefunded', 'PaymentPartlyRefunded'] as const),
  ...(['RefundReversed', 'DisputeLost', 'DisputeWon'] as const),
] satisfies Array<PaymentEvent['type']>;
type MoneyEvent = Extract<PaymentEvent, { type: (typeof MONEY_EVENTS)[number] }>;

/** What was taken on one day for one thing that is sold. Cents; what went back is taken off. */
export interface DaySum {
  /** In New York. */
  day: string;
  item: string;
  /** 0: of none. */
  eventId: number;
  /** 0: owed to nobody. */
  organizerId: number;
  cents: number;
  /** Of `cents` what the platform keeps. */
  feeCents: number;
  /** Payments that succeeded. */
  payments: number;
}

/** What is sold, as a row of sums names it. */
export const itemOf = (bought: Bought): string => {
  switch (bought.purpose) {
    case 'promotion':
      return `promotion:${bought.level}`;
    case 'ad':
      return `ad:${bought.packageId}`;
    case 'tickets':
    case 'livestream':
      return bought.purpose;
  }
};

/** What one event adds to what was taken, and of it to what the platform keeps; below zero for what goes back. */
export function movedBy({ type, data }: MoneyEvent): { cents: number; feeCents: number } {
  switch (type) {
    case 'PaymentSucceeded':
      return { cents: data.amountCents, feeCents: data.feeCents };
    case 'PaymentRefunded':
    case 'PaymentPartlyRefunded':
    case 'DisputeLost':
      return { cents: -data.partCents, feeCents: -data.partFeeCents };
    case 'RefundReversed':
    case 'DisputeWon':
      return { cents: data.partCents, feeCents: data.partFeeCents };
  }
}

/** One sum for each day and thing of these events, which are of `MONEY_EVENTS` alone. */
export function sumsOf(events: Array<Pick<Logged, 'type' | 'data' | 'occurredAt'>>): DaySum[] {
  const sums = new Map<string, DaySum>();
  for (const logged of events) {
    const event = logged as MoneyEvent & Pick<Logged, 'occurredAt'>;
    const { bought, organizerId } = event.data;
    const of = {
      day: dayAt(event.occurredAt),
      item: itemOf(bought),
      eventId: eventOf(bought) ?? 0,
      organizerId: organizerId ?? 0,
    };
    const key = Object.values(of).join(' ');
    const sum = sums.get(key) ?? { ...of, cents: 0, feeCents: 0, payments: 0 };
    const { cents, feeCents } = movedBy(event);
    sum.cents += cents;
    sum.feeCents += feeCents;
    if (event.type === 'PaymentSucceeded') sum.payments++;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
