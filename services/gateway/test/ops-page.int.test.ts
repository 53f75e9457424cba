import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditBody } from '@beltway/contracts/identity/audit';
import { DeadLetterPage, DeadLetterText } from '@beltway/contracts/ops/dead-letters';
import { OpsServices, type InstanceStatus } from '@beltway/contracts/ops/instances';
import { LastInvariants } from '@beltway/contracts/ops/invariants';
import { JobService, OpsJobs, type FailedQueue } from '@beltway/contracts/ops/jobs';
import { OpsFound, Timeline } from '@beltway/contracts/ops/timelines';
import { showWaitingLetters } from '../src/ops/waiting-letters.ts';
import { metricsText } from '@beltway/kit/metrics';
import { deadLetterTopic, retryTopic } from '@beltway/kit/bus/dead-letter-topics';
import { deadLetter, discardDeadLetter, listDeadLetters } from '@beltway/kit/bus/dead-letters';
import { park } from '@beltway/kit/bus/park';
import { silent } from '@beltway/kit/bus';
import { INTERNAL_TOKEN, startGateway, type TestGateway } from './gateway.ts';
import type { Heard } from './stand-in.ts';

const ADMIN = 1;
let gateway: TestGateway;
let authorization: string;
/**
 * A stub of identity's audit: the first request to settle a letter decides, as identity's tests show for the real
 * audit.
 */
const identity = {
  isAdmin: true,
  entries: [] as AuditBody[],
  settled: new Map<string, { kind: string; at: string }>(),
};
let groups: string[] = [];

const json = (res: ServerResponse, body: unknown, status = 200) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const statusOf = (service: string, more: Partial<InstanceStatus> = {}): InstanceStatus => ({
  ...{ service, version: '1.2.0', commit: 'abc', startedAt: '2026-01-01T00:00:00.000Z', uptimeSeconds: 5 },
  ...{ ready: true, failed: {}, followers: [{ name: 'relay', events: 0, seconds: 0 }] },
  groups: groups.filter((group) => group.startsWith(service)).map((group) => ({ group, messages: 0 })),
  ...more,
});

function audit(_req: unknown, res: ServerResponse, { url, body }: Heard) {
  if (url !== '/internal/audit') return json(res, statusOf('identity'));
  if (!identity.isAdmin) return json(res, { code: 'forbidden', detail: 'no' }, 403);
  const entry = JSON.parse(body) as AuditBody;
  const at = new Date().toISOString();
  if (!/-(replayed|discarded)$/.test(entry.kind)) {
    identity.entries.push(entry);
    return json(res, { at, first: true });
  }
  const known = identity.settled.get(entry.subject);
  if (known && known.kind !== entry.kind)
    return json(res, { code: known.kind.replace('dead-letter', 'already'), detail: 'no' }, 409);
  if (!known) identity.entries.push(entry);
  identity.settled.set(entry.subject, known ?? { kind: entry.kind, at });
  return json(res, { at: known?.at ?? at, first: !known });
}

beforeAll(async () => {
  gateway = await startGateway();
  authorization = `Bearer ${await gateway.tokenFor({ id: ADMIN, role: 'admin' })}`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  Object.values(gateway.behind).forEach((service) => service.reset());
  Object.assign(identity, { isAdmin: true, entries: [], settled: new Map() });
  groups = [];
  gateway.behind.identity.answer = (req, res, heard) => audit(req, res, heard);
  gateway.behind.ticketing.answer = (_req, res) => json(res, statusOf('ticketing'));
});

const get = (path: string, headers: Record<string, string> = { authorization }) => gateway.get(path, headers);
const post = (path: string, body: unknown = {}, headers: Record<string, string> = { authorization }) =>
  gateway.post(path, body, headers);
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];

