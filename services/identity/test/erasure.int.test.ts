import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { UserErasedV1 } from '@beltway/contracts/identity/accounts';
import { authenticator } from '@beltway/kit/auth';
import { HttpProblem } from '@beltway/kit/problems';
import { eventually } from '@beltway/kit/testing';
import { createDemoAccounts } from '../src/demo.ts';
import { rebuild } from '../src/rebuild.ts';
import {
  PASSWORD,
  INTERNAL_TOKEN,
  admin,
  databases,
  identity,
  later,
  newEmail,
  register,
  type Identity,
  type SignedIn,
} from './support.ts';

const erase = ({ call }: Pick<Identity, 'call'>, { token }: Pick<SignedIn, 'token'>, password = PASSWORD) =>
  call('DELETE', '/api/users/me', { token, body: { password } });
const internal = { 'x-internal-token': INTERNAL_TOKEN };

/** Returns all contents of the database as text. */
async function everything({ rows }: Identity): Promise<string> {
  const tables = await rows(`select table_name as name from information_schema.tables where table_schema = 'public'`);
  const contents = await Promise.all(
    tables.map(({ name }) => rows(`select to_json(t)::text as row from "${String(name)}" t`)),
  );
  return JSON.stringify(contents);
}

test('an erased account is deleted from the tables and the log, and all its sessions end', async () => {
  const on = await databases();
  const service = await identity({ on });
  const person = await register(service, { name: 'Rosalind Franklin-Erased', email: newEmail('rosalind') });
  const elsewhere = await service.call('POST', '/api/auth/login', {
    body: { email: person.email, password: PASSWORD },
  });
  const auth = await authenticator({
    identity: service.base,
    internalToken: INTERNAL_TOKEN,
    bus: service.bus,
    log: service.log,
  });
  later(() => auth.stop());
  await eventually(() => auth.ready());
  await auth.verify(elsewhere.json.token);
  const bystander = await register(service);

  const gone = await erase(service, person);
  expect(gone.status).toBe(204);
  expect(gone.cookie).toBe('');

  const all = await everything(service);
  expect(all).not.toContain(person.email);
  expect(all).not.toContain('Rosalind');
  expect(all).toContain(bystander.email);
  expect(await service.rows('select count(*)::int n from credentials')).toEqual([{ n: 1 }]);
  for (const token of [person.token, elsewhere.json.token as string])
    expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
  for (const cookie of [person.cookie, elsewhere.cookie!])
    expect((await service.call('POST', '/api/auth/refresh', { cookie })).status).toBe(401);
  const again = await service.call('POST', '/api/auth/login', { body: { email: person.email, password: PASSWORD } });
  expect([again.status, again.json.code]).toEqual([401, 'wrong-credentials']);
  // Other services reject the token too, although one of them had verified it a moment before.
  await eventually(() =>
    auth.verify(elsewhere.json.token).then(
      () => false,
      () => true,
    ),
  );
  const fresh = await authenticator({
    identity: service.base,
    internalToken: INTERNAL_TOKEN,
    bus: service.bus,
    log: service.log,
  });
  later(() => fresh.stop());
  await eventually(() => fresh.ready());
  await expect(fresh.verify(person.token)).rejects.toMatchObject({ status: 401 });

  const told = await service.told();
  expect(UserErasedV1.parse(told.at(-1)).data).toEqual({ userId: person.user.id, generation: 1 });
  expect(JSON.stringify(told)).not.toMatch(/Rosalind|rosalind/);
  const { tables } = await rebuild(on.url);
  for (const { table, before, after } of tables) expect(after, table).toBe(before);
  expect((await service.call('GET', '/api/auth/me', { token: bystander.token })).status).toBe(200);
});

test('erasing an account requires the password, and wrong passwords lead to a wait', async () => {
  const service = await identity();
  const person = await register(service);
  expect((await service.call('DELETE', '/api/users/me', { body: { password: PASSWORD } })).status).toBe(401);
  expect((await service.call('DELETE', '/api/users/me', { token: person.token, body: {} })).json.errors[0].field).toBe(
    'password',
  );
  const statuses = [];
  for (let attempt = 0; attempt < 8; attempt++)
    statuses.push((await erase(service, person, `wrong-guess-${attempt}`)).status);
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
  expect((await service.call('GET', '/api/auth/me', { token: person.token })).status).toBe(200);
});

test('the token of another account erases nothing, whatever the password', async () => {
  const service = await identity();
  const [victim, thief] = [await register(service), await register(service, { password: 'thieves-own-words' })];
  expect((await erase(service, victim, 'thieves-own-words')).status).toBe(400);
  expect(
    (await service.call('DELETE', `/api/users/${victim.user.id}`, { token: thief.token, body: { password: PASSWORD } }))
      .status,
  ).toBe(404);
  expect(await service.rows('select count(*)::int n from users')).toEqual([{ n: 2 }]);
});

