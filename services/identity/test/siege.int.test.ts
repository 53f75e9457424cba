import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { createHasher, type Hasher } from '../src/password/hasher.ts';
import { identity, movableClock, newEmail, PASSWORD, register, type Answer, type Identity } from './support.ts';

interface From {
  address: string;
  device?: string | undefined;
}

const login = ({ call }: Pick<Identity, 'call'>, email: string, password: string, { address, device }: From) =>
  call('POST', '/api/auth/login', { body: { email, password }, device, headers: { 'x-forwarded-for': address } });

/**
 * A hasher with the service's limits for concurrent and waiting hashes. Hashes end on command, or immediately after
 * `release`.
 */
function heldHasher() {
  const ends: Array<() => void> = [];
  let open = true;
  const turn = () => (open ? Promise.resolve() : new Promise<void>((resolve) => ends.push(resolve)));
  const hasher: Hasher = createHasher({
    running: 1,
    waiting: 128,
    waitingEach: 32,
    argon: {
      hash: (password) => Promise.resolve(`#${password}`),
      verify: (hash, password) => turn().then(() => hash === `#${password}`),
    },
  });
  return {
    hasher,
    hold: () => void (open = false),
    release: () => {
      open = true;
      for (const end of ends.splice(0)) end();
    },
  };
}

/**
 * Counts refusals while other attempts wait. For an unexpected number, throws an error that names all statuses so far.
 */
function refusals() {
  const seen: Record<string, number> = {};
  const count = (what: string) => void (seen[what] = (seen[what] ?? 0) + 1);
  return {
    async of(attempt: Promise<Answer>): Promise<Answer> {
      attempt.then(
        ({ status }) => count(String(status)),
        (error: Error) => count(`${error.message}: ${String(error.cause)}`),
      );
      return attempt;
    },
    are(wanted: number): true {
      if (seen[429] !== wanted) throw new Error(`not yet ${wanted} refusals: ${JSON.stringify(seen)}`);
      return true;
    },
  };
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const people = (service: Identity, count: number) =>
  Promise.all(Array.from({ length: count }, () => register(service)));
const retryAfter = ({ headers }: Answer) => Number(headers.get('retry-after'));

test('forty concurrent wrong sign-ins from one address do not block other users', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const innocents = await people(service, 5);
  hold();
  const refused = refusals();
  const attack = Array.from({ length: 40 }, () =>
    refused.of(login(service, newEmail(), 'not the password', { address: '198.51.100.66' })),
  );
  // One attempt is hashed and 32 wait, so the attacker uses all places of one IP address.
  await eventually(() => refused.are(7));
  const logins = innocents.map(({ email }, i) => login(service, email, PASSWORD, { address: `203.0.113.${i}` }));
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(5).fill(200));
  expect((await Promise.all(attack)).filter(({ status }) => status === 401)).toHaveLength(33);
});

test('concurrent wrong sign-ins from forty addresses do not block other users', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const innocents = await people(service, 23);
  hold();
  const refused = refusals();
  const attack = Array.from({ length: 400 }, (_, i) =>
    refused.of(login(service, newEmail(), 'not the password', { address: `198.51.100.${i % 40}` })),
  );
  await eventually(() => refused.are(400 - 129));
  const logins = innocents.map(({ email }, i) => login(service, email, PASSWORD, { address: `203.0.113.${i}` }));
  // Each of these sign-ins replaced an attempt from an address with more waiting attempts.
  await eventually(() => refused.are(400 - 129 + 23));
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(23).fill(200));
  await Promise.all(attack);
});

test('known devices can sign in while hundreds of addresses fill the queue', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const known = await people(service, 5);
  hold();
  const refused = refusals();
  const attack = Array.from({ length: 300 }, (_, i) =>
    refused.of(login(service, newEmail(), 'not the password', { address: `198.51.${i >> 8}.${i & 255}` })),
  );
  await eventually(() => refused.are(300 - 129));
  const stranger = await login(service, newEmail(), PASSWORD, { address: '203.0.113.99' });
  expect(stranger).toMatchObject({ status: 429, json: { code: 'busy' } });
  const logins = known.map(({ email, device }) => login(service, email, PASSWORD, { address: '203.0.113.1', device }));
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(5).fill(200));
  await Promise.all(attack);
});

