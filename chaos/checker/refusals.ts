import { violation, type ClientCall, type Violation } from './evidence.ts';
import type { FoldedSale, Moment } from './fold.ts';

/** Clocks of processes on one machine are one clock; this is for its rounding. */
const SLACK_MS = 20;

interface Span {
  moment: Moment;
  from: number;
  until: number;
}

/**
 * When each state of a sale may have been the last one committed. A group (one transaction) may be decided while the one before it
 * is being written, and is sent when that one is committed; so the one after it is decided after that. A group that is decided at G
 * is thus committed after G and before the time of the group after the next, and before the log was seen at rest. The state after
 * the last event of a group can have been seen from its own time until the next group was committed; a state inside of a group
 * only by those who were decided in that same group, until that one was.
 */
export function spansOf(moments: Moment[], rests: number[] = []): Span[] {
  const groups: Moment[][] = [];
  for (const moment of moments) {
    const group = groups.at(-1);
    if (group?.[0]?.event.tx === moment.event.tx) group.push(moment);
    else groups.push([moment]);
  }
  const timeOf = (index: number) => groups[index]?.[0]?.event.occurredAt ?? Number.POSITIVE_INFINITY;
  const committedBy = (index: number) => Math.min(timeOf(index + 2), ...rests.filter((at) => at > timeOf(index)));
  return groups.flatMap((group, index) =>
    group.map((moment, place) => ({
      moment,
      from: timeOf(index) - SLACK_MS,
      until: committedBy(place === group.length - 1 ? index + 1 : index) + SLACK_MS,
    })),
  );
}

const isTrue: Record<string, (moment: Moment, quantity: number) => boolean> = {
  'sold-out': ({ sold, capacity }) => sold >= capacity,
  'all-held': ({ sold, held, capacity }) => capacity - sold - held <= 0,
  'not-enough-left': ({ sold, held, capacity }, quantity) => capacity - sold - held < quantity,
  'not-on-sale': ({ open }) => !open,
};

/** Codes by which a sale refuses a hold for want of stock. */
export const STOCK_REFUSALS = Object.keys(isTrue);

/**
 * Undersold: a client was refused for want of stock, and at no moment between its request and the answer did the log say so. A
 * sale of which nothing is in the log yet refuses rightly.
 */
export function checkRefusals(sales: FoldedSale[], client: ClientCall[]): Violation[] {
  const rests = client.flatMap(({ call, answeredAt }) => (call === 'rest' && answeredAt !== null ? [answeredAt] : []));
  const spans = new Map(sales.map((sale) => [sale.eventId, spansOf(sale.moments, rests)]));
  const found: Violation[] = [];
  for (const call of client) {
    const { code = '', quantity = 1, eventId = 0, sentAt, answeredAt } = call;
    const holds = isTrue[code];
    if (call.outcome !== 'refused' || !holds || answeredAt === null) continue;
    const during = (spans.get(eventId) ?? []).filter(({ from, until }) => from <= answeredAt && until >= sentAt);
    const first = spans.get(eventId)?.[0];
    const beforeAll = !first || sentAt <= first.until;
    if (beforeAll || during.some(({ moment }) => holds(moment, quantity))) continue;
    const leastLeft = Math.min(...during.map(({ moment: { capacity, sold, held } }) => capacity - sold - held));
    found.push(
      violation(
        'undersold',
        `call ${call.n} of ${quantity} for sale ${eventId} was refused as ${code}, and at least ${leastLeft} were left all the time`,
      ),
    );
  }
  return found;
}
