import { randomUUID } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import type { OrderLink } from '@beltway/contracts/ticketing/tickets';
import { CommandReused, uuidFrom } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { queueNewLink } from '../mail/queue.ts';
import { accessKeyOf, assertMayOpen, isAccessKey, openOrder, orderOf, secretAnswer } from '../order/access.ts';
import { orderAnswer } from '../order/answer.ts';
import { orderById, type OrderRow } from '../order/queries.ts';
import { isPaid } from '../order/status.ts';
import type { SaleCommand } from '../sale/command.ts';
import { decidedAt } from '../sale/log.ts';

/**
 * Links that an order may be given within an hour. A buyer needs one; each is mailed, and ends the one before. The
 * buyer's account has more than whoever has the link: a stranger who got it must not be able to keep the buyer from
 * revoking it.
 */
const MAX_BY_LINK = 5;
const MAX_BY_BUYER = 10;
const WITHIN_MS = 60 * 60_000;

/** A bought order's link ends when the order is claimed by an account, or when another link is asked for. */
export function linkRoutes(deps: Deps): Router {
  const { sales, pool, auth, ticketSecret } = deps;
  const router = Router();

  /**
   * Ends one generation of an order's link. The command's id names the generation, so of two at once (another account
   * claims, the buyer renews) one is decided. The other one throws CommandReused: the key it was allowed by opens
   * nothing any more.
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
   * A guest's bought order is saved to the account of the caller, who shows its key. 200 Order, again for a repeat. 409
   * `order-claimed` (it belongs to another account), `not-bought`. The link that was used opens nothing from then on.
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
   * Another link, for the order's buyer or whoever has the present one, which opens nothing from then on; it is mailed
   * too. 200 OrderLink; 429 `too-many-links` after five within an hour. With an Idempotency-Key the call may be sent
   * again under the old key: without its answer a guest would be locked out.
   */
  router.post('/api/orders/:orderId/link', auth.optional, async (req, res) => {
    const order = await orderOf(deps, req);
    const shown = req.get('x-order-key');
    const by = `renew:${idempotencyKeyOf(req) ?? randomUUID()}`;
    const before = { orderId: order.orderId, linkGeneration: order.linkGeneration - 1 };
    const isRepeat = before.linkGeneration >= 0 && isAccessKey(ticketSecret, before, shown);
    if (!isRepeat) assertMayOpen(ticketSecret, order, req.caller?.id, shown);
    assertBought(order);
    // Queued before too: should this process end in between, the buyer's mail still says which link is good.
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

  return router;
}

/** The id of the command that ended the generation before this one: of two at once, one is decided. */
export const linkCommand = (orderId: string, linkGeneration: number) => `link:${orderId}:${linkGeneration}`;

/**
 * Throws 429 when the order was given that many links within the last hour. The log knows when: nothing is counted
 * apart from it.
 */
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
