import { follow, type Follower, type Store } from '@beltway/event-store';
import { enqueue } from '@beltway/kit/jobs';
import { MONEY_EVENTS } from '../sale/events.ts';
import { queueForLateOrders } from './changes.ts';
import { mailJob, orderMails, type MailKind } from './queue.ts';

/**
 * Queues the mails that follow from a sale's events, in the transaction that moves the follower's checkpoint: no crash loses a mail or
 * queues it twice. It is no read model: a rebuild does not send again. `queued` is called when the mails can be seen.
 */
export const queueMailsOfSales = (store: Store, queued: () => void): Follower =>
  follow(store, {
    name: 'mail',
    transactional: true,
    types: MONEY_EVENTS,
    handled: queued,
    handle: async (events, db) => {
      const jobs = events.flatMap(({ type, data, traceparent }) => {
        const { orderId, reason, refundId } = data as {
          orderId: string;
          reason?: MailKind | 'order-lost';
          refundId?: string;
        };
        // The order's owner is lost with it.
        if (reason === 'order-lost') return [];
        const ofRefund = refundId === undefined ? reason! : (`refund-asked:${refundId}` as const);
        return [mailJob(orderId, type === 'TicketsSold' ? 'tickets' : ofRefund, { traceparent })];
      });
      await enqueue(db, orderMails, jobs);
      const sold = events
        .filter(({ type }) => type === 'TicketsSold')
        .map(({ data }) => (data as { orderId: string }).orderId);
      if (sold.length > 0) await queueForLateOrders(db, sold);
    },
  });