/** Parks a message for a new group of ticketing. The group is named after the test. */
async function parked(group: string, original: unknown = message(), cause = new Error('a bug')) {
  await gateway.bus.ensureTopics([deadLetterTopic(group)]);
  const delivery = { topic: 'catalog.events', partition: 0, offset: BigInt(offset++), message: original };
  await park({ bus: gateway.bus, log: silent, group }, delivery, cause, 5, true);
  const letters = (await listDeadLetters(gateway.bus)).filter((letter) => letter.group === group);
  return letters.at(-1)!.id;
}
let offset = 1;
const message = (data: object = { userId: 3, name: 'Ann Lee' }) => ({
  ...{ id: randomUUID(), type: 'identity.user-registered', version: 1, key: 'user-3' },
  ...{ occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'x', causationId: 'x', data },
});
const newGroup = () => {
  const group = `ticketing.t${randomUUID().slice(0, 8)}`;
  groups.push(group);
  return group;
};
async function sentTo(group: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await gateway.bus.replay(retryTopic(group), async (batch) => void sent.push(...batch.map(({ message }) => message)));
  return sent;
}

const CALLS: Array<[method: 'get' | 'post', path: string]> = [
  ['get', '/api/ops/services'],
  ['get', '/api/ops/dead-letters'],
  ['post', `/api/ops/dead-letters/${randomUUID()}/look`],
  ['post', `/api/ops/dead-letters/${randomUUID()}/replay`],
  ['post', `/api/ops/dead-letters/${randomUUID()}/discard`],
  ['get', '/api/ops/jobs'],
  ['post', '/api/ops/jobs/retry'],
  ['post', '/api/ops/jobs/discard'],
  ['get', '/api/ops/invariants/last'],
  ['post', '/api/ops/invariants/check'],
  ['post', '/api/ops/search'],
  ['post', `/api/ops/timelines/${randomUUID()}`],
];

test.each(CALLS)(
  '%s %s is only for admins, even on this machine; other callers cause no request to a service',
  async (method, path) => {
    const as = async (headers: Record<string, string>) =>
      (await (method === 'get' ? get(path, headers) : post(path, { q: 'x' }, headers))).status;
    expect(await as({})).toBe(401);
    expect(await as({ authorization: 'Bearer a.b.c' })).toBe(401);
    for (const role of ['user', 'business'] as const)
      expect(await as({ authorization: `Bearer ${await gateway.tokenFor({ id: 2, role })}` })).toBe(403);
    expect(gateway.heard()).toEqual([]);
  },
);

test('a gauge counts waiting dead letters by group and type, until they are replayed or discarded', async () => {
  const group = newGroup();
  const end = showWaitingLetters(gateway.bus);
  const shown = async () =>
    (await metricsText())
      .split('\n')
      .filter((line) => line.startsWith(`dead_letters_waiting{group="${group}"`))
      .sort();
  const [first] = [await parked(group), await parked(group), await parked(group, { type: 'Not One Of Ours' })];
  expect(await shown()).toEqual([
    `dead_letters_waiting{group="${group}",type="identity.user-registered"} 2`,
    `dead_letters_waiting{group="${group}",type="other"} 1`,
  ]);
  await discardDeadLetter(gateway.bus, first!, group);
  expect(await shown()).toContain(`dead_letters_waiting{group="${group}",type="identity.user-registered"} 1`);
  for (const { id } of (await listDeadLetters(gateway.bus)).filter((letter) => letter.group === group))
    if (id !== first) await discardDeadLetter(gateway.bus, id, group);
  expect(await shown()).toEqual([]);
  end();
});

test('a former admin can change and see nothing, even if only identity knows of the change', async () => {
  const group = newGroup();
  const id = await parked(group);
  identity.isAdmin = false;
  for (const act of ['look', 'replay', 'discard'])
    expect((await post(`/api/ops/dead-letters/${id}/${act}`)).status, act).toBe(403);
  expect((await post(`/api/ops/timelines/${id}`)).status).toBe(403);
  expect((await post('/api/ops/search', { q: 'ann@example.test' })).status).toBe(403);
  expect(await deadLetter(gateway.bus, id)).not.toHaveProperty('discardedAt');
  expect(gateway.behind.payments.heard).toEqual([]);
});

