import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Session } from '@beltway/contracts/identity/accounts';
import { HOUR_MS } from '@beltway/contracts/common/times';
import { eventually } from '@beltway/kit/testing';
import type { Api } from '../../e2e/support/api.ts';
import { makeAdmin } from '../../services/identity/src/make-admin.ts';
import { clipOf } from '../../e2e/support/clip.ts';
import { asAdminWithCodes } from '../../e2e/support/codes.ts';

/** A picture of one pixel, PNG. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PASSWORD = 'orange-line-42';
const DEMO_BUSINESS = { email: 'business@beltway.test', password: 'demo-beltway' };

/** More than the page size of any list. */
const EVENTS = 240;
const GUEST_ORDERS = 120;
/** A buyer's list is limited to 500 tickets. */
const BUYER_ORDERS = 50;
const PEOPLE = 20;
/** Texts of each kind per account, within the rate limit per minute. */
const TEXTS = 5;
const AT_ONCE = 8;

export type World = Awaited<ReturnType<typeof fillWorld>>;

let senders = 0;

/** Posts JSON from a new IP address each time, so that the limits for an IP address do not apply. */
function postFromAnywhere<T>(url: URL, body: unknown, headers: Record<string, string>): Promise<T> {
  senders++;
  const localAddress = `127.${1 + (senders >> 16)}.${(senders >> 8) & 255}.${1 + (senders & 127)}`;
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      localAddress,
      agent: false,
      headers: { ...headers, 'content-type': 'application/json' },
    };
    request(url, options, (answer) => {
      const whole = text(answer);
      if (answer.statusCode! < 300) whole.then((read) => resolve(JSON.parse(read) as T), reject);
      else whole.then((read) => reject(new Error(`${url.pathname} answered ${answer.statusCode}: ${read}`)), reject);
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

/** Runs `work` for each number below `count`, eight concurrently. */
async function many<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      done[n] = await work(n);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

export function formOf(files: Record<string, [bytes: Buffer, type: string]>, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, [bytes, type]] of Object.entries(files))
    form.append(name, new Blob([new Uint8Array(bytes)], { type }), `${name}.${type.split('/')[1]}`);
  return form;
}

