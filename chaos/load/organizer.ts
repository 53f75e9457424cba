import { setTimeout as pause } from 'node:timers/promises';
import { startOf, type EventHours } from '@beltway/contracts/common/times';
import { advertise } from './advertiser.ts';
import type { Client } from './client.ts';
import type { SalePlan } from './plan.ts';
import { promote } from './promoter.ts';

const DAY_MS = 86_400_000;
const OPENS_WITHIN_MS = 40_000;

/** Opens sales, and changes or cancels them as planned. */
export function organizerOf(client: Client, token: string, publishableKey: string, stopped: AbortSignal) {
  /** When the events begin, ms since 1970. */
  const startsAt = new Map<number, number>();
  const headers = (key: string) => ({ authorization: `Bearer ${token}`, 'idempotency-key': key });

  /** Opens a sale. Returns the event's id once its tickets are available, or undefined if that took too long. */
  async function open(plan: SalePlan): Promise<number | undefined> {
    const key = `open ${plan.name}`.replaceAll(' ', '-');
    const reply = await client.insist(
      {
        path: '/api/events',
        body: {
          title: plan.name,
          description: 'One of the nights of a chaos run.',
          location: 'Shaw, Washington, DC',
          eventDate: new Date(Date.now() + 7 * DAY_MS).toISOString(),
          eventStartTime: '20:00',
          eventEndTime: '',
          tags: ['#chaos'],
          imageUrl: '',
          hasTickets: true,
          ticketSalesEnabled: true,
          ticketPrice: plan.price,
          totalTickets: plan.capacity,
          isSponsored: false,
          promotionLevel: 'none',
          contactEmail: 'box@example.test',
        },
        headers: headers(key),
        asked: { call: 'open-sale', key, capacity: plan.capacity },
        read: ({ outcome, body }) => (outcome === 'acknowledged' ? { eventId: Number(body['id']) } : {}),
      },
      OPENS_WITHIN_MS,
    );
    if (reply.outcome !== 'acknowledged') return undefined;
    const eventId = Number(reply.body['id']);
    startsAt.set(eventId, startOf(reply.body as unknown as EventHours).getTime());
    for (const until = Date.now() + OPENS_WITHIN_MS; Date.now() < until && !stopped.aborted; await pause(100)) {
      const seen = await client.once({
        method: 'GET',
        path: `/api/events/${eventId}/availability`,
        asked: { call: 'look', key, eventId },
      });
      if (seen.outcome === 'acknowledged') return eventId;
    }
    return undefined;
  }

  /**
   * Sets up payouts, after which the money of earlier sales must be transferred, and the money of later sales is
   * transferred directly. Retries until the account is ready.
   */
  async function setUpPayouts(): Promise<void> {
    const asked = { call: 'look', key: 'payouts' } as const;
    for (let tries = 0; tries < 60 && !stopped.aborted; tries++) {
      const check = await client.once({ path: '/api/payouts/check', body: {}, headers: headers('payouts'), asked });
      if (check.body['state'] === 'ready') return;
      const path = '/api/stripe/create-connect-account';
      const { body } = await client.once({ path, body: {}, headers: headers('payouts'), asked });
      const link = body['accountLinkUrl'];
      if (typeof link === 'string')
        await client.once({
          path: new URL(link).pathname,
          body: new URLSearchParams({ outcome: 'complete' }),
          asked,
        });
      await pause(500);
    }
  }

  const wait = (ms: number) => pause(ms, undefined, { signal: stopped }).catch(() => undefined);

  return {
    open,
    setUpPayouts,
    /** Executes the plan of an opened sale. */
    async follow(plan: SalePlan, eventId: number): Promise<void> {
      const promotions = plan.promotions.map(async (promotion, n) => {
        await wait(promotion.at);
        const of = { eventId, startsAt: startsAt.get(eventId) ?? 0, key: `promote-${eventId}-${n}` };
        if (!stopped.aborted) await promote({ client, token, publishableKey, stopped }, promotion, of);
      });
      const ads = plan.ads.map(async (ad, n) => {
        await wait(ad.at);
        if (!stopped.aborted) await advertise(client, publishableKey, ad, `ad-${eventId}-${n}`);
      });
      if (plan.growsAt !== null) {
        await wait(plan.growsAt);
        const key = `grow-${eventId}`;
        await client.insist({
          method: 'PATCH',
          path: `/api/events/${eventId}`,
          body: { title: `${plan.name}, more of them`, totalTickets: plan.growsTo },
          headers: headers(key),
          asked: { call: 'change-sale', key, eventId, capacity: plan.growsTo },
        });
      }
      if (plan.canceledAt !== null) {
        await wait(plan.canceledAt);
        const key = `cancel-${eventId}`;
        await client.insist({
          path: `/api/events/${eventId}/cancel`,
          headers: headers(key),
          asked: { call: 'cancel-sale', key, eventId },
        });
      }
      await Promise.all([...promotions, ...ads]);
    },
  };
}