test('an admin whose role changes is refused once the gateway receives the message about the change', async () => {
  const [userId, headers] = [77, { authorization: `Bearer ${await gateway.tokenFor({ id: 77, role: 'admin' })}` }];
  expect((await get('/api/ops/dead-letters', headers)).status).toBe(200);
  await gateway.publish('identity.events', {
    ...message({ userId, role: 'user', generation: 1 }),
    type: 'identity.role-changed',
  });
  await expect.poll(async () => (await get('/api/ops/dead-letters', headers)).status).toBe(401);
  const id = await parked(newGroup());
  for (const act of ['look', 'replay', 'discard'])
    expect((await post(`/api/ops/dead-letters/${id}/${act}`, {}, headers)).status, act).toBe(401);
  expect((await post('/api/ops/search', { q: 'x' }, headers)).status).toBe(401);
  expect(identity.entries).toEqual([]);
});

test('every instance is listed, even one that does not respond or is not ours', async () => {
  gateway.behind.catalog.answer = (_req, res) =>
    json(res, statusOf('catalog', { ready: false, failed: { bus: 'away' } }));
  gateway.behind.media.answer = (_req, res) => void res.writeHead(500).end('oops');
  await gateway.behind.realtime.die();
  const { services } = OpsServices.parse(await (await get('/api/ops/services')).json());
  await gateway.behind.realtime.live();
  const of = (name: string) => services.find(({ service }) => service === name)!.instances;
  expect(services.map(({ service }) => service)).not.toContain('sandbox');
  expect(of('gateway')).toMatchObject([{ status: { ready: true } }]);
  expect(of('ticketing')).toMatchObject([{ problem: null, status: { version: '1.2.0', commit: 'abc', ready: true } }]);
  expect(of('catalog')).toMatchObject([{ status: { ready: false, failed: { bus: 'away' } } }]);
  expect(of('media')).toMatchObject([{ status: null, problem: expect.stringContaining('does not say') }]);
  expect(of('realtime')).toMatchObject([{ status: null, problem: 'It does not answer.' }]);
});

