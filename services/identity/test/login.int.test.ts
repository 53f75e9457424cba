import { request } from 'node:http';
import { expect, test } from 'vitest';
import { argon } from '../src/password/argon.ts';
import { createHasher, type Hasher } from '../src/password/hasher.ts';
import { createDemoAccounts } from '../src/demo.ts';
import { FROM_THIS_MACHINE } from '@beltway/kit/this-machine';
import {
  databases,
  identity,
  movableClock,
  newEmail,
  PASSWORD,
  register,
  type Answer,
  type Identity,
} from './support.ts';

const login = (
  { call }: Pick<Identity, 'call'>,
  email: string,
  password: string,
  address = '203.0.113.1',
): Promise<Answer> =>
  call('POST', '/api/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': address } });

/** A hasher without delay, for tests that count attempts. */
const quick: Hasher = createHasher({
  running: 8,
  waiting: 1_000,
  argon: {
    hash: (password) => Promise.resolve(`#${password}`),
    verify: (hash, password) => Promise.resolve(hash === `#${password}`),
  },
});

test('signs in with any spelling of the email address, and each sign-in begins a new session', async () => {
  const service = await identity();
  const { user, email } = await register(service);
  const one = await login(service, email.toUpperCase(), PASSWORD);
  const two = await login(service, email, PASSWORD);
  expect(one).toMatchObject({ status: 200, json: { token: expect.any(String), user } });
  expect(one.cookie).toMatch(/^[\w-]{43}$/);
  expect(two.cookie).not.toBe(one.cookie);
  expect(await service.rows('select count(*)::int as n from sessions')).toEqual([{ n: 3 }]);
});

test('an unknown email address and a wrong password get exactly the same answer', async () => {
  const service = await identity();
  const { email } = await register(service);
  const answers = [
    await login(service, email, 'not the password'),
    await login(service, newEmail(), 'not the password'),
  ];
  for (const { status, json, cookie } of answers) {
    expect(status).toBe(401);
    expect(cookie).toBeUndefined();
    expect({ ...json, requestId: '' }).toEqual({
      type: 'https://beltway.test/problems/wrong-credentials',
      title: 'Authentication required',
      status: 401,
      code: 'wrong-credentials',
      text: 'wrong-credentials',
      detail: 'Invalid email or password.',
      requestId: '',
    });
  }
});

test('a known and an unknown email address each cost one hash, so timing reveals nothing', async () => {
  let hashed = 0;
  const service = await identity({
    hasher: createHasher({
      running: 1,
      waiting: 9,
      argon: { ...argon, verify: (hash, password) => (hashed++, argon.verify(hash, password)) },
    }),
  });
  const { email } = await register(service);
  for (const who of [email, newEmail()]) {
    hashed = 0;
    await login(service, who, 'not the password');
    expect(hashed).toBe(1);
  }
});

test('a password stays good until it is changed', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: quick });
  const { email } = await register(service);
  pass(5 * 365 * 24 * 3_600);
  expect((await login(service, email, PASSWORD)).status).toBe(200);
});

test('after five wrong passwords the waits grow; the right password ends them', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: quick });
  const { email } = await register(service);
  const wrong = () => login(service, email, 'not the password');
  for (let i = 0; i < 5; i++) expect((await wrong()).status).toBe(401);
  const waits: number[] = [];
  for (let i = 0; i < 5; i++) {
    const refused = await wrong();
    expect(refused).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
    waits.push(Number(refused.headers.get('retry-after')));
    // The right password must wait too. Otherwise an attacker could keep guessing during the wait.
    expect((await login(service, email, PASSWORD)).status).toBe(429);
    pass(waits.at(-1)!);
    expect((await wrong()).status).toBe(401);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16]);
  pass(60);
  expect((await login(service, email, PASSWORD)).status).toBe(200);
  for (let i = 0; i < 5; i++) expect((await wrong()).status).toBe(401);
});

test('wrong passwords for an account that does not exist cause the same waits', async () => {
  const service = await identity({ clock: movableClock().clock, hasher: quick });
  const email = newEmail();
  for (let i = 0; i < 5; i++) expect((await login(service, email, 'not the password')).status).toBe(401);
  expect(await login(service, email, 'not the password')).toMatchObject({
    status: 429,
    json: { code: 'too-many-attempts' },
  });
});

