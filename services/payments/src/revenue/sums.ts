import type { Logged } from '@beltway/event-store';
import { dayAt } from '@beltway/contracts/common/times';
import { eventOf, type Bought } from '../payment/bought.ts';
import type { PaymentEvent } from '../payment/events.ts';

/** Events that take or return money. */
export const MONEY_EVENTS = [
  ...(['PaymentSucceeded', 'PaymentRefunded', 'PaymentPartlyRefunded'] as const),
  ...(['RefundReversed', 'DisputeLost', 'DisputeWon'] as const),
] satisfies Array<PaymentEvent['type']>;
type MoneyEvent = Extract<PaymentEvent, { type: (typeof MONEY_EVENTS)[number] }>;

/** Revenue of one day and item, in cents; returned money is subtracted. */
export interface DaySum {
  /** The day in New York. */
  day: string;
  item: string;
  /** 0 if the money belongs to no event. */
  eventId: number;
  /** 0 if no organizer is owed a share. */
  organizerId: number;
  cents: number;
  /** The platform's part of `cents`. */
  feeCents: number;
  /** The number of payments that succeeded. */
  payments: number;
}

/** The name of an item in the sums. */
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

/** The cents that one event adds to revenue and to the platform's part; negative for returned money. */
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

/** Sums these events, which must be `MONEY_EVENTS`, for each day and item. */
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
