import { calendarFile } from '@beltway/calendar/calendar-file';
import { refundLine } from '@beltway/contracts/ticketing/refund-promise';
import { admits, isVoid, mayComeBack } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { endOf, startOf } from '@beltway/contracts/common/times';
import type { VoidReason, Words } from '../words/english.ts';

export type Sold = Pick<Order, 'orderId' | 'orderNumber' | 'event' | 'tickets' | 'refundable' | 'refundableUntil'>;

/** Until when the buyer may cancel, in words; null while no ticket can be canceled. */
export const cancelLine = (order: Sold, { language }: Words): string | null =>
  order.event.status !== 'canceled' && order.tickets.some(({ status }) => admits(status))
    ? refundLine(order, language)
    : null;

/** Why no ticket of this order admits anybody any more; null while one does, or may again. */
export function voidBecause({ event, tickets }: Pick<Sold, 'event' | 'tickets'>): VoidReason | null {
  if (event.status === 'canceled') return 'event-canceled';
  if (tickets.some(({ status }) => !isVoid(status))) return null;
  return tickets.some(({ status }) => mayComeBack(status)) ? 'disputed' : 'returned';
}

/** PUBLISH puts the order's entry into a calendar, CANCEL takes it out: tickets are void, or the event has no date. */
export const calendarMethod = (order: Pick<Sold, 'event' | 'tickets'>): 'PUBLISH' | 'CANCEL' =>
  voidBecause(order) !== null || order.event.status === 'postponed' ? 'CANCEL' : 'PUBLISH';

/**
 * The event as an iCalendar file (RFC 5545), times in UTC. For void tickets and while the event has no date it takes the entry away
 * that was imported before (RFC 5546, section 4.1.3: the same id, a later sequence, and as organizer the sender `from`).
 * The sequence is the event's version, so that a changed time replaces the one before; void tickets never become valid
 * again, so one more is the last. An entry is an order's: another order for the event keeps its own.
 */
export function calendar(order: Sold, words: Words, url: string, from: string): Promise<string> {
  const because = voidBecause(order);
  const method = calendarMethod(order);
  const count = words.countOfOrder(order.tickets.length, order.orderNumber);
  const postponed = method === 'CANCEL' ? words.calendarPostponed : '';
  return calendarFile({
    name: 'Beltway',
    product: `//Beltway//Tickets//${words.language.toUpperCase()}`,
    method: method === 'CANCEL' ? 'cancel' : 'publish',
    entries: [
      {
        id: `order-${order.orderId}@beltway`,
        sequence: (order.event.version ?? 0) + (because ? 1 : 0),
        status: method === 'CANCEL' ? 'canceled' : 'confirmed',
        organizer: from.includes('<') ? from : `Beltway <${from}>`,
        start: startOf(order.event),
        end: endOf(order.event),
        summary: order.event.title,
        location: order.event.location,
        description: because
          ? `${words.calendarVoid(words.voidBecause(because))} ${url}`
          : `${postponed}${count}: ${url}`,
        url,
      },
    ],
  });
}