test('concurrent guesses are counted one after another, whichever instance gets them', async () => {
  const on = await databases();
  const { clock } = movableClock();
  const [one, two] = [await identity({ on, clock, hasher: quick }), await identity({ on, clock, hasher: quick })];
  const { email } = await register(one);
  const guesses = (count: number, to: (i: number) => Identity, account: string) =>
    Promise.all(Array.from({ length: count }, (_, i) => login(to(i), account, `guess number ${i}`)));
  const together = await guesses(40, () => one, email);
  expect(together.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(together.filter(({ status }) => status === 429)).toHaveLength(35);
  const other = await register(one);
  const onBoth = await guesses(40, (i) => (i % 2 ? one : two), other.email);
  expect(onBoth.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(6);
});

test('concurrent sign-ins with the right password all succeed', async () => {
  const service = await identity({ hasher: quick });
  const { email } = await register(service);
  const answers = await Promise.all(Array.from({ length: 40 }, () => login(service, email, PASSWORD)));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  expect(await service.rows('select * from login_attempts')).toEqual([]);
});

test('when too many sign in concurrently, the next is refused immediately; this is no wrong password', async () => {
  const waiting: Array<() => void> = [];
  const hasher = createHasher({
    running: 1,
    waiting: 1,
    argon: {
      hash: () => Promise.resolve('h'),
      verify: () => new Promise((resolve) => waiting.push(() => resolve(true))),
    },
  });
  const service = await identity({ hasher });
  const people = [await register(service), await register(service), await register(service)];
  const logins = people.map(({ email }) => login(service, email, PASSWORD));
  // One password is hashed, one waits, and the third is refused. The order depends on the network.
  await Promise.race(logins);
  await expect.poll(() => waiting.length).toBe(1);
  for (let i = 0; i < 8; i++) {
    const refused = await login(service, newEmail(), PASSWORD);
    expect(refused).toMatchObject({ status: 429, json: { code: 'busy' } });
    expect(refused.headers.get('retry-after')).toBe('2');
  }
  const other = await service.call('POST', '/api/auth/register', {
    body: { name: 'Bob', email: newEmail(), password: PASSWORD },
  });
  expect(other).toMatchObject({ status: 429, json: { code: 'busy' } });
  expect(await service.rows('select * from login_attempts')).toEqual([]);
  waiting.shift()?.();
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()?.();
  expect((await Promise.all(logins)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
});

test('an IP address with too many sign-ins must wait', async () => {
  const service = await identity({ hasher: quick });
  const { email } = await register(service);
  const attempts = await Promise.all(Array.from({ length: 201 }, () => login(service, email, PASSWORD)));
  expect(attempts.filter(({ status }) => status === 200)).toHaveLength(200);
  expect(attempts.find(({ status }) => status === 429)).toMatchObject({ json: { code: 'too-many-requests' } });
});

test('an IP address that tries one password on many accounts must wait; right passwords cost nothing', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: quick });
  const { email } = await register(service);
  const guess = () => login(service, newEmail(), 'not the password');
  for (let i = 0; i < 100; i++) expect((await guess()).status).toBe(401);
  expect(await guess()).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
  pass(15);
  expect((await login(service, email, PASSWORD)).status).toBe(200);
  expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect(refused).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15);
});

test('demo accounts are created once, with their roles, and do not work in production', async () => {
  const on = await databases();
  const demo = await identity({ on, env: { BELTWAY_MODE: 'embedded' }, hasher: quick });
  await createDemoAccounts(demo.accounts, demo.pool, demo.log);
  const again = () => Promise.reject(new Error('the accounts are there'));
  await createDemoAccounts({ register: again }, demo.pool, demo.log);
  expect(await demo.rows('select email, name, role from users order by id')).toEqual([
    { email: 'explorer@beltway.test', name: 'Demo Explorer', role: 'user' },
    { email: 'business@beltway.test', name: 'Demo Business', role: 'business' },
    { email: 'admin@beltway.test', name: 'Demo Admin', role: 'admin' },
  ]);
  expect(await demo.rows('select count(*)::int as n from events')).toEqual([{ n: 3 }]);
  const here = { body: { email: 'admin@beltway.test', password: 'demo-beltway' } };
  const signedIn = await demo.call('POST', '/api/auth/login', here);
  expect(signedIn).toMatchObject({ status: 200, json: { user: { role: 'admin' } } });

  for (const env of [
    { BELTWAY_MODE: 'engines' },
    { BELTWAY_MODE: 'engines', BELTWAY_DEMO: '1' },
    { BELTWAY_MODE: 'embedded', BELTWAY_DEMO: '0' },
  ]) {
    const real = await identity({ on, env, hasher: quick });
    expect(await real.call('POST', '/api/auth/login', here)).toMatchObject({
      status: 401,
      json: { code: 'wrong-credentials' },
    });
    expect(await real.call('POST', '/api/auth/refresh', { cookie: signedIn.cookie })).toMatchObject({ status: 401 });
    const again = { name: 'Me', email: 'admin@beltway.test', password: PASSWORD };
    expect(await real.call('POST', '/api/auth/register', { body: again })).toMatchObject({ status: 409 });
  }
});

/** Uses `request`, because fetch would not send a different Host. */
const loginAs = (base: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const body = JSON.stringify({ email: 'admin@beltway.test', password: 'demo-beltway' });
    request(`${base}/api/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
      .on('response', (response) => (response.resume(), resolve(response.statusCode!)))
      .on('error', reject)
      .end(body);
  });

test('demo accounts work only on this machine, without a proxy and under its own host names', async () => {
  const { accounts, pool, log, base } = await identity({ env: { BELTWAY_MODE: 'embedded' }, hasher: quick });
  await createDemoAccounts(accounts, pool, log);
  const host = 'localhost:3000';
  const gateway = { host, 'x-forwarded-for': '127.0.0.1' };
  expect(await loginAs(base, { host })).toBe(200);
  expect(await loginAs(base, { ...gateway, [FROM_THIS_MACHINE]: '1' })).toBe(200);
  // The request comes from a page of another site whose host name points here, or from another machine through the
  // gateway or a proxy.
  expect(await loginAs(base, { host: 'evil.test:3000' })).toBe(401);
  expect(await loginAs(base, { ...gateway, host: 'evil.test', [FROM_THIS_MACHINE]: '1' })).toBe(401);
  expect(await loginAs(base, gateway)).toBe(401);
  expect(await loginAs(base, { host, 'x-forwarded-for': '192.168.1.7' })).toBe(401);
});