test('an attacker with 140 free accounts and four addresses cannot fill the lane for known devices', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const owned = [];
  for (let n = 0; n < 140; n++)
    owned.push(await register(service, {}, { 'x-forwarded-for': `198.51.100.${Math.floor(n / 40)}` }));
  const known = await people(service, 5);
  hold();
  const refused = refusals();
  const attack = owned.map(({ email, device }, n) =>
    refused.of(login(service, email, PASSWORD, { address: `198.51.100.${n % 4}`, device })),
  );
  await eventually(() => refused.are(140 - 129));
  const logins = known.map(({ email, device }) => login(service, email, PASSWORD, { address: '203.0.113.1', device }));
  // Each sign-in is either in the queue or was refused.
  await eventually(() => refused.are(140 - 129 + 5));
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(5).fill(200));
  await Promise.all(attack);
});

test('during a siege from ever new addresses, known devices can sign in, and guesses are limited', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const owner = await register(service);
  let guesses = 0;
  let next = 0;
  const guess = async () => {
    const address = `198.51.${next >> 8}.${next++ & 255}`;
    const { status } = await login(service, owner.email, 'not the password', { address });
    if (status === 401) guesses++;
    else expect(status).toBe(429);
  };
  let { device } = owner;
  for (let minute = 0; minute < 60; minute++) {
    for (let i = 0; i < 5; i++) await guess();
    const answer = await login(service, owner.email, PASSWORD, { address: '203.0.113.1', device });
    expect(answer.status).toBe(200);
    device = answer.device;
    pass(60);
  }
  expect(next).toBe(300);
  // The budget for an hour is 80 guesses. A reserved attempt that no device uses is lost.
  expect(guesses).toBeGreaterThanOrEqual(20);
  expect(guesses).toBeLessThanOrEqual(80);
});

test('during a siege an owner with a new device signs in at the second try, at the announced time', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const owner = await register(service);
  const attackers = Array.from({ length: 47 }, (_, i) => ({ address: `198.51.100.${i}`, due: 0 }));
  let now = 0;
  let guesses = 0;
  const wait = (seconds: number) => {
    now += seconds;
    pass(seconds);
  };
  const attack = async () => {
    for (const attacker of attackers) {
      if (attacker.due > now) continue;
      const answer = await login(service, owner.email, 'not the password', attacker);
      if (answer.status === 401) guesses++;
      else attacker.due = now + retryAfter(answer);
    }
  };
  await attack();
  expect(guesses).toBe(20);
  const home = { address: '203.0.113.1' };
  const first = await login(service, owner.email, PASSWORD, home);
  expect(first).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
  // 27 sites came before, each with one guess a minute.
  expect(retryAfter(first)).toBe(28 * 60);
  // Trying earlier changes nothing.
  expect(retryAfter(await login(service, owner.email, PASSWORD, home))).toBe(28 * 60);
  for (let minute = 0; minute < 28; minute++) {
    wait(60);
    await attack();
  }
  expect((await login(service, owner.email, PASSWORD, home)).status).toBe(200);
  expect(guesses).toBeLessThanOrEqual(20 + 28);
});

test('many concurrent requests from one site get one reserved attempt', async () => {
  const { clock } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const owner = await register(service);
  for (let i = 0; i < 20; i++) await login(service, owner.email, 'not the password', { address: `198.51.100.${i}` });
  const pushy = { address: '198.51.100.200' };
  await Promise.all(Array.from({ length: 30 }, () => login(service, owner.email, 'not the password', pushy)));
  // An IPv6 site counts once, whichever of its 65,536 networks a request comes from.
  for (let i = 0; i < 30; i++)
    await login(service, owner.email, 'not the password', { address: `2001:db8:1:${i.toString(16)}::1` });
  const refused = await login(service, owner.email, PASSWORD, { address: '203.0.113.1' });
  expect(retryAfter(refused)).toBe(3 * 60);
});

