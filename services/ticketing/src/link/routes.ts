import { randomUUID } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { OrderAddressBody } from '@beltway/contracts/ticketing/orders';
import type { OrderLink } from '@beltway/contracts/ticketing/tickets';
import { CommandReused, uuidFrom } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { queueNewLink } from '../mail/queue.ts';
import {
  accessKeyOf,
  assertMayOpen,
  isAccessKey,
  managerOf,
  openOrder,
  orderOf,
  secretAnswer,
} from '../order/access.ts';
import { orderAnswer } from '../order/answer.ts';
import { orderById, type OrderRow } from '../order/queries.ts';
import { isPaid } from '../order/status.ts';
import type { SaleCommand } from '../sale/command.ts';
import { decidedAt } from '../sale/log.ts';
import { correctAddress } from './address.ts';
import { linkCommand } from './command.ts';

/**
 * Limits on new links of an order per hour. A buyer needs only one new link. Each new link is mailed, and the previous
 * link is revoked. The limit for the buyer's account is higher than the limit for a holder of the link. Otherwise a
 * stranger with the link could use up the limit, and the buyer could not revoke the link.
 */
const MAX_BY_LINK = 5;
const MAX_BY_BUYER = 10;
const WITHIN_MS = 60 * 60_000;

/** Routes that revoke an order's link: a claim, a new link, and a corrected email address. */
export function linkRoutes(deps: Deps): Router {
  const { sales, pool, auth, ticketSecret } = deps;
  const router = Router();

  /**
   * Ends one generation of an order's link. The command's id contains the generation. So if two commands are concurrent
   * (another account claims, the buyer renews), only one of them is decided. The other command throws `CommandReused`,
   * because the key that authorized it is now revoked.
   */
  const endLink = async (
    order: OrderRow,
    command: SaleCommand & { linkGeneration: number },
    by: string,
    req: Request,
    res: Response,
  ) => {
    await sales.handle(order.eventId, command, {
      commandId: linkCommand(order.orderId, command.linkGeneration),
      fingerprint: by,
      correlationId: requestIdOf(res),
      ...(req.caller && { userId: req.caller.id }),
    });
  };
  const assertBought = ({ status }: OrderRow) => {
    if (!isPaid(status)) throw new Rejected('not-bought');
  };
  const onlyOnce = (error: unknown): never => {
    throw error instanceof CommandReused ? notFound('order') : error;
  };

  /**
   * Saves a guest's bought order to the caller's account and revokes the order's link. The order's access key
   * authorizes the call. 200 Order, also for a repeated request. 409 `order-claimed` (the order belongs to another
   * account), `not-bought`.
   */
  router.post('/api/orders/:orderId/claim', auth.signedIn, async (req, res) => {
    const { id: buyerId } = callerOf(req);
    const found = await openOrder(deps, req);
    if (found.buyerId !== buyerId) {
      if (found.buyerId !== null) throw new Rejected('order-claimed');
      assertBought(found);
      const { orderId, quantity } = found;
      const linkGeneration = found.linkGeneration + 1;
      await endLink(
        found,
        { type: 'ClaimOrder', orderId, quantity, buyerId, linkGeneration },
        `claim:${buyerId}`,
        req,
        res,
      ).catch(onlyOnce);
    }
    const order = await orderById(pool, found.orderId);
    if (!order) throw notFound('order');
    secretAnswer(res).json(await orderAnswer(deps, order));
  });

  /**
   * Issues a new link to the order's buyer or the holder of the current link, mails the new link, and revokes the
   * current link. 200 OrderLink; 429 `too-many-links` after five within an hour. With an Idempotency-Key the call can
   * be repeated with the old access key. Otherwise a guest who did not receive the response could no longer open the
   * order.
   */
  router.post('/api/orders/:orderId/link', auth.optional, async (req, res) => {
    const order = await orderOf(deps, req);
    const shown = req.get('x-order-key');
    const by = `renew:${idempotencyKeyOf(req) ?? randomUUID()}`;
    const before = { orderId: order.orderId, linkGeneration: order.linkGeneration - 1 };
    const isRepeat = before.linkGeneration >= 0 && isAccessKey(ticketSecret, before, shown);
    if (!isRepeat) assertMayOpen(ticketSecret, order, req.caller?.id, shown);
    assertBought(order);
    // Queues the mail before the command, too. If the process crashes in between, the mail still contains the valid
    // link.
    if (!isRepeat) {
      await assertMayRenew(deps, order, req.caller?.id);
      await queueNewLink(pool, order.orderId, 30);
    }
    const linkGeneration = (isRepeat ? before.linkGeneration : order.linkGeneration) + 1;
    await endLink(order, { type: 'RenewLink', orderId: order.orderId, linkGeneration }, by, req, res).catch(onlyOnce);
    if (!isRepeat) await queueNewLink(pool, order.orderId, 0);
    const accessKey = accessKeyOf(ticketSecret, { orderId: order.orderId, linkGeneration });
    secretAnswer(res).json({ accessKey } satisfies OrderLink);
  });

  /**
   * Corrects the buyer's mistyped email address. Only for the event's organizer and admins; 404 for others. 204, also
   * for a repeated request; 409 `not-bought`, `buyer-erased`; 429 `too-many-corrections`.
   */
  router.put('/api/orders/:orderId/address', auth.signedIn, async (req, res) => {
    const order = await orderOf(deps, req);
    const role = managerOf(req, order);
    const { email } = OrderAddressBody.parse(req.body);
    await correctAddress(deps, order, {
      ...{ email, role, accountId: callerOf(req).id, correlationId: requestIdOf(res) },
    });
    secretAnswer(res).status(204).end();
  });

  return router;
}

/** Throws 429 if `max` links of the order were revoked within the last hour, according to the log. */
async function assertMayRenew(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { orderId, linkGeneration, buyerId }: OrderRow,
  callerId: number | undefined,
): Promise<void> {
  const max = buyerId !== null && buyerId === callerId ? MAX_BY_BUYER : MAX_BY_LINK;
  const oldest = linkGeneration - max + 1;
  if (oldest < 1) return;
  const ended = uuidFrom(linkCommand(orderId, oldest));
  const endedAt = (await decidedAt(pool, [ended])).get(ended);
  const leftMs = endedAt ? endedAt.getTime() + WITHIN_MS - clock().getTime() : 0;
  if (leftMs <= 0) return;
  throw new HttpProblem(429, 'too-many-links', {
    params: { max, minutes: Math.ceil(leftMs / 60_000) },
    retryAfter: Math.ceil(leftMs / 1_000),
  });
}