describe('dead letters', () => {
  const list = async (query = '') => DeadLetterPage.parse(await (await get(`/api/ops/dead-letters${query}`)).json());
  /** Waits until the list shows this many dead letters for a group. The list may be two seconds old. */
  const listed = async (group: string, count: number, state = 'waiting') => {
    const query = `?group=${group}&state=${state}`;
    await expect.poll(async () => (await list(query)).items.length, { timeout: 10_000 }).toBe(count);
    return list(query);
  };

  test('the list shows no email addresses or names; the complete letter is shown on request and recorded', async () => {
    const group = newGroup();
    const script = '<script>alert("x")</script> ann@example.test';
    const id = await parked(group, message(), new Error(script));
    const { items, groups } = await listed(group, 1);
    expect(items).toMatchObject([{ id, group, type: 'identity.user-registered', key: 'user-3', state: 'waiting' }]);
    expect(groups.find((one) => one.group === group)).toEqual({ group, waiting: 1, hasMore: false });
    expect(JSON.stringify(items)).not.toMatch(/Ann Lee|ann@/);
    expect(identity.entries).toEqual([]);
    const answer = await post(`/api/ops/dead-letters/${id}/look`);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = DeadLetterText.parse(await answer.json());
    expect(text.message).toContain('Ann Lee');
    expect(text.cause).toContain(script);
    expect(identity.entries).toMatchObject([{ accountId: ADMIN, kind: 'dead-letter-looked-at', subject: id }]);
    expect(JSON.stringify(identity.entries)).not.toMatch(/Ann|ann@/);
  });

  test('a message of one megabyte is truncated', async () => {
    const group = newGroup();
    const id = await parked(group, message({ text: 'x'.repeat(800_000) }));
    const text = DeadLetterText.parse(await (await post(`/api/ops/dead-letters/${id}/look`)).json());
    expect([text.isCut, text.message.length]).toEqual([true, 20_000]);
    expect((await listed(group, 1)).items[0]!.outline.length).toBeLessThanOrEqual(600);
  });

  test('letters are listed page by page, each once', async () => {
    const group = newGroup();
    for (let n = 0; n < 7; n++) await parked(group);
    await listed(group, 7);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`?group=${group}&limit=3${cursor && `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
    for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?state=new', `?group=${'x'.repeat(201)}`])
      expect((await get(`/api/ops/dead-letters${query}`)).status, query).toBe(400);
  });

  test('concurrent replays send a letter once, only to its group, and one audit entry names the admin', async () => {
    const group = newGroup();
    const original = message();
    const id = await parked(group, original);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(`/api/ops/dead-letters/${id}/replay`)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id, state: 'replayed' });
    }
    expect(await (await post(`/api/ops/dead-letters/${id}/replay`)).json()).toMatchObject({ state: 'replayed' });
    expect(await sentTo(group)).toEqual([original]);
    expect(identity.entries).toMatchObject([{ kind: 'dead-letter-replayed', subject: id }]);
    expect(await codeOf(await post(`/api/ops/dead-letters/${id}/discard`))).toEqual([409, 'already-replayed']);
    await listed(group, 0);
    expect((await listed(group, 1, 'all')).items).toMatchObject([{ id, state: 'replayed' }]);
  });

  test('concurrent replays at two gateways send a letter once; the next request finishes an interrupted one', async () => {
    const group = newGroup();
    const id = await parked(group);
    const replayedAgo = (ms: number) =>
      identity.settled.set(id, { kind: 'dead-letter-replayed', at: new Date(Date.now() - ms).toISOString() });
    replayedAgo(1_000);
    const answer = await post(`/api/ops/dead-letters/${id}/replay`);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(20);
    expect(await codeOf(answer)).toEqual([409, 'under-way']);
    expect(await codeOf(await post(`/api/ops/dead-letters/${id}/discard`))).toEqual([409, 'already-replayed']);
    expect((await listDeadLetters(gateway.bus)).find((letter) => letter.id === id)).not.toHaveProperty('replayedAt');
    replayedAgo(31_000);
    expect((await post(`/api/ops/dead-letters/${id}/replay`)).status).toBe(200);
    expect(await sentTo(group)).toHaveLength(1);
  });

  test('a discarded letter is never replayed, however often an admin tries', async () => {
    const group = newGroup();
    const id = await parked(group);
    for (let n = 0; n < 2; n++)
      expect(await (await post(`/api/ops/dead-letters/${id}/discard`)).json()).toMatchObject({ state: 'discarded' });
    for (let n = 0; n < 2; n++)
      expect(await codeOf(await post(`/api/ops/dead-letters/${id}/replay`))).toEqual([409, 'already-discarded']);
    expect(await sentTo(group)).toEqual([]);
    expect(identity.entries).toHaveLength(1);
  });

  test('of concurrent replays and discards either all replays or all discards win', async () => {
    const group = newGroup();
    const id = await parked(group);
    const acts = Array.from({ length: 10 }, (_, at) => (at % 2 ? 'replay' : 'discard'));
    const answers = await Promise.all(
      acts.map(async (act) => ({ act, status: (await post(`/api/ops/dead-letters/${id}/${act}`)).status })),
    );
    const done = new Set(answers.filter(({ status }) => status === 200).map(({ act }) => act));
    expect(done.size).toBe(1);
    expect(answers.filter(({ act }) => !done.has(act)).map(({ status }) => status)).toEqual(Array(5).fill(409));
    expect(await sentTo(group)).toHaveLength(done.has('replay') ? 1 : 0);
  });

  test('a letter whose group has no consumers cannot be replayed, but it can be discarded', async () => {
    for (const group of ['ticketing.gone', 'nobody.here']) {
      const id = await parked(group);
      expect(await codeOf(await post(`/api/ops/dead-letters/${id}/replay`)), group).toEqual([409, 'group-gone']);
      expect(identity.entries).toEqual([]);
      expect((await post(`/api/ops/dead-letters/${id}/discard`)).status).toBe(200);
      identity.entries = [];
    }
  });

  test('while the group’s service or identity is down nothing is done, and the caller gets an error', async () => {
    const group = newGroup();
    const id = await parked(group);
    await gateway.behind.ticketing.die();
    expect((await post(`/api/ops/dead-letters/${id}/replay`)).status).toBe(503);
    await gateway.behind.ticketing.live();
    await gateway.behind.identity.die();
    for (const act of ['replay', 'discard', 'look'])
      expect((await post(`/api/ops/dead-letters/${id}/${act}`)).status, act).toBe(503);
    await gateway.behind.identity.live();
    expect((await listed(group, 1)).items).toMatchObject([{ id, state: 'waiting' }]);
    expect((await post(`/api/ops/dead-letters/${id}/replay`)).status).toBe(200);
  });

  test('a malformed message is not replayed, and malformed or unknown ids get 404', async () => {
    const group = newGroup();
    const id = await parked(group, '{"half":');
    expect((await listed(group, 1)).items).toMatchObject([{ id, replayable: false }]);
    expect(await codeOf(await post(`/api/ops/dead-letters/${id}/replay`))).toEqual([409, 'no-message']);
    for (const forged of [randomUUID(), 'x', '%00', "'; drop table bus_messages; --"])
      for (const act of ['look', 'replay', 'discard'])
        expect([400, 404], forged).toContain(
          (await post(`/api/ops/dead-letters/${encodeURIComponent(forged)}/${act}`)).status,
        );
    expect(identity.entries).toEqual([]);
  });
});