test('a reserved attempt permits one try, and expires after an hour', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const owner = await register(service);
  for (let i = 0; i < 20; i++) await login(service, owner.email, 'not the password', { address: `198.51.100.${i}` });
  const guesser = { address: '198.51.100.200' };
  const guess = () => login(service, owner.email, 'not the password', guesser);
  expect(retryAfter(await guess())).toBe(60);
  pass(60);
  expect((await guess()).status).toBe(401);
  expect(await guess()).toMatchObject({ status: 429 });
  pass(60 + 3_600);
  // Much later the account's budget applies again, and this attempt counts toward the budget.
  const answers = [];
  for (let i = 0; i < 25; i++)
    answers.push(await login(service, owner.email, 'not the password', { address: `192.0.2.${i}` }));
  expect(statuses(answers).filter((status) => status === 401)).toHaveLength(20);
});

test('a device is known only to its own account, and never replaces the password', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const [owner, thief] = [await register(service), await register(service)];
  for (let i = 0; i < 20; i++) await login(service, owner.email, 'not the password', { address: `198.51.100.${i}` });
  const address = '203.0.113.1';
  const foreign = owner.device!.replace(/^.{16}/, thief.device!.slice(0, 16));
  for (const device of [undefined, thief.device, foreign, `${owner.device}x`, '~~~', 'a.b.c'])
    expect((await login(service, owner.email, PASSWORD, { address, device })).status).toBe(429);

  const { device } = owner;
  const guess = () => login(service, owner.email, 'not the password', { address, device });
  for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401);
  expect(await guess()).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
  // With a stolen cookie, each wrong guess causes a longer wait, whatever the IP address.
  expect((await login(service, owner.email, PASSWORD, { address: '192.0.2.1', device })).status).toBe(429);
  pass(1);
  expect((await guess()).status).toBe(401);
  expect(retryAfter(await guess())).toBe(2);
  pass(2);
  expect((await login(service, owner.email, PASSWORD, { address, device })).status).toBe(200);
  expect((await service.call('POST', '/api/auth/refresh', { device })).status).toBe(401);
});

test('a device stays known for half a year, and a browser to its five newest accounts', async () => {
  const { clock, pass } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const address = '203.0.113.1';
  const owners = await people(service, 6);
  let device: string | undefined;
  for (const { email } of owners) ({ device } = await login(service, email, PASSWORD, { address, device }));
  expect(device!.split('~')).toHaveLength(5);
  const isKnown = async (email: string) => {
    for (let i = 0; i < 20; i++) await login(service, email, 'not the password', { address: `198.51.100.${i}` });
    return (await login(service, email, PASSWORD, { address, device })).status === 200;
  };
  expect(await isKnown(owners[0]!.email)).toBe(false);
  expect(await isKnown(owners[1]!.email)).toBe(true);
  pass(179 * 86_400);
  expect(await isKnown(owners[5]!.email)).toBe(true);
  pass(86_400);
  expect(await isKnown(owners[5]!.email)).toBe(false);
});

test('the device cookie is sent only to the sign-in calls, and scripts cannot read it', async () => {
  for (const [publicUrl, name, path, secure] of [
    ['http://localhost:3000', 'beltway_device', '/api/auth', false],
    ['https://beltway.example', '__Host-beltway_device', '/', true],
  ] as const) {
    const service = await identity({ env: { PUBLIC_URL: publicUrl }, hasher: heldHasher().hasher });
    const { headers } = await service.call('POST', '/api/auth/register', {
      body: { name: 'Ann', email: newEmail(), password: PASSWORD },
    });
    const set = headers.getSetCookie().find((one) => one.startsWith(`${name}=`))!;
    expect(set).toMatch(/; HttpOnly;/);
    expect(set).toContain(`; Path=${path};`);
    expect(set).toMatch(/; SameSite=Strict/);
    expect(set.includes('; Secure')).toBe(secure);
  }
});
