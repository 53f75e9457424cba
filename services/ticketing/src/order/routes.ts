import { Router, type Request } from 'express';
import { OrderSearch, type FoundOrder, type Order } from '@beltway/contracts/ticketing/tickets';
import { callerOf } from '@beltway/kit/auth';
import { Rejected } from '@beltway/kit/rejected';
import { clientLeft } from '@beltway/kit/client-left';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import { queueTicketsAgain } from '../mail/queue.ts';
import { calendar } from '../ticket/calendar.ts';
import { assertMayOpen, managerRole, openOrder, orderLink, orderOf, secretAnswer } from './access.ts';
import { orderAnswer } from './answer.ts';
import { readOrderNumber } from './number.ts';
import { orderByNumber, type OrderRow } from './queries.ts';
import { ticketsOfBuyer } from './tickets.ts';
import { wordsOf } from '../words/words.ts';

/** Reads of orders and tickets for buyers and support. */
export function orderRoutes(deps: Deps): Router {
  const { auth, papers, pool, publicUrl, signer, support, ticketSecret } = deps;
  const router = Router();

  /** An order with its tickets, for its buyer or the holder of its link (`x-order-key`); 404 for others. */
  router.get('/api/orders/:orderId', auth.optional, async (req, res) => {
    const order = await openOrder(deps, req);
    secretAnswer(res).json(await orderAnswer(deps, order));
  });

  const withTickets = async (req: Request): Promise<{ row: OrderRow; order: Order }> => {
    const row = await openOrder(deps, req);
    const order = await orderAnswer(deps, row);
    if (order.tickets.length === 0) throw notFound('ticket-of-order');
    return { row, order };
  };

  /**
   * All tickets of an order as one PDF, with one page per admission. Void tickets are marked. 404 if the order has no
   * tickets.
   */
  router.get('/api/orders/:orderId/tickets.pdf', auth.optional, async (req, res) => {
    const { row, order } = await withTickets(req);
    secretAnswer(res).type('application/pdf').set('content-disposition', 'inline; filename="tickets.pdf"');
    // The PDF's length is unknown before it is drawn, and a response to HEAD may omit it (RFC 9110, 8.6).
    if (req.method === 'HEAD') return void res.end();
    const poster = await deps.pictures.of(order.event.imageUrl);
    const parts = { words: wordsOf(row), poster, support, siteUrl: publicUrl };
    res.send(await papers.tickets(order, parts, clientLeft(res)));
  });

  /**
   * The event as an iCalendar file. For void tickets, the file removes the calendar entry. 404 if the order has no
   * tickets.
   */
  router.get('/api/orders/:orderId/event.ics', auth.optional, async (req, res) => {
    const { row, order } = await withTickets(req);
    const text = await calendar(order, wordsOf(row), {
      url: orderLink(publicUrl, ticketSecret, row),
      from: deps.mailFrom,
    });
    secretAnswer(res)
      .type('text/calendar; charset=utf-8')
      .set('content-disposition', 'attachment; filename="event.ics"')
      .send(text);
  });

  /**
   * Mails the tickets again, to the order's email address. Allowed for the order's buyer, the holder of its link, the
   * event's organizer and admins. 204; 409 `not-bought`, `order-disputed`; 429 `too-many-mails`.
   */
  router.post('/api/orders/:orderId/mail', auth.optional, async (req, res) => {
    const order = await orderOf(deps, req);
    if (managerRole(req, order) === null) assertMayOpen(ticketSecret, order, req.caller?.id, req.get('x-order-key'));
    const { orderId, status, frozen, isVoid } = order;
    if (status !== 'fulfilled') throw new Rejected('not-bought.nothing-to-mail');
    if (frozen || isVoid) throw new Rejected('order-disputed.mail');
    if (!(await queueTicketsAgain(pool, orderId)))
      throw new HttpProblem(429, 'too-many-mails', {
        retryAfter: 3_600,
      });
    secretAnswer(res).status(204).end();
  });

  /**
   * Finds an order by the number that a buyer gives to support. Admins only. The response contains no ticket codes. 400
   * `bad-order-number` if the number is invalid.
   */
  router.get('/api/orders', auth.role('admin'), async (req, res) => {
    const number = readOrderNumber(OrderSearch.parse(req.query).number);
    if (number === null) throw new HttpProblem(400, 'bad-order-number');
    const row = await orderByNumber(pool, number);
    if (!row) throw notFound('order-number');
    const { tickets: _codes, claimable: _claimable, extendable: _extendable, ...order } = await orderAnswer(deps, row);
    const answer: FoundOrder = { ...order, paymentId: row.paymentId };
    res.set('cache-control', 'private, no-store').json(answer);
  });

  /** The signed-in user's own tickets (services/ticketing/PRODUCT.md#tickets). */
  router.get('/api/tickets/my-tickets', auth.signedIn, async (req, res) => {
    res.set('cache-control', 'private, no-store').json(await ticketsOfBuyer(deps, callerOf(req).id));
  });

  /** The public key for checking tickets at the door: Ed25519, SPKI in PEM. */
  router.get('/api/tickets/signing-key', (_req, res) => {
    res.set('cache-control', 'public, max-age=3600').json({ algorithm: 'Ed25519', publicKey: signer.publicKey });
  });

  return router;
}