describe('jobs that were given up', () => {
  const failedJob = (key: string, cause = 'Error: no answer') => ({
    ...{ key, attempts: 20, cause },
    ...{ queuedAt: '2026-01-01T00:00:00.000Z', failedAt: '2026-01-01T10:00:00.000Z' },
  });
  /** The failed jobs of each service, and the retries that the service received. */
  const failed = new Map<JobService, FailedQueue[]>();
  const retried: Array<[service: string, body: unknown]> = [];
  const discarded: Array<[service: string, body: unknown]> = [];
  beforeEach(() => {
    failed.clear();
    retried.length = 0;
    discarded.length = 0;
    for (const service of JobService.options)
      gateway.behind[service].answer = (req, res, heard) => {
        if (req.url === '/internal/jobs') return json(res, { queues: failed.get(service) ?? [] });
        if (!/^\/internal\/jobs\/(retry|discard)$/.test(req.url!)) return audit(req, res, heard);
        const isRetry = req.url!.endsWith('retry');
        (isRetry ? retried : discarded).push([service, JSON.parse(heard.body)]);
        return json(res, { count: isRetry ? 3 : 1 });
      };
  });
  const list = async () => OpsJobs.parse(await (await get('/api/ops/jobs')).json());

  test('are listed by queue for all services, without personal data in their causes', async () => {
    failed.set('identity', [
      { queue: 'account-mail', failed: 30, jobs: [failedJob('k1', `550 'Ann Lee' ann@example.org is unknown`)] },
    ]);
    failed.set('media', [{ queue: 'video-file', failed: 1, jobs: [failedJob('v.mp4')] }]);
    const { queues, missing } = await list();
    expect(missing).toEqual([]);
    expect(queues).toEqual([
      {
        ...{ service: 'identity', queue: 'account-mail', failed: 30 },
        jobs: [failedJob('k1', '550 "…" …@… is unknown')],
      },
      { service: 'media', queue: 'video-file', failed: 1, jobs: [failedJob('v.mp4')] },
    ]);
    expect(gateway.behind.media.heard).toMatchObject([
      { url: '/internal/jobs', headers: { 'x-internal-token': INTERNAL_TOKEN } },
    ]);
  });

  test('are listed for reachable services while other services are down', async () => {
    failed.set('catalog', [{ queue: 'location-lookup', failed: 1, jobs: [failedJob('9 U Street')] }]);
    gateway.behind.media.answer = (_req, res) => void res.writeHead(500).end('oops');
    gateway.behind.realtime.answer = (_req, res) => json(res, { queues: 'none' });
    expect(await list()).toMatchObject({ queues: [{ service: 'catalog' }], missing: ['media', 'realtime'] });
  });

  test('are retried, one job or a whole queue, after the action is recorded', async () => {
    const one = { service: 'identity', queue: 'account-mail', key: 'k1' };
    const answer = await post('/api/ops/jobs/retry', one);
    expect([answer.status, await answer.json()]).toEqual([200, { count: 3 }]);
    await post('/api/ops/jobs/retry', { service: 'realtime', queue: 'notification-mail' });
    expect(retried).toEqual([
      ['identity', { queue: 'account-mail', key: 'k1' }],
      ['realtime', { queue: 'notification-mail' }],
    ]);
    expect(identity.entries).toMatchObject([
      { kind: 'jobs-retried', subject: 'identity account-mail', note: 'k1' },
      { kind: 'jobs-retried', subject: 'realtime notification-mail', note: 'all' },
    ]);
    identity.isAdmin = false;
    expect((await post('/api/ops/jobs/retry', one)).status).toBe(403);
    expect(retried).toHaveLength(2);
  });

  test('are discarded one by one, after the action is recorded', async () => {
    const one = { service: 'ticketing', queue: 'order-mail', key: 'k1' };
    const answer = await post('/api/ops/jobs/discard', one);
    expect([answer.status, await answer.json()]).toEqual([200, { count: 1 }]);
    expect(discarded).toEqual([['ticketing', { queue: 'order-mail', key: 'k1' }]]);
    expect(identity.entries).toMatchObject([{ kind: 'jobs-discarded', subject: 'ticketing order-mail', note: 'k1' }]);
    expect((await post('/api/ops/jobs/discard', { service: 'ticketing', queue: 'order-mail' })).status).toBe(400);
    identity.isAdmin = false;
    expect((await post('/api/ops/jobs/discard', one)).status).toBe(403);
    expect([discarded.length, identity.entries.length]).toEqual([1, 1]);
  });

  test.each([{}, { service: 'gateway', queue: 'x' }, { service: 'media' }, { service: 'media', queue: 'x', more: 1 }])(
    'are not run again for %j',
    async (body) => {
      expect((await post('/api/ops/jobs/retry', body)).status).toBe(400);
      expect([identity.entries, retried]).toEqual([[], []]);
    },
  );
});

