import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { Session } from '@beltway/contracts/identity/accounts';
import { HOUR_MS } from '@beltway/contracts/common/times';
import { eventually } from '@beltway/kit/testing';
import { clipOf } from '../../e2e/support/clip.ts';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import { PIXEL, formOf, type World } from './world.ts';
import { callOf } from './table.ts';

/** Inputs for measuring a call, in addition to its route. */
interface Sample {
  /**
   * The account whose token is sent. Default: an admin if the call requires one, else the organizer; no account for a
   * public call.
   */
  as?: Session | null;
  path?: string;
  query?: Record<string, string | number>;
  body?: unknown;
  form?: FormData;
  /** A body that is not JSON. */
  text?: [type: string, text: string];
  headers?: Record<string, string>;
}
/** A function creates a new sample for each request, for calls that cannot be repeated. */
type Samples = Record<string, Sample | ((n: number) => Sample | Promise<Sample>)>;

const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS).toISOString();
const nowhere = randomUUID();

/** Path parameters. The longest matching prefix of a path applies. */
const paramsOf = (world: World): Array<[path: string, params: Record<string, string | number>]> => {
  const { event, organizer, other, order, photo, video, post, question, answer, comment, postComment, image } = world;
  const { ad, stream } = world;
  return [
    ['/api/message-board/answers', { id: answer.id }],
    ['/api/message-board', { id: question.id }],
    ['/api/social-posts', { id: post.id, commentId: postComment.id }],
    ['/api/comments', { commentId: comment.id }],
    ['/api/gallery/verifications', { id: organizer.user.id }],
    ['/api/gallery', { id: photo.id }],
    ['/api/top-picks', { id: video.id }],
    ['/api/organizers', { id: organizer.user.id }],
    ['/api/users', { id: organizer.user.id }],
    ['/api/blocks', { userId: other.user.id }],
    ['/api/connections', { userId: other.user.id }],
    ['/api/chat', { room: event.id, seq: 3, reaction: '❤️', person: `user-${other.user.id}` }],
    ['/api/orders', { orderId: order.orderId }],
    ['/api/ads', { adId: ad.id }],
    ['/api/admin/ads', { adId: ad.id }],
    ['/api/broadcasts', { eventId: stream.id, session: nowhere }],
    ['/api/live-streams', { eventId: stream.id, viewerId: randomUUID() }],
    ['/media/images', { name: image.url.split('/').at(-1)! }],
    ['/media/gallery', { name: photo.imageUrl.split('/').at(-1)! }],
    ['/media/videos', { name: video.videoUrl.split('/').at(-1)! }],
    ['/api/moderation', { caseId: `comment.${comment.id}` }],
    ['/api/events', { id: event.id }],
    ['/event', { id: event.id }],
    ['/organizer', { id: organizer.user.id }],
    ['', { eventId: event.id }],
  ];
};
const ANY: Record<string, string> = {
  ...Object.fromEntries(
    ['sessionId', 'passkeyId', 'messageId', 'alertId', 'letterId', 'timelineId', 'adId', 'orderId'].map((name) => [
      name,
      nowhere,
    ]),
  ),
  ...{ searchId: '1', notificationId: '1', code: 'ABCDEFGH' },
};

/** The path of a route, with the ids of this world. */
export function pathIn(world: World, path: string): string {
  const [, params] = paramsOf(world).find(([begin]) => path.startsWith(begin))!;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ANY[name];
    if (value === undefined) throw new Error(`scripts/costs/samples.ts has no {${name}} for ${path}`);
    return encodeURIComponent(String(value));
  });
}

