import { randomUUID } from 'node:crypto';
import { sampleEvents, type SampleEvent } from './demo/events.ts';
import type { SeedUrls } from './launcher/seed.ts';

const PASSWORD = 'demo-beltway';
const BUYERS = ['Maya Chen', 'Andre Wallace', 'Sofía Rivera', 'Tom Becker', 'Priya Nair', 'Jordan Ellis'];

type Json = Record<string, unknown>;

/** One call to a service; the same key twice is the same wish, so a start that was cut off seeds the rest. */
async function call(
  base: string,
  path: string,
  body: Json | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Json> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(new URL(path, base), {
    method: 'POST',
    headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

const tokenOf = async (identity: string, email: string) => ({
  authorization: `Bearer ${String((await call(identity, '/api/auth/login', { email, password: PASSWORD }))['token'])}`,
});

/** In the last hour of a day, tonight's events are over or as good as over: nobody could buy their tickets. */
const LAST_HOUR_MS = 3_600_000;

/** The day `inDays` from today in the region: its midnight in winter, an hour later in summer, on that day in any case. From 23:00 on, tomorrow counts as today. */
export function dayOf(inDays: number, now = new Date()): string {
  const soon = new Date(now.getTime() + LAST_HOUR_MS);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(soon);
  return new Date(Date.parse(`${today}T05:00:00Z`) + inDays * 86_400_000).toISOString();
}

const bodyOf = ({ title, description, location, inDays, start, end = '', tags, tickets }: SampleEvent): Json => ({
  title,
  description,
  location,
  eventDate: dayOf(inDays),
  eventStartTime: start,
  eventEndTime: end,
  tags,
  imageUrl: '',
  hasTickets: tickets !== undefined,
  isSponsored: false,
  promotionLevel: 'none',
  contactEmail: 'business@beltway.test',
  ...(tickets && { ticketPrice: tickets.price, totalTickets: tickets.total, ticketSalesEnabled: true }),
});

const waitFor = async (url: URL) => {
  for (let tries = 0; tries < 200; tries++) {
    if ((await fetch(url)).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${url.pathname} is not there`);
};

/** Buys as anybody would: hold, intent, test card, tickets. */
async function buy(
  urls: Required,
  eventId: number,
  quantity: number,
  buyer: string,
  key: string,
  publishableKey: string,
  headers: Record<string, string>,
) {
  const intent = await call(
    urls.ticketing,
    '/api/create-ticket-payment-intent',
    {
      eventId,
      quantity,
      ticketHolderName: buyer,
      ticketHolderEmail: `${buyer
        .split(' ')[0]
        ?.toLowerCase()
        .normalize('NFD')
        .replace(/[^a-z]/g, '')}@example.com`,
    },
    { 'idempotency-key': key, ...headers },
  );
  const paymentIntentId = String(intent['paymentIntentId']);
  await call(
    urls.sandbox,
    `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`,
    new URLSearchParams({
      key: publishableKey,
      client_secret: String(intent['clientSecret']),
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
      'payment_method_data[card][cvc]': '123',
    }),
    { 'idempotency-key': randomUUID() },
  );
  await call(urls.ticketing, '/api/process-ticket-purchase', { paymentIntentId }, headers);
}

type Required = Record<'identity' | 'catalog' | 'ticketing' | 'payments' | 'sandbox', string>;

/** Sample events by the demo business, some of them sold to made-up guests; the demo explorer holds two tickets for tonight. */
export async function seed(given: SeedUrls, say: (text: string) => void): Promise<void> {
  const urls = given as unknown as Required;
  const [business, explorer, provider] = await Promise.all([
    tokenOf(urls.identity, 'business@beltway.test'),
    tokenOf(urls.identity, 'explorer@beltway.test'),
    fetch(new URL('/internal/config', urls.payments), { headers: { 'x-internal-token': given.internalToken } }).then(
      (answer) => answer.json() as Promise<Json>,
    ),
  ]);
  const publishableKey = String(provider['publishableKey']);
  const ids = new Map<SampleEvent, number>();
  for (const [index, event] of sampleEvents.entries())
    ids.set(
      event,
      Number(
        (
          await call(urls.catalog, '/api/events', bodyOf(event), {
            ...business,
            'idempotency-key': `demo-event-${index}`,
          })
        )['id'],
      ),
    );

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
      const wish = `demo-order-${index}`;
      await buy(urls, ids.get(event) ?? 0, quantity, buyer, wish, publishableKey, mine ? explorer : {}).catch(
        (error: Error) => {
          // Bought by the start that was cut off.
          if (!/hold-gone|unexpected_state/.test(error.message)) throw error;
        },
      );
    }),
  );
  say(`${sampleEvents.length} sample events, ${orders.length} sample orders`);
}