test('the invariants are checked at most once in half a minute; the last check is stored with its time', async () => {
  const own = await startGateway();
  try {
    const admin = { authorization: `Bearer ${await own.tokenFor({ id: ADMIN, role: 'admin' })}` };
    const last = async () => LastInvariants.parse(await (await own.get('/api/ops/invariants/last', admin)).json());
    const ask = () => own.post('/api/ops/invariants/check', {}, admin);
    const check = { name: 'stock', ok: true, violations: 0, examples: [] };
    let checks = 0;
    let go = (): void => undefined;
    own.behind.identity.answer = (req, res, heard) =>
      req.url === '/internal/invariants' ? json(res, { checks: [] }) : audit(req, res, heard);
    own.behind.ticketing.answer = (_req, res) => {
      checks++;
      go = () => json(res, { checks: [check] });
    };
    for (const service of ['media', 'realtime'] as const)
      own.behind[service].answer = (_req, res) => json(res, { checks: [] });
    for (const service of ['payments', 'catalog'] as const)
      own.behind[service].answer = (req, res) =>
        json(res, req.url === '/internal/invariants' ? { checks: [] } : { prices: [], next: null });
    expect(await last()).toEqual({ last: null, isRunning: false });
    const first = ask();
    await expect.poll(() => checks).toBe(1);
    expect(await last()).toEqual({ last: null, isRunning: true });
    const second = ask();
    await expect.poll(() => identity.entries.length).toBe(2);
    await last(); // by then the gateway has received identity's answer
    go();
    expect((await first).status).toBe(200);
    expect(await (await second).json()).toEqual((await last()).last);
    expect(checks).toBe(1);
    const third = await ask();
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(identity.entries.map(({ kind }) => kind)).toEqual(['invariants-checked', 'invariants-checked']);
  } finally {
    await own.stop();
  }
});

