import { Router } from 'express';
import { z } from 'zod';
import {
  MAX_SEARCH_BYTES,
  FoundOrders,
  FoundPayments,
  OpsSearchBody,
  PROVIDER_ID,
  TimelineOf,
  type OpsFound,
  type Timeline,
  type TimelinePart,
} from '@beltway/contracts/ops/timelines';
import type { Authenticator } from '@beltway/kit/auth';
import { internalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';
import type { Audit } from './audit.ts';
import { jsonOf } from './json.ts';

const TIMEOUT_MS = 6_000;
const NO_ORDERS: FoundOrders = { orders: [], nextCursor: null };
const NO_PAYMENTS: FoundPayments = { payments: [] };

/** Describes a search in the audit. The search text itself may be a person's email address or a ticket's code. */
const kindOf = (q: string): string =>
  q.includes('@') ? 'an address' : z.uuid().safeParse(q).success || PROVIDER_ID.test(q) ? q : 'a number or code';

interface Options {
  config: Config;
  backends: Backends;
  auth: Pick<Authenticator, 'role'>;
  audit: Audit;
  log: Logger;
}

/**
 * Search and history over all services, for admins: joins the parts that the services return
 * (docs/operations/ops-page.md).
 */
export function timelineRoutes({ config, backends, auth, audit, log }: Options): Router {
  const admin = auth.role('admin');
  const client = (service: TimelinePart) => internalClient(backends[service], config.INTERNAL_TOKEN, TIMEOUT_MS);
  const clients = {
    ...{ catalog: client('catalog'), ticketing: client('ticketing') },
    ...{ payments: client('payments'), identity: client('identity') },
  };

  /** Requests one service's part. If the service does not respond, adds it to `missing`. Rethrows a refusal (400). */
  async function part<T>(service: TimelinePart, ask: () => Promise<T>, missing: Set<TimelinePart>) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof HttpProblem && error.status === 400) throw error;
      log.warn({ err: error, service }, 'a service did not return its part of a search or timeline');
      missing.add(service);
      return undefined;
    }
  }

  const ordersOf = (q: string, cursor: string | undefined, missing: Set<TimelinePart>) =>
    part(
      'ticketing',
      async () =>
        FoundOrders.parse(
          await clients.ticketing.post('/internal/ops/search', { q, ...(cursor !== undefined && { cursor }) }),
        ),
      missing,
    );
  const paymentsOf = (q: string, missing: Set<TimelinePart>) =>
    part(
      'payments',
      async () => FoundPayments.parse(await clients.payments.post('/internal/ops/search', { q })),
      missing,
    );

  const router = Router();

  /**
   * 200 OpsFound. 400 with an error for each wrong field, or `bad-cursor`. The audit entry omits the search text unless
   * it is an id.
   */
  router.post('/api/ops/search', admin, async (req, res) => {
    const { q, cursor } = OpsSearchBody.parse(await jsonOf(req, MAX_SEARCH_BYTES));
    await audit({ req, res }, 'searched', 'search', kindOf(q));
    const missing = new Set<TimelinePart>();
    const [found = NO_ORDERS, { payments } = NO_PAYMENTS] = await Promise.all([
      ordersOf(q, cursor, missing),
      // Only ticketing can search email addresses and return further pages.
      q.includes('@') || cursor !== undefined ? NO_PAYMENTS : paymentsOf(q, missing),
    ]);
    // Only payments can find the order of a refund or dispute by the card provider's id.
    const [payment] = payments;
    const asked = found.orders.length === 0 && payment?.purpose === 'tickets' && !missing.has('ticketing');
    const { orders, nextCursor } = (asked ? await ordersOf(payment.id, undefined, missing) : found) ?? NO_ORDERS;
    const ids = new Set([...orders.map(({ orderId }) => orderId), ...payments.map(({ id }) => id)]);
    res.set('cache-control', 'no-store').json({
      items: [...ids].map((id) => ({
        id,
        order: orders.find(({ orderId }) => orderId === id) ?? null,
        payment: payments.find((payment) => payment.id === id) ?? null,
      })),
      missing: [...missing],
      nextCursor,
    } satisfies OpsFound);
  });

  /** 200 Timeline, or 404 for an unknown id. The view is recorded first, so it appears as the last step. */
  router.post('/api/ops/timelines/:timelineId', admin, async (req, res) => {
    const asked = z.uuid().safeParse(req.params['timelineId']);
    if (!asked.success) throw notFound('order-or-payment');
    const id = asked.data.toLowerCase();
    await audit({ req, res }, 'timeline-looked-at', id);
    const missing = new Set<TimelinePart>();
    const stepsOf = (service: 'ticketing' | 'payments' | 'identity') =>
      part(service, async () => TimelineOf.parse(await clients[service].get(`/internal/ops/timelines/${id}`)), missing);
    const services = ['ticketing', 'payments', 'identity'] as const;
    /** Reads the history of the order's event. */
    const ofEvent = (eventId: number) =>
      part(
        'catalog',
        async () => TimelineOf.parse(await clients.catalog.get(`/internal/ops/events/${eventId}/timeline`)),
        missing,
      );
    const [parts, found, paid] = await Promise.all([
      Promise.all(services.map(stepsOf)),
      ordersOf(id, undefined, missing),
      paymentsOf(id, missing),
    ]);
    const order = found?.orders.find(({ orderId }) => orderId === id) ?? null;
    const payment = paid?.payments.find((one) => one.id === id) ?? null;
    // Identity records every viewed id in the audit. Only ticketing and payments know whether an order with this id
    // exists.
    const isKnown = order !== null || payment !== null || parts[0]?.known === true || parts[1]?.known === true;
    if (!isKnown && !missing.has('ticketing') && !missing.has('payments')) throw notFound('order-or-payment');
    const event = order === null ? undefined : await ofEvent(order.eventId);
    const all = [
      { service: 'catalog' as const, part: event },
      ...services.map((service, at) => ({ service, part: parts[at] })),
    ];
    const steps = all.flatMap(({ service, part }) => (part?.steps ?? []).map((step) => ({ ...step, service })));
    res.set('cache-control', 'no-store').json({
      ...{ id, order, payment },
      steps: steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
      missing: [...missing],
      cut: all.filter(({ part }) => part?.isCut === true).map(({ service }) => service),
    } satisfies Timeline);
  });

  return router;
}