test('erasure is refused with all reasons while others depend on the account or a service is down', async () => {
  const obstacles = (text: string, message: string) => ({ get: async () => ({ obstacles: [{ text, message }] }) });
  const held = await identity({
    services: {
      ticketing: obstacles('events-to-come', 'People have tickets.'),
      payments: obstacles('money-owed.to-you', 'We owe you $5.00.'),
    },
  });
  const refused = await erase(held, await register(held));
  expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
    409,
    'events-to-come',
    'People have tickets. We owe you $5.00.',
  ]);
  const away = { get: () => Promise.reject(new HttpProblem(503, 'unavailable')) };
  const alone = await identity({ services: { payments: away } });
  expect((await erase(alone, await register(alone))).status).toBe(503);
  expect(await alone.rows('select count(*)::int n from users')).toEqual([{ n: 1 }]);
});

test('admin and demo accounts cannot be erased', async () => {
  const service = await identity();
  const refused = await erase(service, await admin(service));
  expect([refused.status, refused.json.code]).toEqual([409, 'admin-account']);

  const demo = await identity({ env: { BELTWAY_MODE: 'embedded', BELTWAY_DEMO: '1' } });
  await createDemoAccounts(demo.accounts, demo.pool, demo.log);
  const known = { email: 'explorer@beltway.test', password: 'demo-beltway' };
  const { json } = await demo.call('POST', '/api/auth/login', { body: known });
  const kept = await erase(demo, json, known.password);
  expect([kept.status, kept.json.code]).toEqual([409, 'demo-account']);
});

test('concurrent requests erase the account once', async () => {
  const service = await identity();
  const person = await register(service);
  const answers = await Promise.all(Array.from({ length: 5 }, () => erase(service, person)));
  expect(answers.map(({ status }) => status).filter((status) => ![204, 400, 401].includes(status))).toEqual([]);
  expect(answers.some(({ status }) => status === 204)).toBe(true);
  expect(await service.rows(`select count(*)::int n from events where type = 'UserErased'`)).toEqual([{ n: 1 }]);
});

test('a sign-in during the erasure does not result in a working session', async () => {
  const service = await identity();
  const person = await register(service);
  const body = { email: person.email, password: PASSWORD };
  const logins = Array.from({ length: 6 }, () => service.call('POST', '/api/auth/login', { body }));
  const gone = erase(service, person);
  const more = Array.from({ length: 6 }, () => service.call('POST', '/api/auth/login', { body }));
  expect((await gone).status).toBe(204);
  for (const answer of await Promise.all([...logins, ...more])) {
    if (answer.status !== 200) continue;
    expect((await service.call('GET', '/api/auth/me', { token: answer.json.token })).status).toBe(401);
    expect((await service.call('POST', '/api/auth/refresh', { cookie: answer.cookie })).status).toBe(401);
  }
});

test('registering a freed email address creates a new account; repeating the old registration fails', async () => {
  const service = await identity();
  const key = randomUUID();
  const email = newEmail();
  const person = await register(service, { email }, { 'idempotency-key': key });
  await erase(service, person);
  const repeated = await service.call('POST', '/api/auth/register', {
    body: { name: 'Rosa Parks', password: PASSWORD, email },
    headers: { 'idempotency-key': key },
  });
  expect(repeated.status).toBe(422);
  const next = await register(service, { email });
  expect(next.user.id).not.toBe(person.user.id);
  expect((await service.call('GET', '/api/auth/me', { token: person.token })).status).toBe(401);
  const late = await service.users
    .handle(person.user.id, { type: 'ChangeRole', role: 'admin' }, { commandId: randomUUID() })
    .catch((error: unknown) => error);
  expect(late).toMatchObject({ code: 'no-such-user' });
});

test('an account from a restored backup is erased again, but not a younger account with its number', async () => {
  const service = await identity();
  const [back, young] = [await register(service), await register(service)];
  const hour = 3_600_000;
  const tell = (headers = {}) =>
    service.call('POST', '/internal/erasures', {
      headers,
      body: {
        items: [
          { userId: back.user.id, erasedAt: new Date(Date.now() + hour).toISOString() },
          { userId: young.user.id, erasedAt: new Date(Date.now() - hour).toISOString() },
          { userId: 999_999, erasedAt: new Date().toISOString() },
        ],
      },
    });
  expect((await tell()).status).toBe(403);
  expect((await tell(internal)).status).toBe(204);
  expect((await tell(internal)).status).toBe(204);
  expect(await service.rows('select id from users')).toEqual([{ id: young.user.id }]);
  const list = await service.call('GET', '/internal/erasures?after=0', { headers: internal });
  expect(list.json.items).toEqual([{ userId: back.user.id, erasedAt: expect.any(String) }]);
  expect(
    (await service.call('GET', `/internal/erasures?after=${back.user.id}`, { headers: internal })).json.items,
  ).toEqual([]);
});

