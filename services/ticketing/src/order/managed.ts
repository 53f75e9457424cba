import { Router } from 'express';
import type { ManagedOrder } from '@beltway/contracts/ticketing/orders';
import { callerOf } from '@beltway/kit/auth';
import { languageOf } from '@beltway/kit/language';
import type { Deps } from '../deps.ts';
import { mailsOf } from '../mail/queue.ts';
import { managerOf, orderOf, secretAnswer } from './access.ts';
import { orderAnswer } from './answer.ts';
import { historyOf } from './history.ts';
import { kysely } from '../db.ts';

const MAX_MAILS = 100;

/** Order details for the event's organizer and admins. */
export function managedOrderRoutes(deps: Deps): Router {
  const { auth, log, payments, pool } = deps;
  const router = Router();

  /**
   * An order with its payment, refunds, mails and history (in the language of `Accept-Language`). Before it responds,
   * records that the caller viewed the order. If payments is down, responds without the payment.
   */
  router.get('/api/orders/:orderId/managed', auth.signedIn, async (req, res) => {
    const row = await orderOf(deps, req);
    const role = managerOf(req, row);
    const { orderId, eventId } = row;
    const language = languageOf(req) ?? 'en';
    await kysely(pool)
      .insertInto('orderLooks')
      .values({ orderId, accountId: callerOf(req).id, role })
      .execute();
    const [answer, history, mails, asked] = await Promise.all([
      orderAnswer(deps, row),
      historyOf(pool, eventId, orderId, language),
      mailsAbout(deps, orderId),
      payments.ofOrder(orderId, language).then(
        (payment) => ({ payment, paymentUnavailable: false }),
        (error: unknown) => {
          log.warn({ err: error, orderId }, 'payments did not return the payment of an order');
          return { payment: null, paymentUnavailable: true };
        },
      ),
    ]);
    const { tickets, refunds, claimable: _claimable, extendable: _extendable, ...order } = answer;
    const { history: paid = [], ...payment } = asked.payment ?? {};
    const managed: ManagedOrder = {
      order: { ...order, refunds },
      tickets: tickets.map(({ ticketCode: _code, qrCode: _qr, ...ticket }) => ticket),
      payment: asked.payment && (payment as ManagedOrder['payment']),
      paymentUnavailable: asked.paymentUnavailable,
      refunds,
      history: [...history, ...paid].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
      mails,
    };
    secretAnswer(res).json(managed);
  });

  return router;
}

async function mailsAbout({ pool }: Pick<Deps, 'pool'>, orderId: string): Promise<ManagedOrder['mails']> {
  const mails = await mailsOf(pool, orderId, MAX_MAILS);
  return mails.map(({ kind, status, queuedAt, sentAt }) => ({
    ...{ kind, status, queuedAt: queuedAt.toISOString(), sentAt: sentAt?.toISOString() ?? null },
  }));
}
