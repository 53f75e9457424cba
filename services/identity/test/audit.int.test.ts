import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AuditAnswer, AuditPage, type AuditBody } from '@beltway/contracts/identity/audit';
import { TimelineOf } from '@beltway/contracts/ops/timelines';
import { admin, identity, INTERNAL_TOKEN, register, type Identity } from './support.ts';
import { follow, openStore } from '@beltway/event-store';
import { eventually } from '@beltway/kit/testing';
import { openAudit } from '../src/audit-by-hand.ts';
import { rebuild } from '../src/rebuild.ts';
import { toMessages } from '../src/publish.ts';

const internal = { 'x-internal-token': INTERNAL_TOKEN };
const record = (service: Identity, body: AuditBody, headers: Record<string, string> = internal) =>
  service.call('POST', '/internal/audit', { body, headers });
const list = (service: Identity, token: string | undefined, query = '') =>
  service.call('GET', `/api/ops/audit${query}`, { token });

test('admins can list the actions of admins, newest first, page by page, filtered by admin and kind', async () => {
  const service = await identity();
  const [ada, bea] = [await admin(service), await admin(service)];
  const letter = randomUUID();
  const acts: AuditBody[] = [
    { accountId: ada.user.id, kind: 'searched', subject: 'search', note: 'an order number' },
    { accountId: bea.user.id, kind: 'timeline-looked-at', subject: letter },
    { accountId: ada.user.id, kind: 'dead-letter-discarded', subject: letter, note: 'ticketing.catalog x' },
  ];
  for (const body of acts) expect((await record(service, body)).status).toBe(200);
  const first = AuditPage.parse((await list(service, ada.token, '?limit=2')).json);
  expect(first.items).toMatchObject([
    { kind: 'dead-letter-discarded', subject: letter, note: 'ticketing.catalog x', name: 'Ada' },
    { kind: 'timeline-looked-at', accountId: bea.user.id },
  ]);
  expect(first.people.map(({ id }) => id).sort()).toEqual([ada.user.id, bea.user.id].sort());
  const cursor = encodeURIComponent(first.nextCursor!);
  const second = AuditPage.parse((await list(service, ada.token, `?limit=2&cursor=${cursor}`)).json);
  expect([second.items.map(({ kind }) => kind), second.nextCursor]).toEqual([['searched'], null]);
  const kinds = async (query: string) =>
    AuditPage.parse((await list(service, ada.token, query)).json).items.map(({ kind }) => kind);
  expect(await kinds(`?account=${bea.user.id}`)).toEqual(['timeline-looked-at']);
  expect(await kinds('?kind=searched')).toEqual(['searched']);
  expect(await kinds(`?subject=${letter}&kind=searched`)).toEqual([]);
  const part = TimelineOf.parse(
    (await service.call('GET', `/internal/ops/timelines/${letter}`, { headers: internal })).json,
  );
  expect(part.steps.map(({ text }) => text)).toEqual([
    expect.stringContaining('looked at this timeline'),
    expect.stringContaining('acted on this'),
  ]);
});

test('only admins read the audit log, and a demoted admin can no longer read it', async () => {
  const service = await identity();
  const ada = await admin(service);
  expect((await list(service, undefined)).status).toBe(401);
  expect((await list(service, (await register(service)).token)).status).toBe(403);
  expect((await list(service, (await register(service, { role: 'business' })).token)).status).toBe(403);
  expect((await list(service, ada.token)).status).toBe(200);
  await service.users.handle(ada.user.id, { type: 'ChangeRole', role: 'user' }, { commandId: randomUUID() });
  expect((await list(service, ada.token)).status).toBe(401);
  expect((await record(service, { accountId: ada.user.id, kind: 'searched', subject: 'search' })).status).toBe(403);
  expect(await service.rows('select * from audit_entries')).toEqual([]);
});

test('an entry requires a service’s token, an admin and a known action', async () => {
  const service = await identity();
  const { user } = await admin(service);
  const body = { accountId: user.id, kind: 'searched', subject: 'search' } as const;
  expect((await record(service, body, {})).status).toBe(403);
  expect((await record(service, body, { 'x-internal-token': 'x'.repeat(38) })).status).toBe(403);
  expect((await record(service, { ...body, accountId: 999_999 })).status).toBe(403);
  expect((await record(service, { ...body, accountId: (await register(service)).user.id })).status).toBe(403);
  for (const wrong of [
    { kind: 'deleted' },
    { subject: '' },
    { accountId: -1 },
    { note: 'x'.repeat(301) },
    { at: 'now' },
  ])
    expect((await record(service, { ...body, ...wrong } as AuditBody)).status).toBe(400);
  expect(await service.rows('select * from audit_entries')).toEqual([]);
});

test('if many admins settle one dead letter concurrently, one succeeds and one entry names that admin', async () => {
  const service = await identity();
  const { user } = await admin(service);
  const subject = randomUUID();
  const kinds = Array.from({ length: 20 }, (_, at) => (at % 2 ? 'dead-letter-replayed' : 'dead-letter-discarded'));
  const answers = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      ...(await record(service, { accountId: user.id, kind, subject } as AuditBody)),
    })),
  );
  const agreed = answers.filter(({ status }) => status === 200).map(({ json }) => AuditAnswer.parse(json));
  expect(agreed.filter(({ first }) => first)).toHaveLength(1);
  const entries = await service.rows('select kind from audit_entries');
  expect(entries).toHaveLength(1);
  expect(agreed).toHaveLength(10);
  for (const { kind, status, json } of answers) {
    if (kind === entries[0]!['kind']) expect(status).toBe(200);
    else expect([status, json.code]).toEqual([409, expect.stringMatching(/^already-/)]);
  }
  expect(new Set(agreed.filter(({ first }) => !first).map(({ at }) => at)).size).toBe(1);
});