test('the download has each service’s data about the person, and no data about other people', async () => {
  const asked: string[] = [];
  const has = (name: string) => ({ get: async (path: string) => (asked.push(`${name} ${path}`), { [name]: [1] }) });
  const service = await identity({
    services: {
      catalog: has('events'),
      ticketing: has('orders'),
      payments: has('ads'),
      media: has('pictures'),
      realtime: has('notifications'),
    },
  });
  await register(service);
  const person = await register(service, {}, { 'accept-language': 'es' });
  const answer = await service.call('GET', '/api/users/me/export', { token: person.token });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toContain('beltway-data.json');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.json).toEqual({
    exportedAt: expect.any(String),
    account: person.user,
    passkeys: [],
    pendingEmail: null,
    language: 'es',
    codesAtSignIn: { isOn: false, mayTurnOn: false, since: null, recoveryCodesLeft: 0 },
    moderation: { reports: [], decisions: [], isComplete: true },
    engagement: { isVisible: false, counted: [], takenBack: [], badges: [], connections: [], isComplete: true },
    referrals: {
      ...{ code: null, made: [], cameByLink: false, isComplete: true },
      networkOfRegistration: { notedAt: expect.any(String) },
    },
    sessions: [{ startedAt: expect.any(String), endsAt: expect.any(String), device: 'Another program' }],
    ...{
      catalog: { events: [1] },
      ticketing: { orders: [1] },
      payments: { ads: [1] },
      media: { pictures: [1] },
      realtime: { notifications: [1] },
    },
  });
  expect(asked.toSorted()).toEqual(
    ['events', 'orders', 'ads', 'pictures', 'notifications']
      .map((name) => `${name} /internal/people/${person.user.id}`)
      .toSorted(),
  );
  expect((await service.call('GET', '/api/users/me/export')).status).toBe(401);
});

test('downloads are limited per account, and while a service is down there is no partial download', async () => {
  const service = await identity();
  const [greedy, other] = [await register(service), await register(service)];
  const ask = ({ token }: SignedIn) => service.call('GET', '/api/users/me/export', { token });
  const statuses = [];
  for (let attempt = 0; attempt < 7; attempt++) statuses.push((await ask(greedy)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect((await ask(other)).status).toBe(200);
  const away = { get: () => Promise.reject(new HttpProblem(503, 'unavailable')) };
  const half = await identity({ services: { media: away } });
  expect((await half.call('GET', '/api/users/me/export', { token: (await register(half)).token })).status).toBe(503);
});

test('the number of a lost account is never reused while another service knows it', async () => {
  const service = await identity();
  const known = (highest: number, headers: object = internal) =>
    service.call('POST', '/internal/known-accounts', { headers: { ...headers }, body: { highest } });
  expect((await known(50, {})).status).toBe(403);
  expect((await known(2_147_483_647)).status).toBe(400);
  expect((await known(0)).status).toBe(204);
  const first = await register(service);
  // Other services report no higher account id than identity’s, so nothing changes.
  expect((await known(first.user.id)).status).toBe(204);
  const second = await register(service);
  expect(second.user.id).toBe(first.user.id + 1);

  const lost = second.user.id + 40;
  await Promise.all([known(lost), known(lost - 3), ...Array.from({ length: 5 }, () => register(service)), known(lost)]);
  const third = await register(service);
  expect(third.user.id).toBeGreaterThan(lost);
  expect((await known(lost)).status).toBe(204);
  expect((await register(service)).user.id).toBe(third.user.id + 1);
});

test('other services, and no other callers, can read an account’s email address until it is erased', async () => {
  const service = await identity();
  const person = await register(service);
  const path = `/internal/people/${person.user.id}/address`;
  const ask = (headers: Record<string, string>) => service.call('GET', path, { headers });
  expect((await ask({})).status).toBe(403);
  expect((await ask(internal)).json).toEqual({ email: person.user.email, isVerified: false, language: 'en' });
  await service.pool.query(`insert into account_languages (user_id, language) values ($1, 'es')`, [person.user.id]);
  expect((await ask(internal)).json).toMatchObject({ language: 'es' });
  const nobody = await service.call('GET', '/internal/people/99999/address', { headers: internal });
  expect(nobody.status).toBe(404);
});
