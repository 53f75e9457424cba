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

/** As many turns and slots as the service has; hashes end on command, and without delay after `release`. */
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

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const people = (service: Identity, count: number) =>
  Promise.all(Array.from({ length: count }, () => register(service)));
const retryAfter = ({ headers }: Answer) => Number(headers.get('retry-after'));

test('forty concurrent wrong logins from one address: the right ones of other people get in', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const innocents = await people(service, 5);
  hold();
  let refused = 0;
  const attack = Array.from({ length: 40 }, () =>
    login(service, newEmail(), 'not the password', { address: '198.51.100.66' }).then((answer) => {
      if (answer.status === 429) refused++;
      return answer;
    }),
  );
  // One is hashed and 32 wait: the attacker has all there is for one address.
  await eventually(() => refused === 7);
  const logins = innocents.map(({ email }, i) => login(service, email, PASSWORD, { address: `203.0.113.${i}` }));
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(5).fill(200));
  expect((await Promise.all(attack)).filter(({ status }) => status === 401)).toHaveLength(33);
});

test('concurrent wrong logins from forty addresses: the right ones of other people get in', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const innocents = await people(service, 23);
  hold();
  let refused = 0;
  const attack = Array.from({ length: 400 }, (_, i) =>
    login(service, newEmail(), 'not the password', { address: `198.51.100.${i % 40}` }).then((answer) => {
      if (answer.status === 429) refused++;
      return answer;
    }),
  );
  await eventually(() => refused === 400 - 129);
  const logins = innocents.map(({ email }, i) => login(service, email, PASSWORD, { address: `203.0.113.${i}` }));
  // Each of them took the place of one who had more.
  await eventually(() => refused === 400 - 129 + 23);
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(23).fill(200));
  await Promise.all(attack);
});

test('people at devices that are known get in when hundreds of addresses fill the queue', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const known = await people(service, 5);
  hold();
  let refused = 0;
  const attack = Array.from({ length: 300 }, (_, i) =>
    login(service, newEmail(), 'not the password', { address: `198.51.${i >> 8}.${i & 255}` }).then((answer) => {
      if (answer.status === 429) refused++;
      return answer;
    }),
  );
  await eventually(() => refused === 300 - 129);
  const stranger = await login(service, newEmail(), PASSWORD, { address: '203.0.113.99' });
  expect(stranger).toMatchObject({ status: 429, json: { code: 'busy' } });
  const logins = known.map(({ email, device }) => login(service, email, PASSWORD, { address: '203.0.113.1', device }));
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(5).fill(200));
  await Promise.all(attack);
});

test('an attacker with 140 free accounts and four addresses does not fill the lane of known devices', async () => {
  const { hasher, hold, release } = heldHasher();
  const service = await identity({ hasher });
  const owned = [];
  for (let n = 0; n < 140; n++)
    owned.push(await register(service, {}, { 'x-forwarded-for': `198.51.100.${Math.floor(n / 40)}` }));
  const known = await people(service, 5);
  hold();
  let refused = 0;
  const attack = owned.map(({ email, device }, n) =>
    login(service, email, PASSWORD, { address: `198.51.100.${n % 4}`, device }).then((answer) => {
      if (answer.status === 429) refused++;
    }),
  );
  await eventually(() => refused === 140 - 129);
  const logins = known.map(({ email, device }) => login(service, email, PASSWORD, { address: '203.0.113.1', device }));
  // Each of them is in the queue, or refused.
  await eventually(() => refused === 140 - 129 + 5);
  release();
  expect(statuses(await Promise.all(logins))).toEqual(Array(5).fill(200));
  await Promise.all(attack);
});

test('a siege of one account from fresh addresses: its owner gets in from a known device each time, and guessing is bounded', async () => {
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
  // The budget in an hour is 80; who was given a place and does not come back wastes it.
  expect(guesses).toBeGreaterThanOrEqual(20);
  expect(guesses).toBeLessThanOrEqual(80);
});

test('at a new device the owner of a besieged account gets in at the second try, at the time the first answer gave', async () => {
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
  // 27 came before, each with one guess in one minute.
  expect(retryAfter(first)).toBe(28 * 60);
  // To ask again before is of no use, and does no harm.
  expect(retryAfter(await login(service, owner.email, PASSWORD, home))).toBe(28 * 60);
  for (let minute = 0; minute < 28; minute++) {
    wait(60);
    await attack();
  }
  expect((await login(service, owner.email, PASSWORD, home)).status).toBe(200);
  expect(guesses).toBeLessThanOrEqual(20 + 28);
});

test('many concurrent requests of one source get one slot', async () => {
  const { clock } = movableClock();
  const service = await identity({ clock, hasher: heldHasher().hasher });
  const owner = await register(service);
  for (let i = 0; i < 20; i++) await login(service, owner.email, 'not the password', { address: `198.51.100.${i}` });
  const pushy = { address: '198.51.100.200' };
  await Promise.all(Array.from({ length: 30 }, () => login(service, owner.email, 'not the password', pushy)));
  // One IPv6 site is one, whichever of its 65,536 networks it comes from.
  for (let i = 0; i < 30; i++)
    await login(service, owner.email, 'not the password', { address: `2001:db8:1:${i.toString(16)}::1` });
  const refused = await login(service, owner.email, PASSWORD, { address: '203.0.113.1' });
  expect(retryAfter(refused)).toBe(3 * 60);
});

test('a kept attempt is one attempt, and is gone after an hour', async () => {
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
  // Long after, the budget of the account counts again, of which this takes part.
  const answers = [];
  for (let i = 0; i < 25; i++)
    answers.push(await login(service, owner.email, 'not the password', { address: `192.0.2.${i}` }));
  expect(statuses(answers).filter((status) => status === 401)).toHaveLength(20);
});

test('a device is known for its own account only, and never replaces the password', async () => {
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
  // A stolen one waits longer each time, from whichever address it is used.
  expect((await login(service, owner.email, PASSWORD, { address: '192.0.2.1', device })).status).toBe(429);
  pass(1);
  expect((await guess()).status).toBe(401);
  expect(retryAfter(await guess())).toBe(2);
  pass(2);
  expect((await login(service, owner.email, PASSWORD, { address, device })).status).toBe(200);
  expect((await service.call('POST', '/api/auth/refresh', { device })).status).toBe(401);
});

test('a device stays known for half a year, and a browser for its five newest accounts', async () => {
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

test('the cookie of a device is for the sign-in calls alone, and out of reach of scripts', async () => {
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