test('a script beside the running service follows its rule: a dead letter is settled only once', async () => {
  const service = await identity();
  const ada = await admin(service);
  const byHand = openAudit(service.settings.DATABASE_URL);
  try {
    const subject = randomUUID();
    const act = (as: string, letter = subject) =>
      byHand.record(as, { kind: 'dead-letter-replayed', subject: letter, note: 'ticketing.catalog: x' });
    const nobody = (await register(service)).email;
    for (const as of [nobody, 'nobody@example.test', '0', '', '-1', `${ada.user.id} `, "' or true --"])
      await expect(act(as), as).rejects.toMatchObject({ code: 'forbidden' });
    expect(await service.rows('select * from audit_entries')).toEqual([]);

    const [mine, theirs] = await Promise.allSettled([
      act(ada.email.toUpperCase()),
      record(service, { accountId: ada.user.id, kind: 'dead-letter-discarded', subject }),
    ]);
    const entries = await service.rows('select kind, note from audit_entries');
    expect(entries).toHaveLength(1);
    if (entries[0]!['kind'] === 'dead-letter-replayed') {
      expect(mine).toMatchObject({ value: { first: true } });
      expect(theirs).toMatchObject({ value: { status: 409 } });
      expect(await act(String(ada.user.id))).toMatchObject({ first: false });
    } else {
      expect(mine).toMatchObject({ reason: { code: 'already-discarded' } });
      expect(theirs).toMatchObject({ value: { status: 200 } });
    }
    const letter = randomUUID();
    expect(await act(String(ada.user.id), letter)).toMatchObject({ first: true });
    const late = await record(service, { accountId: ada.user.id, kind: 'dead-letter-discarded', subject: letter });
    expect(late).toMatchObject({ status: 409, json: { code: 'already-replayed' } });
    expect(AuditPage.parse((await list(service, ada.token, `?subject=${letter}`)).json).items).toMatchObject([
      { kind: 'dead-letter-replayed', name: 'Ada', note: 'ticketing.catalog: x' },
    ]);
  } finally {
    await byHand.close();
  }
});

test("a log restored from another server's dump is renumbered, and so are its audit entries", async () => {
  const service = await identity();
  const { user } = await admin(service);
  await record(service, { accountId: user.id, kind: 'searched', subject: 'search' });
  const events = () => service.rows(`select to_jsonb(e) - 'tx' as event from events e order by position`);
  const before = await events();
  // Transaction ids that this server has not reached yet.
  await service.pool.query(`update events set tx = '900000000000'`);
  const store = openStore({ url: service.settings.DATABASE_URL, toMessages });
  const follower = follow(store, { name: 'after-the-dump', handle: async () => undefined });
  try {
    await eventually(async () =>
      (await service.rows('select tx::text as tx from events')).every((row) => row['tx'] === '0'),
    );
  } finally {
    await follower.stop();
    await store.close();
  }
  expect(await events()).toEqual(before);
});

test('audit entries and their events cannot be changed or removed; a rebuild makes the same list', async () => {
  const service = await identity();
  const { user, token } = await admin(service);
  await record(service, { accountId: user.id, kind: 'searched', subject: 'search' });
  for (const sql of [
    `update audit_entries set kind = 'x'`,
    'delete from audit_entries',
    `update events set data = '{}' where stream like 'audit-%'`,
    `update events set tx = '0', occurred_at = now() where stream like 'audit-%'`,
    `delete from events where stream like 'audit-%'`,
    'truncate events',
  ])
    await expect(service.pool.query(sql), sql).rejects.toThrow('never changed');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await service.call(method, '/api/ops/audit', { token, body: {} })).status, method).toBe(404);
  const digests = (await rebuild(service.settings.DATABASE_URL)).tables;
  expect(digests.find(({ table }) => table === 'audit_entries')).toMatchObject({ rows: 1 });
  for (const { before, after } of digests) expect(after).toBe(before);
  expect(AuditPage.parse((await list(service, token)).json).items).toHaveLength(1);
  // The service publishes no admin actions.
  expect((await service.told()).map(({ type }) => type)).not.toContain('AdminActed');
});

test.each([
  '?limit=0',
  '?limit=101',
  '?account=-1',
  '?account=1e99',
  '?kind=deleted',
  `?cursor=${Buffer.from('["x","y",1]').toString('base64url')}`,
  `?cursor=${Buffer.from('["1700000000000000","audit-1\\u0000",1]').toString('base64url')}`,
  `?cursor=${Buffer.from('["99999999999999999999","a",1]').toString('base64url')}`,
  '?cursor=nonsense',
  `?subject=${'x'.repeat(201)}`,
  '?subject=%00',
])('refuses %s', async (query) => {
  const service = await identity();
  const { token } = await admin(service);
  expect((await list(service, token, query)).status).toBe(400);
});
