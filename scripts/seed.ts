import { randomUUID } from 'node:crypto';
import { dayAt, daysAfter, HOUR_MS, instantOf, startOf, zonedText } from '@beltway/contracts/common/times';
import type { HoldAnswer } from '@beltway/contracts/ticketing/tickets';
import { call, payByCard, type Json } from './demo/calls.ts';
import { sampleEvents, type SampleEvent } from './demo/events.ts';
import { goLive } from './demo/go-live.ts';
import type { SampleStream } from './demo/streams.ts';
import type { SeedUrls } from './launcher/seed.ts';

const BUYERS = ['Maya Chen', 'Andre Wallace', 'Sofía Rivera', 'Tom Becker', 'Priya Nair', 'Jordan Ellis'];

/** The organizer of the sample events, an account with tickets for one of them, and the password of both. */
export interface SeedAccounts {
  business: string;
  explorer: string;
  password: string;
}
const DEMO: SeedAccounts = {
  business: 'business@beltway.test',
  explorer: 'explorer@beltway.test',
  password: 'demo-beltway',
};

const tokenOf = async (identity: string, email: string, password: string) => ({
  authorization: `Bearer ${String((await call(identity, '/api/auth/login', { email, password }))['token'])}`,
});

/**
 * The day `inDays` from today in the region. From 23:00 on, tomorrow counts as today, because tonight's events are
 * practically over and visitors could no longer buy tickets.
 */
export function dayOf(inDays: number, now = new Date()): string {
  return instantOf(daysAfter(dayAt(new Date(now.getTime() + HOUR_MS)), inDays)).toISOString();
}

const HALF_HOUR_MS = HOUR_MS / 2;

const clockOf = (instant: Date) => zonedText(instant).slice(11, 16);

/**
 * The next half hour that is at least 15 minutes away. In the autumn night in which an hour occurs twice, half hours of
 * the second one are left out, because a stored hour means the first one.
 */
function soonestAt(now: Date): Date {
  const soonest = new Date(Math.ceil(now.getTime() / HALF_HOUR_MS + 0.5) * HALF_HOUR_MS);
  return instantOf(dayAt(soonest), clockOf(soonest)) < soonest ? soonestAt(soonest) : soonest;
}

/** The hours of an event that begins soon, at any time of day, and lasts this many hours. */
export function hoursFromNow(hours: number, now = new Date()) {
  const begins = soonestAt(now);
  const ends = new Date(begins.getTime() + hours * HOUR_MS);
  return {
    eventDate: instantOf(dayAt(begins)).toISOString(),
    eventStartTime: clockOf(begins),
    eventEndTime: clockOf(ends),
  };
}

/** When a sample event takes place. If its start has already passed, it begins 15 to 45 minutes from now. */
export function hoursOf({ inDays, start, end = '' }: Pick<SampleEvent, 'inDays' | 'start' | 'end'>, now = new Date()) {
  const eventDate = dayOf(inDays, now);
  const soonest = soonestAt(now);
  if (startOf({ eventDate, eventStartTime: start }) >= soonest || soonest < new Date(eventDate))
    return { eventDate, eventStartTime: start, eventEndTime: end };
  const later = clockOf(soonest);
  // An event that would end before it begins gets no end time.
  const isShort = end > start && end <= later;
  return { eventDate, eventStartTime: later, eventEndTime: isShort ? '' : end };
}

type Shown = Pick<SampleEvent, 'title' | 'description' | 'location' | 'tags' | 'tickets'>;

const bodyOf = ({ title, description, location, tags, tickets }: Shown, hours: ReturnType<typeof hoursOf>): Json => ({
  title,
  description,
  location,
  ...hours,
  tags,
  imageUrl: '',
  hasTickets: tickets !== undefined,
  ...(!tickets && tags.includes('#free') && { freeEntry: true }),
  isSponsored: false,
  promotionLevel: 'none',
  contactEmail: 'business@beltway.test',
  ...(tickets && { ticketPrice: tickets.price, totalTickets: tickets.total, ticketSalesEnabled: true }),
});

/**
 * Publishes an event. Returns the event's id. If an interrupted start published the event earlier in the evening with
 * other hours, returns the id of that event.
 */
async function publish(
  catalog: string,
  event: Shown,
  hours: ReturnType<typeof hoursOf>,
  headers: Record<string, string>,
): Promise<number> {
  try {
    return Number((await call(catalog, '/api/events', bodyOf(event, hours), headers))['id']);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('idempotency-key-reused'))) throw error;
    const all = (await (await fetch(new URL('/api/events/all', catalog))).json()) as Array<{
      id: number;
      title: string;
    }>;
    const found = all.find(({ title }) => title === event.title);
    if (!found) throw error;
    return found.id;
  }
}