test('unless identity confirms the admin, no invariant is checked', async () => {
  identity.isAdmin = false;
  expect((await post('/api/ops/invariants/check')).status).toBe(403);
  expect(gateway.behind.payments.heard).toEqual([]);
});

describe('search and timelines', () => {
  const id = randomUUID();
  const order = {
    ...{ orderId: id, orderNumber: '4F7K-2M9Q', eventId: 7, eventTitle: 'Night', quantity: 2, amountCents: 5100 },
    ...{ status: 'fulfilled', heldAt: '2026-01-01T00:00:00.000Z' },
  };
  const payment = {
    ...{ id, paymentId: 'pi_123456', purpose: 'tickets', status: 'succeeded', amountCents: 5100 },
    createdAt: '2026-01-01T00:00:01.000Z',
  };
  const step = (second: number, type: string) => ({ at: `2026-01-01T00:00:0${second}.000Z`, type, text: `${type}.` });
  const part = (...steps: object[]) => ({ known: steps.length > 0, steps, isCut: false });

  beforeEach(() => {
    const answers = (found: object, of: object) => (req: { url?: string | undefined }, res: ServerResponse) =>
      json(res, req.url === '/internal/ops/search' ? found : of);
    gateway.behind.ticketing.answer = answers(
      { orders: [order], nextCursor: null },
      part(step(1, 'TicketsHeld'), step(4, 'TicketsSold')),
    );
    gateway.behind.payments.answer = answers(
      { payments: [payment] },
      part(step(2, 'PaymentRequested'), step(3, 'PaymentSucceeded')),
    );
    gateway.behind.identity.answer = (req, res, heard) =>
      req.url === '/internal/audit' ? audit(req, res, heard) : json(res, part(step(5, 'AdminActed')));
    gateway.behind.catalog.answer = (req, res) =>
      json(res, req.url === '/internal/ops/events/7/timeline' ? part(step(0, 'EventPublished')) : {}, 200);
  });

  test('an order and its payment are one entry; the recorded search contains no email address', async () => {
    const found = OpsFound.parse(await (await post('/api/ops/search', { q: ' pi_123456 ' })).json());
    expect(found).toEqual({ items: [{ id, order, payment }], missing: [], nextCursor: null });
    expect((await post('/api/ops/search', { q: 'ann@example.test' })).status).toBe(200);
    expect((await post('/api/ops/search', { q: 'ABCD-EFGH-JKMN' })).status).toBe(200);
    expect(identity.entries.map(({ kind, note }) => [kind, note])).toEqual([
      ['searched', 'pi_123456'],
      ['searched', 'an address'],
      ['searched', 'a number or code'],
    ]);
    // Payments cannot search email addresses.
    expect(gateway.behind.payments.heard).toHaveLength(2);
    for (const { url } of gateway.heard()) expect(url).not.toContain('ann');
  });

  test('a timeline has the steps of all services in order, and the view is recorded first', async () => {
    const timeline = Timeline.parse(await (await post(`/api/ops/timelines/${id.toUpperCase()}`)).json());
    expect(timeline).toMatchObject({ id, order, payment, missing: [], cut: [] });
    expect(timeline.steps.map(({ service, type }) => [service, type])).toEqual([
      ['catalog', 'EventPublished'],
      ['ticketing', 'TicketsHeld'],
      ['payments', 'PaymentRequested'],
      ['payments', 'PaymentSucceeded'],
      ['ticketing', 'TicketsSold'],
      ['identity', 'AdminActed'],
    ]);
    expect(identity.entries).toMatchObject([{ kind: 'timeline-looked-at', subject: id, accountId: ADMIN }]);
  });

  test.each(['ticketing', 'payments'] as const)(
    'while %s does not respond, its part is listed as missing',
    async (service) => {
      const other = service === 'ticketing' ? 'payments' : 'ticketing';
      const check = async () => {
        const timeline = Timeline.parse(await (await post(`/api/ops/timelines/${id}`)).json());
        expect(timeline.missing).toEqual([service]);
        // Only ticketing knows the order's event.
        const ofEvent = service === 'payments' ? ['catalog'] : [];
        expect(new Set(timeline.steps.map((one) => one.service))).toEqual(new Set([other, 'identity', ...ofEvent]));
        const found = OpsFound.parse(await (await post('/api/ops/search', { q: id })).json());
        expect([found.missing, found.items.length]).toEqual([[service], 1]);
      };
      await gateway.behind[service].die();
      await check();
      await gateway.behind[service].live();
      gateway.behind[service].answer = (_req, res) => json(res, { nonsense: true });
      await check();
    },
  );

  test('while catalog is down the other parts are shown, and catalog’s part is listed as missing', async () => {
    await gateway.behind.catalog.die();
    const timeline = Timeline.parse(await (await post(`/api/ops/timelines/${id}`)).json());
    await gateway.behind.catalog.live();
    expect(timeline.missing).toEqual(['catalog']);
    expect(timeline.steps).toHaveLength(5);
  });

  test('an order is also found by the provider’s id of its refund or dispute, which only payments knows', async () => {
    gateway.behind.ticketing.answer = (_req, res, { body }) =>
      json(res, { orders: body.includes(id) ? [order] : [], nextCursor: null });
    for (const q of ['re_123456', 'dp_123456', 'du_123456']) {
      const found = OpsFound.parse(await (await post('/api/ops/search', { q })).json());
      expect(found.items, q).toEqual([{ id, order, payment }]);
    }
    expect(identity.entries.map(({ note }) => note)).toEqual(['re_123456', 'dp_123456', 'du_123456']);
    // Ticketing gets only one request for an id that is not an order's.
    gateway.behind.ticketing.heard.length = 0;
    gateway.behind.payments.answer = (_req, res) => json(res, { payments: [{ ...payment, purpose: 'promotion' }] });
    const found = OpsFound.parse(await (await post('/api/ops/search', { q: 're_123456' })).json());
    expect(found.items).toMatchObject([{ id, order: null }]);
    expect(gateway.behind.ticketing.heard).toHaveLength(1);
  });

  test('while identity is down nothing can be viewed, because each view must be recorded', async () => {
    await gateway.behind.identity.die();
    expect((await post(`/api/ops/timelines/${id}`)).status).toBe(503);
    expect((await post('/api/ops/search', { q: id })).status).toBe(503);
    await gateway.behind.identity.live();
    expect(gateway.behind.ticketing.heard).toEqual([]);
  });

  test('an unknown id is not found, and wrong fields are named', async () => {
    gateway.behind.ticketing.answer = (req, res) =>
      json(res, req.url === '/internal/ops/search' ? { orders: [], nextCursor: null } : part());
    gateway.behind.payments.answer = (req, res) =>
      json(res, req.url === '/internal/ops/search' ? { payments: [] } : part());
    expect((await post(`/api/ops/timelines/${randomUUID()}`)).status).toBe(404);
    expect((await post('/api/ops/timelines/7')).status).toBe(404);
    for (const body of [
      {},
      { q: '' },
      { q: '  ' },
      { q: 'x'.repeat(255) },
      { q: ['x'] },
      { q: 'a\0@b.test' },
      { q: 'x', limit: 5 },
    ])
      expect((await post('/api/ops/search', body)).status, JSON.stringify(body)).toBe(400);
    expect((await post('/api/ops/search', { q: 'x'.repeat(5_000) })).status).toBe(413);
    gateway.behind.ticketing.answer = (_req, res) => json(res, { code: 'bad-cursor', detail: 'no' }, 400);
    expect(await codeOf(await post('/api/ops/search', { q: 'a@b.test', cursor: 'x' }))).toEqual([400, 'bad-cursor']);
  });
});