export function samplesIn(world: World): Samples {
  const { api, admin, organizer, buyer, other, people, event, order, password, question, key, comment } = world;
  const { ad, stream, orderNumber } = world;
  const orderKey = { 'x-order-key': order.accessKey };
  const cookie = async (path: string, body: unknown) => {
    const answer = await api.ask('POST', path, body);
    return answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0]!)
      .join('; ');
  };
  const login = { email: buyer.user.email, password };
  const newcomer = () => api.register('Nora Newcomer');
  const newEvent = (n: number) => ({
    ...{
      title: `Another Night ${n}`,
      description: 'One band.',
      location: 'Shaw, Washington, DC',
      eventDate: inDays(9),
    },
    ...{ eventStartTime: '20:00', eventEndTime: '', tags: ['#jazz'], imageUrl: '', contactEmail: 'box@example.test' },
    ...{ hasTickets: true, ticketSalesEnabled: true, ticketPrice: 25, totalTickets: 50 },
    ...{ isSponsored: false, promotionLevel: 'none' },
  });
  const launched = async (n: number) =>
    api.call<{ id: number }>('POST', '/api/events', newEvent(n), { token: organizer.token });
  const person = (n: number) => people[n % people.length]!;
  const newHold = () => api.hold(event.id);
  const secretOf = ({ accessKey }: { accessKey: string }) => ({ 'x-order-key': accessKey });
  const paidPromotion = async (promotionLevel = 'featured', eventId = event.id) => {
    const body = { promotionLevel, eventId };
    const { token } = organizer;
    const intent = await api.call<{ clientSecret: string }>('POST', '/api/create-promotion-payment', body, { token });
    const paymentIntentId = intent.clientSecret.slice(0, intent.clientSecret.indexOf('_secret'));
    await api.confirm({ ...world.payment, ...intent, paymentIntentId });
    return paymentIntentId;
  };
  const firstOf = async <T>(path: string, { token }: Session) =>
    (await api.call<{ items: T[] }>('GET', path, undefined, { token })).items[0];
  const point = createECDH('prime256v1');
  point.generateKeys();
  const push = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/x',
    keys: { p256dh: point.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  };
  const content = {
    ...{ imageUrl: `data:image/png;base64,${PIXEL.toString('base64')}`, linkUrl: 'https://example.test' },
    ...{ title: 'An ad', alt: 'A pixel' },
  };
  const reason = 'spam';
  const written = async (path: string, body: unknown, by = person(7)) =>
    (await world.write<{ id: number; seq?: number }>(path, body, by)).id;

  return {
    'POST /api/auth/register': (n) => ({
      body: { name: 'Nora', email: `nora.${n}.${randomUUID()}@example.test`, password, role: 'user' },
    }),
    'POST /api/auth/login': { body: login },
    'POST /api/auth/login/code': { body: { challenge: 'x'.repeat(43), code: '123456' } },
    'POST /api/auth/totp/setup': { body: { password } },
    'POST /api/auth/totp': { body: { code: '123456' } },
    'POST /api/auth/totp/off': { body: { code: '123456' } },
    'DELETE /api/users/{id}/totp': { as: admin },
    'POST /api/auth/refresh': async () => ({ headers: { cookie: await cookie('/api/auth/login', login) }, body: {} }),
    'POST /api/auth/logout': async () => ({ as: await newcomer(), body: {} }),
    'POST /api/auth/verify-email': { body: { token: 'x'.repeat(60) } },
    'POST /api/auth/request-email-verification': { body: {} },
    'POST /api/auth/request-password-reset': { body: { email: 'nobody@example.test' } },
    'POST /api/auth/reset-password': { body: { token: 'x'.repeat(60), password } },
    'POST /api/auth/change-password': async () => ({
      ...{ as: await newcomer(), body: { password, newPassword: 'silver-line-43' } },
    }),
    'POST /api/auth/change-email': async (n) => ({
      ...{ as: await newcomer(), body: { password, email: `changed.${n}.${randomUUID()}@example.test` } },
    }),
    'DELETE /api/auth/sessions': { as: person(1), body: { password } },
    'DELETE /api/auth/sessions/{sessionId}': { body: { password } },
    'POST /api/auth/login/passkey/options': { body: {} },
    'POST /api/auth/login/passkey': { body: { credential: {} } },
    'POST /api/auth/passkeys/options': { body: { password } },
    'POST /api/auth/passkeys': { body: { name: 'Mine', credential: {} } },
    'PATCH /api/auth/passkeys/{passkeyId}': { body: { name: 'Mine' } },
    'DELETE /api/auth/passkeys/{passkeyId}': { body: { password } },
    'GET /api/users/me/export': (n) => ({ as: person(n) }),
    'DELETE /api/users/me': async () => ({ as: await newcomer(), body: { password } }),
    'PATCH /api/users/{id}/role': (n) => ({
      ...{ path: `/api/users/${other.user.id}/role`, headers: key(), body: { role: n % 2 ? 'user' : 'business' } },
    }),
    'POST /api/contact': { body: { email: 'ann@example.test', comments: 'Hello.' }, headers: key() },
    'PATCH /api/contact-messages/{messageId}': async (n) => {
      const message = await firstOf<{ id: string }>('/api/contact-messages?status=all', admin);
      return { path: `/api/contact-messages/${message?.id}`, body: { answered: n % 2 === 0 } };
    },
    'GET /api/me/notifications': { as: buyer },
    'PUT /api/me/notifications/{notificationId}/read': async () => {
      const rang = await firstOf<{ id: number }>('/api/me/notifications', buyer);
      return { as: buyer, path: `/api/me/notifications/${rang?.id}/read` };
    },
    'POST /api/ops/accounts': { body: { q: buyer.user.email } },
    'GET /api/events': { query: { q: 'night', limit: 100 } },
    'POST /api/events': (n) => ({ headers: key(), body: newEvent(n) }),
    'GET /api/events.ics': { query: { q: 'night' } },
    'GET /api/events.rss': { query: { q: 'night' } },
    'GET /ticket-checkout': { query: { eventId: event.id } },
    'GET /embed': { query: { q: 'night', limit: 24 } },
    'PATCH /api/events/{id}': (n) => ({ headers: key(), body: { description: `One band, ${n}.` } }),
    'POST /api/events/{id}/postpone': async (n) => ({
      ...{ path: `/api/events/${(await launched(n)).id}/postpone`, headers: key(), body: {} },
    }),
    'PUT /api/events/{id}/livestream': async (n) => {
      const { id } = await launched(n);
      const path = `/api/events/${id}/livestream`;
      const paymentIntentId = await eventually(() => paidPromotion('livestream', id));
      const { token } = organizer;
      const confirmed = await api.call<{ livestreamConfig: object }>(
        ...(['POST', '/api/confirm-promotion-payment', { paymentIntentId }, { token }] as const),
      );
      const body = { ...confirmed.livestreamConfig, maxViewers: 40 };
      await eventually(
        async () => (await api.call<{ isLivestream: boolean }>('GET', `/api/events/${id}`)).isLivestream,
      );
      return { path, body };
    },
    'POST /api/events/{id}/cancel': async (n) => ({
      ...{ path: `/api/events/${(await launched(n)).id}/cancel`, headers: key(), body: {} },
    }),
    'PUT /api/organizers/{id}/follow': (n) => ({ as: person(n) }),
    'DELETE /api/organizers/{id}/follow': (n) => ({ as: person(n) }),
    'GET /api/me/organizer': { as: organizer },
    'PUT /api/me/organizer': (n) => ({
      as: organizer,
      body: { about: `Concerts on the water, ${n}.`, links: ['https://wharf.example/'] },
    }),
    'GET /api/me/sales': { as: organizer },
    'GET /api/me/following': { as: person(3) },
    'GET /api/me/saved-searches': { as: buyer },
    'POST /api/me/saved-searches': (n) => ({ as: person(n), body: { name: 'Jazz', search: { q: `jazz ${n}` } } }),
    'PATCH /api/me/saved-searches/{searchId}': { as: buyer, body: { name: 'More jazz' } },
    'PUT /api/events/{id}/like': (n) => ({ as: person(n) }),
    'PUT /api/events/{id}/interest': (n) => ({ as: person(n), body: { interest: n % 2 ? 'going' : 'interested' } }),
    'GET /api/me/engagement': { as: buyer, query: { events: event.id } },
    'GET /api/me/bookmarks': { as: buyer, query: { part: 'upcoming' } },
    'POST /api/events/{id}/comments': (n) => ({ as: person(n), headers: key(), body: { text: `Hello ${n}` } }),
    'PATCH /api/comments/{commentId}': (n) => ({ as: person(0), body: { text: `Worth the trip, ${n}.` } }),
    'DELETE /api/comments/{commentId}': async (n) => ({
      ...{
        path: `/api/comments/${await written(`/api/events/${event.id}/comments`, { text: `Away ${n}` }, person(n))}`,
      },
      as: person(n),
    }),
    'POST /api/comments/{commentId}/report': (n) => ({ as: person(n + 1), body: { reason } }),
    'POST /api/comments/{commentId}/moderation': { body: { action: 'keep' } },
    'POST /api/reports': (n) => ({ as: person(n + 1), body: { kind: 'question', id: question.id, reason } }),
    'POST /api/moderation/{caseId}/actions': { body: { action: 'keep', reason, seen: 0 } },
    'POST /api/moderation/{caseId}/appeal': { body: { text: 'Please look again.' } },
    'POST /api/moderation/{caseId}/appeal/decision': { body: { outcome: 'upheld' } },
    'PATCH /api/users/me/engagement': (n) => ({ as: buyer, body: { isVisible: n % 2 === 0 } }),
    'GET /api/people-met': { as: buyer },
    'PUT /api/connections/{userId}': { as: buyer },
    'DELETE /api/connections/{userId}': { as: buyer },
    'GET /api/referral-codes/{code}': { path: '/api/referral-codes/ABCDEFGH' },
    'POST /api/me/notifications/read': { body: { until: new Date().toISOString() } },
    'PATCH /api/me/notification-preferences': { body: { isDaily: true } },
    'PUT /api/me/push-subscriptions': { body: push },
    'DELETE /api/me/push-subscriptions': { body: { endpoint: push.endpoint } },
    'POST /api/push-subscriptions/renew': {
      body: { endpoint: push.endpoint, auth: push.keys.auth, subscription: push },
    },
    'POST /api/notifications/unsubscribe': { query: { token: 'x' } },
    'PATCH /api/chat/{room}': (n) => ({ body: { description: `All of it, ${n}.` } }),
    'GET /api/chat/{room}/messages': { query: { limit: 100 } },
    'POST /api/chat/{room}/messages': (n) => ({ as: person(n), body: { id: randomUUID(), message: `Hello ${n}` } }),
    'DELETE /api/chat/{room}/messages/{seq}': async (n) => {
      const { token } = person(n);
      const body = { id: randomUUID(), message: `Away ${n}` };
      const { seq } = await api.call<{ seq: number }>('POST', `/api/chat/${event.id}/messages`, body, { token });
      return { as: person(n), path: `/api/chat/${event.id}/messages/${seq}` };
    },
    'PUT /api/chat/{room}/messages/{seq}/reactions/{reaction}': (n) => ({ as: person(n) }),
    'DELETE /api/chat/{room}/messages/{seq}/reactions/{reaction}': (n) => ({ as: person(n) }),
    'POST /api/chat/{room}/messages/{seq}/report': (n) => ({ as: person(n), body: { reason } }),
    'POST /api/chat/{room}/mutes': { body: { seq: 3, minutes: 1 } },
    'POST /api/social-posts': (n) => ({ as: person(n), headers: key(), body: { content: `Hello ${n}` } }),
    'PATCH /api/social-posts/{id}': (n) => ({ as: person(0), body: { content: `Hello again ${n}` } }),
    'DELETE /api/social-posts/{id}': async (n) => ({
      ...{
        as: person(n),
        path: `/api/social-posts/${await written('/api/social-posts', { content: `Away ${n}` }, person(n))}`,
      },
    }),
    'POST /api/social-posts/{id}/comments': (n) => ({ as: person(n), headers: key(), body: { text: `Hello ${n}` } }),
    'POST /api/message-board': (n) => ({ as: person(n), headers: key(), body: { question: `When, ${n}?` } }),
    'PATCH /api/message-board/{id}': (n) => ({ as: person(0), body: { question: `Is there parking, ${n}?` } }),
    'DELETE /api/message-board/{id}': async (n) => ({
      ...{
        as: person(n),
        path: `/api/message-board/${await written('/api/message-board', { question: `Away ${n}?` }, person(n))}`,
      },
    }),
    'POST /api/message-board/{id}/answers': (n) => ({ as: person(n), headers: key(), body: { answer: `Soon ${n}` } }),
    'DELETE /api/message-board/answers/{id}': async (n) => {
      const id = await written(`/api/message-board/${question.id}/answers`, { answer: `Away ${n}` }, person(n));
      return { as: person(n), path: `/api/message-board/answers/${id}` };
    },
    'POST /api/message-board/answers/{id}/accept': { as: person(0) },
    'DELETE /api/message-board/answers/{id}/accept': { as: person(0) },
    'POST /api/images': () => ({ form: formOf({ image: [PIXEL, 'image/png'] }) }),
    'GET /media/posters/{name}': async () => {
      const { imageUrl } = await api.call<{ imageUrl: string }>('GET', `/api/events/${event.id}`);
      return { path: imageUrl };
    },
    'POST /api/gallery/upload': () => ({
      ...{ as: admin, headers: key() },
      form: formOf({ image: [PIXEL, 'image/png'] }, { title: 'The porch', eventId: String(event.id) }),
    }),
    'POST /api/gallery/verification': { body: { businessName: 'Ola', about: 'We run the pier.' } },
    'POST /api/gallery/verifications/{id}': { body: { action: 'verify' } },
    'DELETE /api/gallery/{id}': async () => {
      const form = formOf({ image: [PIXEL, 'image/png'] }, { title: 'Away', eventId: String(event.id) });
      const { id } = await world.upload<{ id: number }>('/api/gallery/upload', admin.token, form);
      return { as: admin, path: `/api/gallery/${id}` };
    },
    'POST /api/gallery/{id}/report': (n) => ({ as: person(n), body: { reason } }),
    'POST /api/gallery/{id}/moderation': { body: { action: 'keep' } },
    'GET /api/broadcasts/{eventId}': { as: stream.owner },
    'POST /api/broadcasts/{eventId}/key': { as: stream.owner },
    'PUT /api/broadcasts/{eventId}/url': { as: stream.owner, body: { livestreamUrl: null } },
    'POST /api/broadcasts/{eventId}/start': { as: stream.owner },
    'POST /api/broadcasts/{eventId}/stop': { as: stream.owner },
    'POST /api/broadcasts/{eventId}/whip': { as: stream.owner, text: ['application/sdp', 'v=0'] },
    'DELETE /api/broadcasts/{eventId}/whip/{session}': { as: stream.owner },
    'GET /media/live/{eventId}/{token}/{name}': async () => {
      const seat = `/api/live-streams/${stream.id}/viewers/${randomUUID()}`;
      const { body } = await api.ask<{ url?: string }>('PUT', seat, undefined, { token: buyer.token });
      return { path: body.url ?? `/media/live/${stream.id}/${'x'.repeat(43)}/index.m3u8` };
    },
    'GET /media/recordings/{session}/{name}': { path: '/media/recordings/7/x.mp4' },
    'POST /api/top-picks/upload': () => ({
      ...{ headers: key() },
      form: formOf({ video: [clipOf(100_000), 'video/mp4'] }, { title: 'A clip', category: 'venue' }),
    }),
    'DELETE /api/top-picks/{id}': { as: admin, path: '/api/top-picks/999999' },
    'POST /api/top-picks/{id}/report': (n) => ({ as: person(n), body: { reason } }),
    'POST /api/top-picks/{id}/moderation': { body: { action: 'keep' } },
    'POST /api/holds': { as: null, body: { eventId: event.id, quantity: 1 } },
    'POST /api/holds/{orderId}/extension': async () => {
      const hold = await newHold();
      return { as: null, path: `/api/holds/${hold.orderId}/extension`, headers: secretOf(hold) };
    },
    'DELETE /api/holds/{orderId}': async () => {
      const hold = await newHold();
      return { as: null, path: `/api/holds/${hold.orderId}`, headers: secretOf(hold) };
    },
    'POST /api/create-ticket-payment-intent': {
      as: null,
      body: { eventId: event.id, quantity: 1, ticketHolderName: 'Gail', ticketHolderEmail: 'gail@example.test' },
    },
    'POST /api/process-ticket-purchase': async () => {
      const intent = await api.intent(event.id);
      await api.confirm(intent);
      return { as: null, body: { paymentIntentId: intent.paymentIntentId } };
    },
    'GET /api/orders': { as: admin, query: { number: orderNumber ?? '' } },
    'GET /api/orders/{orderId}': { as: null, headers: orderKey },
    'GET /api/orders/{orderId}/tickets.pdf': { as: null, headers: orderKey },
    'GET /api/orders/{orderId}/event.ics': { as: null, headers: orderKey },
    'POST /api/orders/{orderId}/mail': { as: null, headers: orderKey },
    'GET /api/orders/{orderId}/identical': { as: null, headers: orderKey },
    'PUT /api/orders/{orderId}/address': async (n) => {
      const { orderId } = await api.buy(event.id, 1);
      return { as: admin, path: `/api/orders/${orderId}/address`, body: { email: `gail${n}@example.test` } };
    },
    'POST /api/orders/{orderId}/messages': async () => {
      const intent = await api.buy(event.id, 1);
      const path = `/api/orders/${intent.orderId}/messages`;
      return { as: null, path, headers: { ...secretOf(intent), ...key() }, body: { text: 'Is there parking?' } };
    },
    'POST /api/orders/{orderId}/refund': async () => {
      const intent = await api.buy(event.id, 2);
      return {
        ...{
          as: null,
          path: `/api/orders/${intent.orderId}/refund`,
          headers: { ...secretOf(intent), ...key() },
          body: {},
        },
      };
    },
    'POST /api/orders/{orderId}/claim': async (n) => {
      const intent = await api.buy(event.id, 2);
      return { as: person(n), path: `/api/orders/${intent.orderId}/claim`, headers: secretOf(intent), body: {} };
    },
    'POST /api/orders/{orderId}/link': async () => {
      const intent = await api.buy(event.id, 1);
      return { as: null, path: `/api/orders/${intent.orderId}/link`, headers: secretOf(intent), body: {} };
    },
    'GET /api/tickets/my-tickets': { as: buyer },
    'POST /api/create-promotion-payment': { body: { promotionLevel: 'featured', eventId: event.id } },
    'POST /api/confirm-promotion-payment': async () => ({ body: { paymentIntentId: await paidPromotion() } }),
    'POST /api/platform/alerts/{alertId}/resolve': { body: { note: 'Done.' } },
    'POST /api/create-ad-payment-intent': () => ({ as: null, headers: key(), body: ad.body }),
    'POST /api/ad-payment-state': { body: { clientSecret: ad.secret } },
    'GET /api/ads': { query: { slot: 'banner' } },
    'GET /api/ads/{adId}': { headers: { 'x-ad-key': ad.key } },
    'POST /api/ads/impressions': () => ({ body: { view: randomUUID(), ads: [ad.id] } }),
    'PUT /api/ads/{adId}/content': { headers: { 'x-ad-key': ad.key }, body: content },
    'POST /api/admin/ads/{adId}/review': { headers: key(), body: { action: 'approve', submission: 1 } },
    'POST /api/ops/search': { body: { q: order.orderId } },
    'POST /api/ops/timelines/{timelineId}': { path: `/api/ops/timelines/${order.orderId}`, body: {} },
    'POST /api/client-errors': { body: { message: 'x is not a function', path: '/my-tickets' } },
    'POST /api/client-spans': {
      body: {
        ...{ name: 'hold tickets', durationMs: 12, hasFailed: false },
        traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      },
    },
    'POST /api/stripe/webhook': { body: { id: 'evt_1', type: 'payment_intent.succeeded' } },
    'GET /api/comments/{commentId}/answers': { path: `/api/comments/${comment.id}/answers` },
  };
}

/** The n-th request of a call. */
export async function requestOf(world: World, route: Route, samples: Samples, n: number) {
  const { admin, organizer } = world;
  const given = samples[callOf(route)] ?? {};
  const sample = typeof given === 'function' ? await given(n) : given;
  const needed = { public: null, optional: organizer, 'signed in': organizer, admin }[route.access];
  const { as = needed, path = pathIn(world, route.path), query = {}, body, form, text, headers = {} } = sample;
  const found = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const sent = form ?? text?.[1] ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method: route.method.toUpperCase(),
    target: path + (found.length > 0 ? `?${new URLSearchParams(found).toString()}` : ''),
    headers: {
      ...(as && { authorization: `Bearer ${as.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(text && { 'content-type': text[0] }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  };
}