const waitFor = async (url: URL) => {
  for (let tries = 0; tries < 200; tries++) {
    if ((await fetch(url)).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${url.pathname} does not exist`);
};

/** Buys tickets like any visitor: hold, payment intent, test card, tickets. */
async function buy(
  urls: Required,
  eventId: number,
  quantity: number,
  buyer: string,
  hold: () => Promise<Json>,
  publishableKey: string,
  headers: Record<string, string>,
) {
  const { orderId, accessKey } = await hold();
  const intent = await call(
    urls.ticketing,
    '/api/create-ticket-payment-intent',
    {
      eventId,
      quantity,
      orderId,
      accessKey,
      ticketHolderName: buyer,
      ticketHolderEmail: `${buyer
        .split(' ')[0]
        ?.toLowerCase()
        .normalize('NFD')
        .replace(/[^a-z]/g, '')}@example.com`,
    },
    headers,
  );
  const paymentIntentId = await payByCard(urls.sandbox, String(intent['clientSecret']), publishableKey);
  await call(urls.ticketing, '/api/process-ticket-purchase', { paymentIntentId }, headers);
}

type Required = Record<'identity' | 'catalog' | 'ticketing' | 'payments' | 'media' | 'sandbox', string>;

/**
 * Publishes the sample events of the demo business and sells tickets of some events to invented guests. The demo
 * explorer gets two tickets for tonight. The accounts must exist.
 */
export async function seed(given: SeedUrls, say: (text: string) => void, accounts = DEMO): Promise<void> {
  const urls = given as unknown as Required;
  const [business, explorer, provider] = await Promise.all([
    tokenOf(urls.identity, accounts.business, accounts.password),
    tokenOf(urls.identity, accounts.explorer, accounts.password),
    fetch(new URL('/internal/config', urls.payments), { headers: { 'x-internal-token': given.internalToken } }).then(
      (answer) => answer.json() as Promise<Json>,
    ),
  ]);
  const publishableKey = String(provider['publishableKey']);
  const keyed = (key: string) => ({ ...business, 'idempotency-key': key });
  const ids = new Map<SampleEvent, number>();
  for (const [index, event] of sampleEvents.entries())
    ids.set(event, await publish(urls.catalog, event, hoursOf(event), keyed(`demo-event-${index}`)));
  const streaming = goLive({
    ...{ urls, internalToken: given.internalToken, publishableKey, headers: business },
    publish(sample: SampleStream, hours) {
      const times = hoursFromNow(hours);
      // The idempotency key contains the date, because a start on another day publishes different events.
      return publish(
        urls.catalog,
        sample,
        times,
        keyed(`demo-stream-${sample.category.replaceAll(' ', '-')}-${times.eventDate}`),
      );
    },
  });
  streaming.catch(() => undefined);

  const orders = sampleEvents.flatMap((event) => (event.tickets?.sold ?? []).map((quantity) => ({ event, quantity })));
  await Promise.all(
    [...new Set(orders.map(({ event }) => event))].map((event) =>
      waitFor(new URL(`/api/events/${ids.get(event)}/availability`, urls.ticketing)),
    ),
  );
  await Promise.all(
    orders.map(async ({ event, quantity }, index) => {
      const mine = index === 0;
      const buyer = mine ? 'Demo Explorer' : (BUYERS[index % BUYERS.length] ?? 'Guest');
      const eventId = ids.get(event) ?? 0;
      const key = `demo-order-${index}`;
      const hold = async () => {
        if (mine)
          return call(urls.ticketing, '/api/holds', { eventId, quantity }, { ...explorer, 'idempotency-key': key });
        // The server generates new guest keys at each start. The seed calls as a service, so it may choose a guest key.
        const request = { key, gatewayKey: true, requestId: randomUUID(), body: JSON.stringify({ eventId, quantity }) };
        const internal = { 'x-internal-token': given.internalToken };
        const { answers } = await call(urls.ticketing, '/internal/holds', { holds: [request] }, internal);
        const [answer] = answers as HoldAnswer[];
        if (answer?.status !== 201) throw new Error(`the hold was answered ${answer?.status}: ${answer?.body}`);
        return JSON.parse(answer.body) as Json;
      };
      await buy(urls, eventId, quantity, buyer, hold, publishableKey, mine ? explorer : {}).catch((error: Error) => {
        // An interrupted start has already bought these tickets.
        if (!/hold-gone|unexpected_state/.test(error.message)) throw error;
      });
    }),
  );
  const streams = await streaming;
  say(`${sampleEvents.length} sample events, ${orders.length} sample orders, ${streams} sample live streams`);
}
