import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PushSubscriptions } from '@beltway/contracts/realtime/notifications';
import type { Caller } from '@beltway/kit/auth';
import { eventually } from '@beltway/kit/testing';
import { testCertificates, type TestCertificates } from '@beltway/test-engines/certificates';
import { ring } from '../src/notifications/ring.ts';
import { MAX_SUBSCRIPTIONS, subscribe } from '../src/notifications/push-subscriptions.ts';
import { isPublicAddress, isVapidKey, openPushSender, type PushNetwork } from '../src/notifications/push-sender.ts';
import { eventState, purchase, said, startBell, type Bell } from './notifications.ts';

const SUBSCRIPTIONS = '/api/me/push-subscriptions';
const KEY = randomBytes(32).toString('hex').replace(/^../, '00');

let certificates: TestCertificates;
let service: Server;
let bell: Bell;
const heard: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
let answer: { status: number; headers?: Record<string, string> } = { status: 201 };
const network: PushNetwork = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: async () => true,
  port: 0,
};
/** The account data that identity returns. */
let identity: (path: string) => unknown;

beforeAll(async () => {
  certificates = await testCertificates();
  const { read, strangerKey, strangerCert, ca } = certificates;
  service = createServer({ key: read(strangerKey), cert: read(strangerCert) }, (req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      heard.push({ path: req.url!, headers: req.headers, body: Buffer.concat(parts) });
      res.writeHead(answer.status, answer.headers).end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  Object.assign(network, { port: (service.address() as AddressInfo).port, ca: read(ca) });
  const push = openPushSender({ privateKey: KEY, publicUrl: 'https://beltway.test' }, network);
  const identityClient = { get: async (path: string) => identity(path), post: async () => undefined };
  bell = await startBell({ push, identityClient });
});
afterAll(async () => {
  await bell.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  certificates.remove();
});
beforeEach(() => {
  heard.length = 0;
  answer = { status: 201 };
  identity = () => ({ email: 'ann@example.org' });
  network.isAllowed = async () => true;
});

let lastId = 900;
const newId = () => ++lastId;

/** A browser with its keys. */
function browser() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  const path = `/push/${randomUUID()}`;
  /** RFC 8291, section 3.4, and RFC 8188. */
  function open(body: Buffer): unknown {
    const [salt, theirs] = [body.subarray(0, 16), body.subarray(21, 21 + body[20]!)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, theirs]);
    const ikm = Buffer.from(hkdfSync('sha256', pair.computeSecret(theirs), auth, info, 32));
    const part = (name: string, size: number) =>
      Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${name}\0`), size));
    const sealed = body.subarray(21 + body[20]!);
    const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
  }
  const keys = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') };
  return { path, body: { endpoint: `https://stranger.test${path}`, keys }, open };
}
const ended = async (id: string) => (await bell.pool.query('select from ended_sessions where id = $1', [id])).rowCount;
const listed = async (as: number) => (await bell.call<PushSubscriptions>('GET', SUBSCRIPTIONS, as)).body.endpoints;

async function buy(buyer: number, title = 'Go-Go Night') {
  const eventId = newId();
  await bell.hear(said('catalog.event-published', `event-${eventId}`, eventState(eventId, { title })));
  // Events and purchases arrive by separate topics, in any order.
  await bell.settled();
  const bought = purchase(eventId, buyer);
  await bell.hear(bought);
  await bell.settled();
  await bell.sendPushes();
  return bought;
}
const of = (path: string) => heard.filter((one) => one.path === path);
/** This account's unfinished pushes whose next try is due by then. */
const waiting = async (as: number, by: Date | 'infinity' = 'infinity') =>
  (
    await bell.pool.query(
      `select from jobs join push_subscriptions s on starts_with(jobs.key, s.id || '/')
        where queue = 'notification-push' and status = 'waiting' and s.user_id = $1 and run_at <= $2`,
      [as, by],
    )
  ).rowCount;
/**
 * Waits until the next try of this account's push is due within half a minute, because the response to the last try is
 * recorded then. Then moves the time by half a minute. A longer time would exceed the lease of a push in progress, and
 * another worker would repeat a push that is being sent.
 */
async function nextTry(as: number) {
  await eventually(async () => {
    const soon = new Date(Date.now() + 30_000);
    return (await waiting(as, soon)) === 1;
  });
  await bell.passTime('notification-push', 30_000);
  await bell.sendPushes();
}

describe('a push', () => {
  test("reaches only the account's browsers, each once and encrypted for the browser", async () => {
    const [one, two, other, as] = [browser(), browser(), browser(), newId()];
    for (const { body } of [one, two, one]) expect((await bell.call('PUT', SUBSCRIPTIONS, as, body)).status).toBe(204);
    await bell.call('PUT', SUBSCRIPTIONS, newId(), other.body);
    const bought = await buy(as);
    await bell.hear(bought);
    await bell.settled();
    await bell.sendPushes();
    await eventually(() => of(one.path).length === 1 && of(two.path).length === 1);
    expect(of(other.path)).toEqual([]);
    expect(one.open(of(one.path)[0]!.body)).toMatchObject({
      title: 'Your 2 tickets for Go-Go Night',
      path: '/my-tickets',
    });
    expect(of(one.path)[0]!.headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' });
  });

  test.each([
    ['Spanish for who reads Spanish', () => ({ email: 'ann@example.org', language: 'es' }), 'Tus 2 boletos para Jazz'],
    ['English for others', () => ({ email: 'ann@example.org', language: 'en' }), 'Your 2 tickets for Jazz'],
    [
      'English while identity does not answer',
      () => {
        throw new Error('identity does not answer');
      },
      'Your 2 tickets for Jazz',
    ],
  ])('is in %s', async (_name, says, title) => {
    const [{ body, path, open }, as] = [browser(), newId()];
    const asked: string[] = [];
    identity = (of) => {
      asked.push(of);
      return says();
    };
    await bell.call('PUT', SUBSCRIPTIONS, as, body);
    await buy(as, 'Jazz');
    await eventually(() => of(path).length === 1);
    expect(open(of(path)[0]!.body)).toMatchObject({ title, path: '/my-tickets' });
    expect(new Set(asked)).toEqual(new Set([`/internal/people/${as}/address`]));
  });

  test.each([404, 410])('with response %i ends the subscription', async (status) => {
    const [{ body }, as] = [browser(), newId()];
    await bell.call('PUT', SUBSCRIPTIONS, as, body);
    answer = { status };
    await buy(as);
    await eventually(async () => (await listed(as)).length === 0);
  });

  test('is retried once after a 503', async () => {
    const [{ body, path }, as] = [browser(), newId()];
    await bell.call('PUT', SUBSCRIPTIONS, as, body);
    answer = { status: 503 };
    await buy(as);
    await eventually(() => of(path).length === 1);
    answer = { status: 201 };
    await nextTry(as);
    await eventually(() => of(path).length === 2);
    await eventually(async () => (await waiting(as)) === 0);
    await bell.passTime('notification-push', 3_600_000);
    await bell.sendPushes();
    expect(of(path)).toHaveLength(2);
    expect(await listed(as)).toEqual([body.endpoint]);
  });

  test('goes to no address that is not public, and follows no redirect', async () => {
    const [first, second, as] = [browser(), browser(), newId()];
    await bell.call('PUT', SUBSCRIPTIONS, as, first.body);
    network.isAllowed = isPublicAddress;
    await buy(as);
    await eventually(async () => (await listed(as)).length === 0);
    expect(heard).toEqual([]);
    network.isAllowed = async () => true;
    await bell.call('PUT', SUBSCRIPTIONS, as, second.body);
    answer = { status: 307, headers: { location: `https://stranger.test${first.path}` } };
    await buy(as);
    await eventually(() => heard.length === 1);
    expect(of(first.path)).toEqual([]);
  });
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '198.18.0.1',
  'x',
])('%s is not public', async (address) => expect(await isPublicAddress(address)).toBe(false));
test.each(['8.8.8.8', '2607:f8b0:4004:800::200e'])('%s is public', async (address) =>
  expect(await isPublicAddress(address)).toBe(true),
);

test.each([
  'http://push.test/x',
  'https://10.0.0.1/x',
  'https://[::1]/x',
  'https://localhost/x',
  'https://a:b@push.test/x',
  'https://push.test:8443/x',
  'x',
])('refuses %s', async (endpoint) => {
  const { keys } = browser().body;
  expect(await bell.call('PUT', SUBSCRIPTIONS, newId(), { endpoint, keys })).toMatchObject({
    ...{ status: 400, body: { errors: [{ field: 'endpoint' }] } },
  });
});

test('an ended session removes its browsers', async () => {
  const [{ body }, as] = [browser(), newId()];
  await bell.call('PUT', SUBSCRIPTIONS, as, body);
  const { rows } = await bell.pool.query<{ id: string }>(
    'select session_id as id from push_subscriptions where user_id = $1',
    [as],
  );
  const data = { userId: as, sessionId: rows[0]!.id };
  await bell.bus.publish('identity.events', [said('identity.session-revoked', `session-${rows[0]!.id}`, data)]);
  await eventually(async () => (await listed(as)).length === 0);
});

/** Resolves when a statement of this database waits for another transaction. */
const isWaiting = () =>
  eventually(async () => {
    const { rowCount } = await bell.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return (rowCount ?? 0) > 0;
  });

describe('a session that ends while a browser is added', () => {
  test.each(['before', 'after', 'at once'])('leaves no browser behind: the browser is added %s', async (when) => {
    const [{ body }, as, sessionId] = [browser(), newId(), randomUUID()];
    // Simulates a call that was admitted just before this process received the message that the session had ended.
    const add = () => subscribe(bell.pool, { id: as, sessionId } as Caller, body);
    const end = async () => {
      const data = { userId: as, sessionId };
      await bell.bus.publish('identity.events', [said('identity.session-revoked', `user-${as}`, data)]);
    };
    if (when === 'after') {
      await end();
      await eventually(async () => (await ended(sessionId)) === 1);
    } else if (when === 'before') {
      await add();
      expect(await listed(as)).toEqual([body.endpoint]);
      await end();
    } else await Promise.allSettled([add(), end()]);
    await eventually(async () => (await ended(sessionId)) === 1);
    expect(await listed(as)).toEqual([]);
    await expect(add()).rejects.toMatchObject({ status: 401 });
  });

  test('waits for a browser that is being added', async () => {
    const [{ body }, as, sessionId] = [browser(), newId(), randomUUID()];
    const client = await bell.pool.connect();
    try {
      // The call has read whether the session ended, but has not committed yet.
      await client.query('begin');
      await client.query(`select pg_advisory_xact_lock(hashtextextended('push ' || $1, 0))`, [sessionId]);
      const { endpoint, keys } = body;
      await client.query(
        'insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth) values ($1, $2, $3, $4, $5)',
        [as, sessionId, endpoint, keys.p256dh, keys.auth],
      );
      const data = { userId: as, sessionId };
      await bell.bus.publish('identity.events', [said('identity.session-revoked', `user-${as}`, data)]);
      await isWaiting();
      await client.query('commit');
    } finally {
      client.release();
    }
    await eventually(async () => (await ended(sessionId)) === 1);
    expect(await listed(as)).toEqual([]);
  });
});

test('concurrent deletion of a browser removes only this browser', async () => {
  const [one, other, as] = [browser(), browser(), newId()];
  for (const { body } of [one, other]) await bell.call('PUT', SUBSCRIPTIONS, as, body);
  const told = await ring(bell.pool, [as], {
    ...{ kind: 'refund-sent', key: `refund:${randomUUID()}`, again: 'once' },
    amountCents: 100,
  });
  await bell.pool.query('delete from push_subscriptions where endpoint = $1', [one.body.endpoint]);
  expect(told).toEqual([as]);
  await bell.sendPushes();
  await eventually(() => of(other.path).length === 1);
  expect(of(one.path)).toEqual([]);
});

describe('a browser with a new subscription', () => {
  const RENEW = '/api/push-subscriptions/renew';
  test('replaces its old subscription without signing in, and gets the pending pushes; a repeat changes nothing', async () => {
    const [old, next, as] = [browser(), browser(), newId()];
    await bell.call('PUT', SUBSCRIPTIONS, as, old.body);
    answer = { status: 503 };
    await buy(as);
    await eventually(() => of(old.path).length === 1);
    const renewal = { endpoint: old.body.endpoint, auth: old.body.keys.auth, subscription: next.body };
    for (let n = 0; n < 2; n++) expect((await bell.call('POST', RENEW, undefined, renewal)).status).toBe(204);
    expect(await listed(as)).toEqual([next.body.endpoint]);
    answer = { status: 201 };
    await nextTry(as);
    await eventually(() => of(next.path).length === 1);
    expect(next.open(of(next.path)[0]!.body)).toMatchObject({ path: '/my-tickets' });
  });

  test('is refused without the secret of the old subscription, and for an invalid key or push service', async () => {
    const [old, next, as] = [browser(), browser(), newId()];
    await bell.call('PUT', SUBSCRIPTIONS, as, old.body);
    const { endpoint, keys } = old.body;
    const renewal = { endpoint, auth: keys.auth, subscription: next.body };
    for (const { more, status } of [
      { more: { auth: next.body.keys.auth }, status: 404 },
      { more: { endpoint: next.body.endpoint }, status: 404 },
      { more: { auth: 'x' }, status: 400 },
      { more: { subscription: { ...next.body, endpoint: 'https://10.0.0.1/x' } }, status: 400 },
      { more: { subscription: { ...next.body, keys: { ...keys, p256dh: 'A'.repeat(87) } } }, status: 400 },
    ])
      expect(await bell.call('POST', RENEW, undefined, { ...renewal, ...more })).toMatchObject({ status });
    expect(await listed(as)).toEqual([endpoint]);
  });
});

test('beyond the limit of browsers per account the oldest browser is removed', async () => {
  const [all, as] = [Array.from({ length: MAX_SUBSCRIPTIONS + 2 }, browser), newId()];
  for (const { body } of all) await bell.call('PUT', SUBSCRIPTIONS, as, body);
  expect(await listed(as)).toEqual(all.slice(2).map(({ body }) => body.endpoint));
});

test.each([
  [KEY, true],
  [Buffer.from(KEY, 'hex').toString('base64url'), true],
  ['f'.repeat(64), false],
  ['0'.repeat(64), false],
  [KEY.slice(2), false],
  [`${KEY}00`, false],
  ['x'.repeat(64), false],
  ['', false],
])('%s is a key: %s', (text, isKey) => expect(isVapidKey(text)).toBe(isKey));

test('a preference about a kind applies to all browsers; other kinds are still pushed', async () => {
  const [{ body, path }, as] = [browser(), newId()];
  await bell.call('PUT', SUBSCRIPTIONS, as, body);
  await bell.call('PATCH', '/api/me/notification-preferences', as, { push: { 'ticket-bought': false } });
  await buy(as);
  expect(of(path)).toEqual([]);
  await bell.call('PATCH', '/api/me/notification-preferences', as, { push: { 'ticket-bought': true } });
  await buy(as);
  await eventually(() => of(path).length === 1);
});
