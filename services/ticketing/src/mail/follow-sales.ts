import { follow, type Follower, type Store } from '@beltway/event-store';
import { enqueue } from '@beltway/kit/jobs';
import { ASKED_REASONS, MONEY_EVENTS, type AskedReason, type SaleEvent } from '../sale/events.ts';
import { queueForLateOrders } from './changes.ts';
import { mailJob, orderMails, type QueuedKind } from './queue.ts';

type MoneyEvent = Extract<SaleEvent, { type: (typeof MONEY_EVENTS)[number] }>;
const isAsked = (reason: string): reason is AskedReason => (ASKED_REASONS as readonly string[]).includes(reason);

/** The kind of mail that a log event causes; null: none. */
function kindOf({ type, data }: MoneyEvent): QueuedKind | null {
  switch (type) {
    case 'TicketsSold':
      return 'tickets';
    case 'PaymentNotFulfilled':
      // The order and its buyer were lost, so there is no recipient.
      return data.reason === 'order-lost' ? null : data.reason;
    case 'TicketsReturned':
      return isAsked(data.reason) ? `refund-asked:${data.refundId}` : data.reason;
  }
}

/**
 * Queues the mails that a sale's events cause. It does so in the transaction that moves the follower's checkpoint, so
 * that after a crash no mail is lost or queued twice. The queue is not a read model, so a rebuild does not send mails
 * again. `queued` is called after the commit.
 */
export const queueMailsOfSales = (store: Store, queued: () => void): Follower =>
  follow(store, {
    name: 'mail',
    transactional: true,
    types: MONEY_EVENTS,
    handled: queued,
    handle: async (events, db) => {
      const jobs = events.flatMap((event) => {
        const { orderId } = event.data as MoneyEvent['data'];
        const kind = kindOf(event as MoneyEvent);
        return kind === null ? [] : [mailJob(orderId, kind, { traceparent: event.traceparent })];
      });
      await enqueue(db, orderMails, jobs);
      const sold = events
        .filter(({ type }) => type === 'TicketsSold')
        .map(({ data }) => (data as { orderId: string }).orderId);
      if (sold.length > 0) await queueForLateOrders(db, sold);
    },
  });
