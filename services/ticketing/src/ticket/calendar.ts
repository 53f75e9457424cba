import { calendarFile } from '@beltway/calendar/calendar-file';
import { fullAddress } from '@beltway/contracts/catalog/event-links';
import { refundLine } from '@beltway/contracts/ticketing/refund-promise';
import { admits, isVoid, mayComeBack } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { endOf, startOf } from '@beltway/contracts/common/times';
import type { VoidReason, Words } from '../words/english.ts';

export type Sold = Pick<Order, 'orderId' | 'orderNumber' | 'event' | 'tickets' | 'refundable' | 'refundableUntil'>;

/** Until when the buyer may cancel; null if no ticket can be canceled. */
export const cancelLine = (order: Sold, { language }: Words): string | null =>
  order.event.status !== 'canceled' && order.tickets.some(({ status }) => admits(status))
    ? refundLine(order, language)
    : null;

/** Why no ticket of this order admits; null while a ticket admits or is only frozen. */
export function voidBecause({ event, tickets }: Pick<Sold, 'event' | 'tickets'>): VoidReason | null {
  if (event.status === 'canceled') return 'event-canceled';
  if (tickets.some(({ status }) => !isVoid(status))) return null;
  return tickets.some(({ status }) => mayComeBack(status)) ? 'disputed' : 'returned';
}

/**
 * PUBLISH adds the order's entry to a calendar. If the tickets are void or the event has no date, CANCEL removes the
 * entry.
 */
export const calendarMethod = (order: Pick<Sold, 'event' | 'tickets'>): 'PUBLISH' | 'CANCEL' =>
  voidBecause(order) !== null || order.event.status === 'postponed' ? 'CANCEL' : 'PUBLISH';

/** A file's sequence is the number of seconds since then, which fits 31 bits until 2094. */
const SEQUENCES_SINCE = Date.UTC(2026, 0, 1);

/**
 * The event as an iCalendar file (RFC 5545), times in UTC. If the tickets are void or the event has no date, the file
 * removes the entry that was imported before (RFC 5546, section 4.1.3: the same id, a higher sequence, and the sender
 * `from` as organizer). The sequence is the time `now` at which the file is written, because a later file always
 * replaces an earlier one: an event may move, and tickets may become void and, after a won dispute, valid again. Each
 * order has a separate entry, so the entries of other orders for the same event stay.
 */
export function calendar(
  order: Sold,
  words: Words,
  { url, from, now = new Date() }: { url: string; from: string; now?: Date },
): Promise<string> {
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
        sequence: Math.floor((now.getTime() - SEQUENCES_SINCE) / 1000),
        status: method === 'CANCEL' ? 'canceled' : 'confirmed',
        organizer: from.includes('<') ? from : `Beltway <${from}>`,
        start: startOf(order.event),
        end: endOf(order.event),
        summary: order.event.title,
        location: fullAddress(order.event),
        description: because
          ? `${words.calendarVoid(words.voidBecause(because))} ${url}`
          : `${postponed}${count}: ${url}`,
        url,
      },
    ],
  });
}