/** Extends the demo data, so that everything that calls refer to exists and all lists are full. */
export async function fillWorld(api: Api, url: string, identityUrl: string, say: (text: string) => void) {
  const key = () => ({ 'idempotency-key': randomUUID() });
  const upload = async <T>(path: string, token: string, form: FormData): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, ...key() };
    const response = await fetch(new URL(path, url), { method: 'POST', headers, body: form });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const write = <T>(path: string, body: unknown, { token }: { token: string }) =>
    postFromAnywhere<T>(new URL(path, url), body, { authorization: `Bearer ${token}`, ...key() });

  const { email } = (await api.register('Ada Admin')).user;
  await makeAdmin(identityUrl, email);
  const { session: admin } = await asAdminWithCodes(api, { email, password: PASSWORD });
  const organizer = await api.register('Ola Organizer', 'business');
  const buyer = await api.register('Bea Buyer');
  const other = await api.register('Otis Other');
  const people = await many(PEOPLE, (n) => api.register(`Person ${n}`));

  const words = 'Three bands, one pocket, and a pier that holds the night. '.repeat(8);
  say(`${EVENTS} events`);
  await many(EVENTS, (n) =>
    api.launch(organizer.token, {
      ...{ title: `Go-Go Night ${n}`, description: words, hasTickets: false, ticketSalesEnabled: false },
      eventDate: new Date(Date.now() + ((n % 60) + 1) * 24 * HOUR_MS).toISOString(),
    }),
  );
  const event: Event = await api.launch(organizer.token, {
    title: 'Big Night',
    totalTickets: 9_000,
    description: words,
  });

  say(`${GUEST_ORDERS + BUYER_ORDERS} orders`);
  await many(GUEST_ORDERS, () => api.buy(event.id, 2));
  await many(BUYER_ORDERS, () => api.buy(event.id, 10, buyer.user.email, { token: buyer.token }));
  const bought = await api.buy(event.id, 10);
  const order = { orderId: bought.orderId, accessKey: bought.accessKey };
  await api.fulfilled(order);

  say('what people write');
  await eventually(
    async () => (await api.ask('GET', `/api/chat/${event.id}`, undefined, { token: buyer.token })).status === 200,
    { timeoutMs: 60_000, what: 'the room of the event' },
  );
  const first = people[0]!;
  const post = await write<{ id: number }>('/api/social-posts', { content: words, eventId: event.id }, first);
  const question = await write<{ id: number }>(
    '/api/message-board',
    { question: 'Is there parking?', eventId: event.id },
    first,
  );
  const answer = await write<{ id: number }>(`/api/message-board/${question.id}/answers`, { answer: words }, other);
  const comment = await write<{ id: number }>(`/api/events/${event.id}/comments`, { text: 'Worth the trip.' }, first);
  const postComment = await write<{ id: number }>(
    `/api/social-posts/${post.id}/comments`,
    { text: 'Same here.' },
    other,
  );
  await many(PEOPLE, async (n) => {
    const person = people[n]!;
    const { token } = person;
    await api.call('PUT', `/api/organizers/${organizer.user.id}/follow`, undefined, { token });
    await api.call('PUT', `/api/events/${event.id}/like`, undefined, { token });
    for (let nth = n === 0 ? 1 : 0; nth < TEXTS; nth++) {
      const said = `${words} (${n}, ${nth})`;
      await write(`/api/events/${event.id}/comments`, { text: said }, person);
      await write('/api/social-posts', { content: said, eventId: event.id }, person);
      await write('/api/message-board', { question: said.slice(0, 400), eventId: event.id }, person);
      await write(`/api/message-board/${question.id}/answers`, { answer: said }, person);
      await write(`/api/social-posts/${post.id}/comments`, { text: said.slice(0, 400) }, person);
      await api.call(
        'POST',
        `/api/chat/${event.id}/messages`,
        { id: randomUUID(), message: said.slice(0, 400) },
        { token },
      );
    }
  });
  await api.call('PUT', `/api/events/${event.id}/bookmark`, undefined, { token: buyer.token });
  await write('/api/me/saved-searches', { name: 'Jazz', search: { q: 'jazz' } }, buyer);

  say('pictures and a video');
  const photo = await upload<{ id: number; imageUrl: string }>(
    '/api/gallery/upload',
    admin.token,
    formOf({ image: [PIXEL, 'image/png'] }, { title: 'The porch', eventId: String(event.id) }),
  );
  const image = await upload<{ url: string }>('/api/images', organizer.token, formOf({ image: [PIXEL, 'image/png'] }));
  const video = await upload<{ id: number; videoUrl: string }>(
    '/api/top-picks/upload',
    organizer.token,
    formOf({ video: [clipOf(100_000), 'video/mp4'] }, { title: 'A clip', category: 'venue' }),
  );

  say('an ad and a live stream');
  const contactEmail = 'wharf@example.test';
  const businessInfo = { businessName: 'The Wharf', contactEmail, eventTitle: 'Go-Go Night' };
  const adBody = { packageId: 'banner-7d', amount: 4_999, businessInfo };
  const adPayment = await api.call<{ clientSecret: string }>('POST', '/api/create-ad-payment-intent', adBody);
  const paymentIntentId = adPayment.clientSecret.slice(0, adPayment.clientSecret.indexOf('_secret'));
  await api.confirm({ ...bought, ...adPayment, paymentIntentId });
  const [, adId = '', adKey = ''] = /\/ad\/([\w-]+)#key=(\S+)/.exec((await api.mailTo(contactEmail)).text) ?? [];
  const ad = { id: adId, key: adKey, body: adBody, secret: adPayment.clientSecret };
  // The demo's streams start after the system is ready.
  const streams = await eventually(
    async () => {
      const all = await api.call<Array<{ id: number }>>('GET', '/api/live-streams');
      return all.length > 0 && all;
    },
    { what: 'a live stream' },
  );
  const stream = { id: streams[0]!.id, owner: await api.call<Session>('POST', '/api/auth/login', DEMO_BUSINESS) };
  const { orderNumber } = await api.order(order);

  return {
    ...{ ad, stream, orderNumber },
    ...{ api, url, admin, organizer, buyer, other, people, event, order, payment: bought, password: PASSWORD },
    ...{ post, question, answer, comment, postComment, photo, image, video, key, upload, write },
  };
}
