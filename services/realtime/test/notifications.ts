import { randomUUID } from 'node:crypto';
import { linesOf } from '@beltway/contracts/testing/lines';
import type { NotificationPage, Unread } from '@beltway/contracts/realtime/notifications';
import { eventually } from '@beltway/kit/testing';
import { startRealtime, type Realtime } from './realtime.ts';

const TOPICS = ['catalog.events', 'ticketing.events', 'payments.events', 'identity.events'];

interface Said {
  id: string;
  type: string;
  version: number;
  key: string;
  occurredAt: string;
  correlationId: string;
  causationId: string;
  data: Record<string, unknown>;
}

/** A message as another service publishes it. */
export function said(type: string, key: string, data: Record<string, unknown>, more: Partial<Said> = {}): Said {
  const id = randomUUID();
  const occurredAt = new Date().toISOString();
  return { id, type, version: 1, key, occurredAt, correlationId: id, causationId: id, data, ...more };
}

/** The state of an event as the catalog publishes it. */
export const eventState = (eventId: number, more: Record<string, unknown> = {}) => ({
  eventId,
  version: 1,
  ownerId: 1,
  title: 'Go-Go Night',
  location: 'The Anthem, Washington, DC',
  imageUrl: null,
  eventDate: '2030-12-04T05:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: null,
  description: 'Live',
  tags: [],
  hasTickets: true,
  salesEnabled: true,
  salesStart: null,
  salesEnd: null,
  priceCents: 2_500,
  capacity: 100,
  refundDeadlineHours: 24,
  ...more,
});

export const purchase = (
  eventId: number,
  buyerId: number | null,
  {
    orderId = randomUUID() as string,
    quantity = 2,
    ...more
  }: { orderId?: string; quantity?: number } & Partial<Said> = {},
) =>
  said(
    'ticketing.ticket-purchased',
    `sale-${eventId}`,
    { orderId, eventId, quantity, paymentId: 'pi_1', lines: linesOf(quantity), totalCents: quantity * 2_500, buyerId },
    more,
  );

export interface Answer<Body> {
  status: number;
  body: Body;
}

/** SQL: jobs of facts. */
export const IS_FACT = `queue in ('notification-fact', 'search-match')`;

/** Starts realtime, with helpers for messages of other services and for its calls. */
export async function startBell(options: Parameters<typeof startRealtime>[0] = {}) {
  const realtime: Realtime = await startRealtime(options);

  async function call<Body = never>(method: string, path: string, as?: number, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(realtime.url + path, {
      method,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${await realtime.tokenOf({ id: as })}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as Body };
  }

  return Object.assign(realtime, {
    call,
    /** Publishes messages, each to the topic of its service. */
    hear: async (...messages: Said[]) => {
      for (const message of messages) await realtime.bus.publish(`${message.type.split('.')[0]}.events`, [message]);
    },
    /**
     * Resolves when all messages are handled and all due notifications are sent. `waiting`: how many facts may still
     * wait for a message that the test has not sent yet.
     */
    settled: async (waiting = 0) => {
      await eventually(async () =>
        Object.values(await realtime.bus.lag('realtime.notifications', TOPICS)).every((lag) => lag === 0),
      );
      await eventually(async () => {
        await realtime.pool.query(`update jobs set run_at = now() where lease is null and ${IS_FACT}`);
        await realtime.ring();
        return (await realtime.pool.query(`select from jobs where ${IS_FACT}`)).rowCount === waiting;
      });
    },
    /** Makes the waiting jobs of a queue due this many milliseconds earlier. */
    passTime: (queue: string, ms: number) =>
      realtime.pool.query(
        `update jobs set run_at = run_at - make_interval(secs => $2) where queue = $1 and status = 'waiting' and lease is null`,
        [queue, ms / 1_000],
      ),
    list: async (as: number, query = '') =>
      (await call<NotificationPage>('GET', `/api/me/notifications${query}`, as)).body,
    unread: async (as: number) => (await call<Unread>('GET', '/api/me/notifications/unread', as)).body.unread,
  });
}
export type Bell = Awaited<ReturnType<typeof startBell>>;
