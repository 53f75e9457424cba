import { violation, type ClientCall, type Violation } from './evidence.ts';
import type { FoldedSale, Moment } from './fold.ts';

/** Tolerance for the rounding of times. All processes share the machine's clock. */
const SLACK_MS = 20;

interface Span {
  moment: Moment;
  from: number;
  until: number;
}

/**
 * The span of time in which each state of a sale may have been the last committed state. Group n (one transaction) may
 * be decided while group n-1 is being written, and is sent when group n-1 is committed. So group n is committed after
 * its decision, before group n+2 is decided, and before the log was seen at rest. The state after the group's last
 * event is visible from the time of that event until group n+1 is committed. A state inside a group is visible only to
 * decisions of the same group, until the group is committed.
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

/** Problem codes of refusals for lack of stock. */
export const STOCK_REFUSALS = Object.keys(isTrue);

/**
 * Undersold: a client was refused for lack of stock, although enough tickets were left at every moment between request
 * and response, according to the log. A sale without log events may refuse.
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
