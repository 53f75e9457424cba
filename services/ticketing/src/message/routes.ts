import { randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import { OrderMessageBody } from '@beltway/contracts/ticketing/orders';
import { CommandReused, fingerprintOf, uuidFrom } from '@beltway/event-store';
import { DAY_S, ofAccount, ofNetworks, tooMuch, type Allowance } from '@beltway/kit/allowances';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { addressOf } from '@beltway/kit/rate-limit';
import { Rejected } from '@beltway/kit/rejected';
import type { Deps } from '../deps.ts';
import { messageIdsOf, queueMessage, type MessageKind } from '../mail/queue.ts';
import { assertMayOpen, managerRole, orderOf, secretAnswer } from '../order/access.ts';
import type { OrderRow } from '../order/queries.ts';
import { isPaid } from '../order/status.ts';

/** Maximum messages about one order in each direction. */
const OF_ORDER: Allowance = { name: 'order-messages', max: 5, perSeconds: DAY_S };
/** Maximum messages of one buyer over all orders, and of all guests and unverified accounts of a network. */
const OF_BUYER: Allowance = { name: 'messages-of-buyer', max: 20, perSeconds: DAY_S };
const OF_NETWORK: Allowance = { name: 'messages-of-network', max: 60, perSeconds: DAY_S };
/**
 * Maximum messages of an organizer or admin over all orders. The limit is high, because buyers of a popular event have
 * many questions.
 */
const OF_MANAGER: Allowance = { name: 'messages-of-manager', max: 300, perSeconds: DAY_S };

/**
 * Messages between a buyer and the event's organizer. They are sent by mail, without the email address of the buyer or
 * the organizer.
 */
export function messageRoutes(deps: Deps): Router {
  const { auth, pool, ticketSecret, allowances, contacts } = deps;
  const router = Router();

  /** The allowances against which a message counts. */
  const sharesOf = (req: Request, order: OrderRow, kind: MessageKind) => {
    const { caller } = req;
    const { orderId, buyerId, holderEmail } = order;
    const ofOrder = { allowance: OF_ORDER, of: `${kind}:${orderId}`, amount: 1 };
    if (kind === 'message-to-buyer') return [ofOrder, ofAccount(OF_MANAGER, caller!.id, 1)];
    const ofBuyer =
      buyerId === null
        ? { allowance: OF_BUYER, of: `email:${holderEmail?.toLowerCase() ?? orderId}`, amount: 1 }
        : ofAccount(OF_BUYER, buyerId, 1);
    const address = addressOf(req);
    const isVerified = caller !== undefined && caller.id === buyerId && caller.isVerified;
    return [ofOrder, ofBuyer, ...(isVerified || address === undefined ? [] : ofNetworks(OF_NETWORK, address, 1))];
  };

  /**
   * Mails a message about a paid order: from its buyer or the holder of its link to the organizer, or from the
   * organizer or an admin to the buyer. 204, also for a repeated request with the same `Idempotency-Key`; 404 for
   * others; 409 `not-bought`, `buyer-erased`, `organizer-unreachable`; 422 if the key belongs to another message; 429
   * `too-many-order-messages`.
   */
  router.post('/api/orders/:orderId/messages', auth.optional, async (req, res) => {
    const order = await orderOf(deps, req);
    const { orderId, buyerId } = order;
    const { caller } = req;
    // An organizer or admin who bought the order writes as its buyer.
    const isManager = managerRole(req, order) !== null && (caller!.id !== buyerId || buyerId === null);
    if (!isManager) assertMayOpen(ticketSecret, order, caller?.id, req.get('x-order-key'));
    const { text } = OrderMessageBody.parse(req.body);
    if (!isPaid(order.status)) throw new Rejected('not-bought');
    const kind = isManager ? 'message-to-buyer' : 'message-to-organizer';
    if (isManager ? !order.holderEmail : !(await contacts.of(order.eventId)))
      throw new Rejected(isManager ? 'buyer-erased' : 'organizer-unreachable');

    const key = uuidFrom(`${kind}:${orderId}:${caller?.id ?? 'link'}:${idempotencyKeyOf(req) ?? randomUUID()}`);
    const id = `${key}.${fingerprintOf(text).slice(0, 16)}`;
    const known = await messageIdsOf(pool, orderId, kind, key);
    if (known.some((one) => one !== id)) throw new CommandReused();
    if (known.length === 0) {
      const wait = await allowances.take(sharesOf(req, order, kind));
      if (wait > 0) throw tooMuch('too-many-order-messages', wait);
      await queueMessage(pool, orderId, { kind, id, text });
    }
    secretAnswer(res).status(204).end();
  });

  return router;
}
