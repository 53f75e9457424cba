import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { createHasher, type Hasher } from '../src/password/hasher.ts';
import { rebuild } from '../src/rebuild.ts';
import { sweep } from '../src/jobs.ts';
import { accountMails } from './account-mails.ts';
import {
  PASSWORD,
  admin,
  databases,
  identity,
  movableClock,
  newAdmin,
  register,
  type Databases,
  type Identity,
  type SignedIn,
} from './support.ts';

/** A hasher without delay, for tests that count attempts. */
const hasher: Hasher = createHasher({
  running: 8,
  waiting: 1_000,
  argon: {
    hash: (password) => Promise.resolve(`#${password}`),
    verify: (hash, password) => Promise.resolve(hash === `#${password}`),
  },
});
const NEXT = 'a quite different password';
type Service = Pick<Identity, 'call'>;

/** A service whose clock is stopped at the start of a time step. */
async function standing(on?: Databases, more: Parameters<typeof identity>[0] = {}) {
  const { clock, pass } = movableClock();
  pass(30 - ((clock().getTime() / 1_000) % 30));
  const service = await identity({ clock, hasher, ...(on && { on }), ...more });
  return { service, clock, pass };
}

const login = ({ call }: Service, email: string, password = PASSWORD, address = '203.0.113.1') =>
  call('POST', '/api/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': address } });
const second = ({ call }: Service, challenge: unknown, code: unknown, address = '203.0.113.1') =>
  call('POST', '/api/auth/login/code', { body: { challenge, code }, headers: { 'x-forwarded-for': address } });
const setUp = ({ call }: Service, { token }: { token: string }, password = PASSWORD) =>
  call('POST', '/api/auth/totp/setup', { token, body: { password } });
const turnOn = ({ call }: Service, { token }: { token: string }, code: string) =>
  call('POST', '/api/auth/totp', { token, body: { code } });
const turnOff = ({ call }: Service, { token }: { token: string }, code: string) =>
  call('POST', '/api/auth/totp/off', { token, body: { code } });
const stateOf = async ({ call }: Service, { token }: { token: string }) =>
  (await call('GET', '/api/auth/totp', { token })).json as Record<string, unknown>;

/** An authenticator app with this secret. Returns a function that returns the code of the time `steps` from now. */
const appOf = (secret: string, clock: () => Date) => {
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  return (steps = 0) => app.generate({ timestamp: clock().getTime() + steps * 30_000 });
};
/** Returns a code that is wrong for all accepted steps. */
const wrong = (shows: (steps?: number) => string) => {
  const right = [-1, 0, 1].map((steps) => shows(steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code))!;
};
const WRONG = { status: 400, json: { errors: [{ field: 'code' }] }, cookie: undefined };
const OVER = { status: 400, json: { code: 'challenge-invalid' }, cookie: undefined };

interface WithCodes {
  owner: SignedIn;
  shows: (steps?: number) => string;
  recoveryCodes: string[];
  secret: string;
}

async function withCodes(service: Identity, clock: () => Date, given?: SignedIn): Promise<WithCodes> {
  const owner = given ?? (await register(service, { role: 'business', name: 'Ann' }));
  const { secret } = (await setUp(service, owner)).json as { secret: string };
  const shows = appOf(secret, clock);
  const answer = await turnOn(service, owner, shows());
  if (answer.status !== 200) throw new Error(`turning on answered ${answer.status}: ${answer.text}`);
  return { owner, shows, secret, recoveryCodes: (answer.json as { recoveryCodes: string[] }).recoveryCodes };
}
const challengeOf = async (service: Service, { email }: SignedIn) =>
  ((await login(service, email)).json as { challenge: string }).challenge;

test('signing in requires password and code; before the code there is neither token nor cookie', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  pass(30);
  const first = await login(service, owner.email);
  expect(first.status).toBe(200);
  expect(Object.keys(first.json as object).sort()).toEqual(['challenge', 'expiresAt']);
  expect(first.headers.getSetCookie()).toEqual([]);
  expect(await service.rows('select count(*)::int as n from sessions')).toEqual([{ n: 1 }]);

  const { challenge } = first.json as { challenge: string };
  const done = await second(service, challenge, shows());
  expect(done).toMatchObject({ status: 200, json: { token: expect.any(String), user: { id: owner.user.id } } });
  expect(done.cookie).toMatch(/^[\w-]{43}$/);
  expect(done.device).toBeDefined();
  const { token } = done.json as { token: string };
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(200);
  expect(await service.call('POST', '/api/auth/refresh', { cookie: done.cookie })).toMatchObject({ status: 200 });
});

test('a wrong password does not reveal whether codes are on', async () => {
  const { service, clock } = await standing();
  const { owner } = await withCodes(service, clock);
  const plain = await register(service);
  const answers = [
    await login(service, owner.email, 'not the password'),
    await login(service, plain.email, 'not it at all'),
  ];
  for (const { status, json } of answers)
    expect({ status, code: json.code }).toEqual({ status: 401, code: 'wrong-credentials' });
  expect(answers[0]!.json.detail).toBe(answers[1]!.json.detail);
  expect(await service.rows('select * from totp_challenges')).toEqual([]);
});

test('a code works once and makes the previous code and the code that turned codes on invalid', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  expect(await second(service, await challengeOf(service, owner), shows())).toMatchObject(WRONG);
  pass(30);
  expect((await second(service, await challengeOf(service, owner), shows())).status).toBe(200);
  const challenge = await challengeOf(service, owner);
  expect(await second(service, challenge, shows())).toMatchObject(WRONG);
  expect(await second(service, challenge, shows(-1))).toMatchObject(WRONG);
  // The challenge still accepts the right code, here from a phone whose clock is half a minute fast.
  expect((await second(service, challenge, shows(1))).status).toBe(200);
  expect(await second(service, challenge, shows(1))).toMatchObject(OVER);
});

test('a clock may be off by one step but not by two, and spaces in a code do not matter', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  pass(90);
  const challenge = await challengeOf(service, owner);
  expect(await second(service, challenge, shows(-2))).toMatchObject(WRONG);
  expect(await second(service, challenge, shows(2))).toMatchObject(WRONG);
  expect((await second(service, challenge, shows(-1).replace(/(...)/, '$1 '))).status).toBe(200);
});

test('only one of two concurrent sign-ins with the same code succeeds, even on two instances', async () => {
  const on = await databases();
  const { service, clock, pass } = await standing(on);
  const other = await identity({ on, clock, hasher });
  const { owner, shows } = await withCodes(service, clock);
  for (let round = 0; round < 5; round++) {
    pass(30);
    const challenges = [await challengeOf(service, owner), await challengeOf(other, owner)];
    const answers = await Promise.all(
      challenges.map((one, i) => second(i ? other : service, one, shows(), `203.0.113.${i}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
  }
});

test('one challenge opens one session, even with concurrent codes', async () => {
  const on = await databases();
  const { service, clock, pass } = await standing(on);
  const other = await identity({ on, clock, hasher });
  const { owner, shows, recoveryCodes } = await withCodes(service, clock);
  for (let round = 0; round < 4; round++) {
    pass(30);
    const challenge = await challengeOf(service, owner);
    const answers = await Promise.all([
      second(service, challenge, shows()),
      second(other, challenge, recoveryCodes[round]),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
});

test('a recovery code works once, even concurrently; dashes and case do not matter; the owner gets a mail', async () => {
  const on = await databases();
  const { service, clock } = await standing(on);
  const other = await identity({ on, clock, hasher });
  const mails = accountMails(service);
  const { owner, recoveryCodes } = await withCodes(service, clock);
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [one, two] = recoveryCodes as [string, string];
  const challenges = [await challengeOf(service, owner), await challengeOf(service, owner)];
  const raced = await Promise.all(challenges.map((challenge, i) => second(i ? other : service, challenge, one)));
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 400]);
  const challenge = await challengeOf(service, owner);
  expect(await second(service, challenge, one)).toMatchObject(WRONG);
  expect((await second(service, challenge, two.replaceAll('-', '').toLowerCase())).status).toBe(200);
  expect(await stateOf(service, owner)).toMatchObject({ isOn: true, recoveryCodesLeft: 8 });
  expect(await mails.to(owner.email, 'one of your recovery codes')).toHaveLength(2);
});

test('recovery codes of another account are refused, and so is its challenge with a code of one’s own', async () => {
  const { service, clock, pass } = await standing();
  const [ann, bob] = [await withCodes(service, clock), await withCodes(service, clock)];
  pass(30);
  const challenge = await challengeOf(service, ann.owner);
  expect(await second(service, challenge, bob.shows())).toMatchObject(WRONG);
  expect(await second(service, challenge, bob.recoveryCodes[0])).toMatchObject(WRONG);
  // None of these attempts used up a code.
  expect((await second(service, await challengeOf(service, bob.owner), bob.shows())).status).toBe(200);
  expect(await stateOf(service, bob.owner)).toMatchObject({ recoveryCodesLeft: 10 });
});

test('a challenge becomes invalid after five minutes, or when its account’s password changes', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  const late = await challengeOf(service, owner);
  pass(299);
  const intime = await challengeOf(service, owner);
  pass(1);
  expect(await second(service, late, shows())).toMatchObject(OVER);
  await service.call('POST', '/api/auth/change-password', {
    token: owner.token,
    body: { password: PASSWORD, newPassword: NEXT },
  });
  expect(await second(service, intime, shows())).toMatchObject(OVER);
  for (const none of ['', 'x', randomUUID(), 'x'.repeat(201)])
    expect((await second(service, none, shows())).status).toBe(400);
  // The code was not used up.
  const { json } = await login(service, owner.email, NEXT);
  expect((await second(service, json.challenge, shows())).status).toBe(200);
});

test('a challenge allows five codes, even concurrent ones', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  pass(30);
  const challenge = await challengeOf(service, owner);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => second(service, challenge, wrong(shows), `203.0.113.${i}`)),
  );
  expect(answers.filter(({ json }) => json.errors?.[0].field === 'code')).toHaveLength(5);
  expect(await second(service, challenge, shows(), '198.51.100.1')).toMatchObject(OVER);
  expect((await second(service, await challengeOf(service, owner), shows(), '198.51.100.1')).status).toBe(200);
});

test('guesses are limited per account; the owner can sign in after the announced wait', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  pass(30);
  let guesses = 0;
  /** An attacker who knows the password and uses a new IP address for each guess. */
  const guess = async (i: number) => {
    const address = `198.51.${Math.floor(i / 250)}.${i % 250}`;
    const { json } = await login(service, owner.email, PASSWORD, address);
    const answer = await second(service, json.challenge, wrong(shows), address);
    if (answer.status === 400) guesses++;
    else expect(answer).toMatchObject({ status: 429, json: { code: 'too-many-attempts' } });
    return answer;
  };
  for (let i = 0; i < 60; i++) await guess(i);
  expect(guesses).toBe(10);
  for (let hour = 0; hour < 3; hour++) {
    pass(3_600);
    for (let i = 0; i < 60; i++) await guess(i);
  }
  expect(guesses).toBeGreaterThan(10);
  expect(guesses).toBeLessThanOrEqual(10 + 3 * 4);

  const refused = await second(service, (await login(service, owner.email)).json.challenge, shows());
  expect(refused.status).toBe(429);
  pass(Number(refused.headers.get('retry-after')));
  expect((await second(service, (await login(service, owner.email)).json.challenge, shows())).status).toBe(200);
});

test('a wrong code causes waits like a wrong password, and does not count for other accounts', async () => {
  const { service, clock, pass } = await standing();
  const [ann, bob] = [await withCodes(service, clock), await withCodes(service, clock)];
  pass(30);
  let challenge = await challengeOf(service, ann.owner);
  for (let i = 0; i < 5; i++) expect(await second(service, challenge, wrong(ann.shows))).toMatchObject(WRONG);
  challenge = await challengeOf(service, ann.owner);
  expect(await second(service, challenge, ann.shows())).toMatchObject({
    status: 429,
    json: { code: 'too-many-attempts' },
  });
  expect((await second(service, await challengeOf(service, bob.owner), bob.shows())).status).toBe(200);
  // Refused attempts neither counted as tries of the challenge nor used up the code.
  pass(1);
  expect((await second(service, challenge, ann.shows())).status).toBe(200);
});

test('business accounts and admins may turn codes on; other accounts and wrong passwords are refused', async () => {
  const { service, clock } = await standing();
  const plain = await register(service);
  expect(await stateOf(service, plain)).toEqual({ isOn: false, mayTurnOn: false, since: null, recoveryCodesLeft: 0 });
  expect(await setUp(service, plain)).toMatchObject({ status: 403, json: { code: 'not-for-this-role' } });
  const boss = await newAdmin(service);
  expect(await stateOf(service, boss)).toMatchObject({ isOn: false, mayTurnOn: true });
  expect(await setUp(service, boss, 'not the password')).toMatchObject({
    status: 400,
    json: { errors: [{ field: 'password' }] },
  });
  expect(await turnOn(service, boss, '123456')).toMatchObject({ status: 409, json: { code: 'no-setup' } });
  await withCodes(service, clock, boss);
  expect(await stateOf(service, boss)).toMatchObject({
    isOn: true,
    since: expect.any(String),
    recoveryCodesLeft: 10,
  });
  expect(await setUp(service, boss)).toMatchObject({ status: 409, json: { code: 'totp-on' } });
  for (const [method, path] of [
    ['GET', '/api/auth/totp'],
    ['POST', '/api/auth/totp/setup'],
    ['POST', '/api/auth/totp'],
    ['POST', '/api/auth/totp/off'],
  ] as const)
    expect((await service.call(method, path, { ...(method === 'POST' && { body: {} }) })).status, path).toBe(401);
});

test('the newest secret must be confirmed with a code within ten minutes; before, sign-ins need no code', async () => {
  const { service, clock, pass } = await standing();
  const owner = await register(service, { role: 'business' });
  const first = (await setUp(service, owner)).json as {
    secret: string;
    uri: string;
    qr: { size: number; path: string };
  };
  expect(first.uri).toContain(`secret=${first.secret}`);
  expect(first.uri).toContain(encodeURIComponent(owner.email));
  expect(first.qr.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  expect(await turnOn(service, owner, wrong(appOf(first.secret, clock)))).toMatchObject(WRONG);
  pass(1);
  const { secret } = (await setUp(service, owner)).json as { secret: string };
  expect(await turnOn(service, owner, appOf(first.secret, clock)())).toMatchObject(WRONG);
  expect((await login(service, owner.email)).json).toHaveProperty('token');
  pass(600);
  const shows = appOf(secret, clock);
  expect(await turnOn(service, owner, shows())).toMatchObject({ status: 409, json: { code: 'no-setup' } });
  for (const code of [undefined, '', '12345', '1234567', 'abcdef', 123456])
    expect(await service.call('POST', '/api/auth/totp', { token: owner.token, body: { code } })).toMatchObject(WRONG);
});

test('only one of two concurrent confirmations returns recovery codes, and these codes work', async () => {
  const on = await databases();
  const { service, clock } = await standing(on);
  const other = await identity({ on, clock, hasher });
  const owner = await register(service, { role: 'business' });
  const { secret } = (await setUp(service, owner)).json as { secret: string };
  const code = appOf(secret, clock)();
  const answers = await Promise.all([service, other, service, other].map((one) => turnOn(one, owner, code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const { recoveryCodes } = answers.find(({ status }) => status === 200)!.json as { recoveryCodes: string[] };
  for (const one of recoveryCodes)
    expect((await second(service, await challengeOf(service, owner), one)).status).toBe(200);
  expect(await second(service, await challengeOf(service, owner), recoveryCodes[9])).toMatchObject(WRONG);
});

test('an unused code or recovery code turns codes off, and then the password is enough', async () => {
  const { service, clock, pass } = await standing();
  const mails = accountMails(service);
  const { owner, shows, recoveryCodes } = await withCodes(service, clock);
  expect(await turnOff(service, owner, shows())).toMatchObject(WRONG);
  expect(await turnOff(service, owner, wrong(shows))).toMatchObject(WRONG);
  pass(30);
  const challenge = await challengeOf(service, owner);
  expect((await turnOff(service, owner, shows())).status).toBe(204);
  expect(await turnOff(service, owner, shows(1))).toMatchObject({ status: 409, json: { code: 'totp-off' } });
  expect((await second(service, challenge, shows(1))).status).toBe(400);
  expect((await login(service, owner.email)).json).toHaveProperty('token');
  expect(await service.rows('select * from totp_secrets')).toEqual([]);
  expect(await service.rows('select * from totp_recovery_codes')).toEqual([]);

  const again = await withCodes(service, clock, owner);
  expect(await second(service, await challengeOf(service, owner), recoveryCodes[0])).toMatchObject(WRONG);
  expect((await turnOff(service, owner, again.recoveryCodes[0]!)).status).toBe(204);
  expect(await mails.to(owner.email, 'Codes at sign-in are on')).toHaveLength(2);
  expect(await mails.to(owner.email, 'Codes at sign-in are off')).toHaveLength(2);
});

test('guesses when turning codes off are counted together with guesses at sign-in', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  pass(30);
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const from = { token: owner.token, headers: { 'x-forwarded-for': `198.51.100.${i}` } };
    const { status } = await service.call('POST', '/api/auth/totp/off', { ...from, body: { code: wrong(shows) } });
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  expect((await second(service, await challengeOf(service, owner), shows())).status).toBe(429);
  // An attacker who guesses codes knows the password. A new password locks the attacker out, and the owner no longer
  // waits because of the attacker's guesses.
  const body = { password: PASSWORD, newPassword: NEXT };
  expect((await service.call('POST', '/api/auth/change-password', { token: owner.token, body })).status).toBe(200);
  const { challenge } = (await login(service, owner.email, NEXT)).json as { challenge: string };
  expect((await second(service, challenge, shows())).status).toBe(200);
});

test('a reset and a change of password leave codes on', async () => {
  const { service, clock, pass } = await standing();
  const mails = accountMails(service);
  const { owner, shows } = await withCodes(service, clock);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: owner.email } });
  const token = await mails.token(owner.email, 'Reset your Beltway password');
  expect((await service.call('POST', '/api/auth/reset-password', { body: { token, password: NEXT } })).status).toBe(
    204,
  );
  pass(30);
  const { json } = await login(service, owner.email, NEXT);
  expect(json).not.toHaveProperty('token');
  const done = await second(service, json.challenge, shows());
  expect(done.status).toBe(200);
  const changed = await service.call('POST', '/api/auth/change-password', {
    token: done.json.token,
    body: { password: NEXT, newPassword: PASSWORD },
  });
  expect(changed.status).toBe(200);
  expect((await login(service, owner.email)).json).toHaveProperty('challenge');
});

test('a suspension is shown only after the right password, or for an earlier challenge', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  pass(30);
  const challenge = await challengeOf(service, owner);
  const suspend = { type: 'SuspendUser', until: null, caseId: 'comment.1', by: 99 } as const;
  await service.users.handle(owner.user.id, suspend, { commandId: randomUUID() });
  for (const answer of [await login(service, owner.email), await second(service, challenge, shows())])
    expect(answer).toMatchObject({ status: 403, json: { code: 'account-suspended' }, cookie: undefined });
  expect((await login(service, owner.email, 'not the password')).status).toBe(401);
});

test('an account that is no longer a business keeps its codes and can turn them off', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  await service.users.handle(owner.user.id, { type: 'ChangeRole', role: 'user' }, { commandId: randomUUID() });
  pass(30);
  const done = await second(service, await challengeOf(service, owner), shows());
  expect(done.status).toBe(200);
  const now = done.json as SignedIn;
  expect(await stateOf(service, now)).toMatchObject({ isOn: true, mayTurnOn: false });
  expect((await turnOff(service, now, shows(1))).status).toBe(204);
});

test('only an admin turns it off for another account, and that is recorded', async () => {
  const { service, clock } = await standing();
  const mails = accountMails(service);
  const { owner } = await withCodes(service, clock);
  const boss = await admin(service);
  const takeOff = ({ token }: { token: string }, id: number | string) =>
    service.call('DELETE', `/api/users/${id}/totp`, { token });
  expect((await takeOff(owner, owner.user.id)).status).toBe(403);
  expect((await takeOff(boss, boss.user.id)).status).toBe(403);
  expect((await takeOff(boss, 99_999)).status).toBe(404);
  expect((await takeOff(boss, 'x')).status).toBe(400);
  expect((await login(service, owner.email)).json).toHaveProperty('challenge');
  for (let again = 0; again < 2; again++) expect((await takeOff(boss, owner.user.id)).status).toBe(204);
  expect((await login(service, owner.email)).json).toHaveProperty('token');
  const { json } = await service.call('GET', '/api/ops/audit?kind=totp-taken-off', { token: boss.token });
  expect(json.items[0]).toMatchObject({ accountId: boss.user.id, subject: `account-${owner.user.id}` });
  const [mail, ...more] = await mails.to(owner.email, 'Codes at sign-in are off');
  expect(mail!.text).toContain('Our team turned off');
  expect(more).toEqual([]);
});

test('only an admin can find an account by number or whole email address; the address is not recorded', async () => {
  const { service, clock } = await standing();
  const { owner } = await withCodes(service, clock);
  const boss = await admin(service);
  const find = (token: string | undefined, body: unknown) => service.call('POST', '/api/ops/accounts', { token, body });
  expect((await find(undefined, { q: owner.email })).status).toBe(401);
  expect((await find(owner.token, { q: owner.email })).status).toBe(403);
  for (const body of [
    {},
    { q: 'ann' },
    { q: '-1' },
    { q: '9999999999' },
    { q: 7 },
    { q: `${'a'.repeat(300)}@example.com` },
  ])
    expect(await find(boss.token, body)).toMatchObject({ status: 400, json: { errors: [{ field: 'q' }] } });
  const { id } = owner.user;
  const { since } = await stateOf(service, owner);
  const account = { id, name: 'Ann', email: owner.email, role: 'business', recoveryCodesLeft: 10 };
  for (const q of [String(id), ` ${owner.email.toUpperCase()} `])
    expect(await find(boss.token, { q })).toMatchObject({
      status: 200,
      json: { account: { ...account, codesSince: since } },
    });
  const { user: plain } = await register(service);
  expect((await find(boss.token, { q: String(plain.id) })).json).toMatchObject({ account: { codesSince: null } });
  for (const q of ['99999', 'nobody@example.com'])
    expect(await find(boss.token, { q })).toMatchObject({ status: 200, json: { account: null } });
  const { json } = await service.call('GET', '/api/ops/audit?kind=searched', { token: boss.token });
  expect((json.items as Array<{ note: string }>).map(({ note }) => note)).toEqual([
    'the address of an account',
    'account 99999',
    `account ${plain.id}`,
    'the address of an account',
    `account ${id}`,
  ]);
});

test('secrets, codes and recovery codes appear in no log event, message, log line or readable row', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows, secret, recoveryCodes } = await withCodes(service, clock);
  pass(30);
  const code = shows();
  const challenge = await challengeOf(service, owner);
  await second(service, challenge, code);
  await second(service, await challengeOf(service, owner), recoveryCodes[0]);
  const kept = [
    ...(await service.rows('select stream, type, data::text, fingerprint from events')),
    ...(await service.rows('select * from totp_secrets')),
    ...(await service.rows('select number, encode(hash, $1) as hash from totp_recovery_codes', ['hex'])),
    ...(await service.rows('select encode(hash, $1) as hash from totp_challenges', ['hex'])),
    ...(await service.told()),
  ];
  const text = JSON.stringify(kept) + service.lines.join('\n');
  expect(text).toContain('TotpCodeUsed');
  for (const hidden of [secret, code, challenge, ...recoveryCodes.flatMap((one) => [one, one.replaceAll('-', '')])])
    expect(text).not.toContain(hidden);
  expect((await service.told()).filter(({ type }) => /totp|code/i.test(type))).toEqual([]);
});

test('a rebuild restores the state, and used codes stay used; erasing an account deletes everything', async () => {
  const on = await databases();
  const { service, clock, pass } = await standing(on);
  const [ann, bob, eve] = [
    await withCodes(service, clock),
    await withCodes(service, clock),
    await withCodes(service, clock),
  ];
  pass(30);
  await second(service, await challengeOf(service, ann.owner), ann.shows());
  await second(service, await challengeOf(service, ann.owner), ann.recoveryCodes[4]);
  await turnOff(service, bob.owner, bob.shows());
  const erased = await service.call('DELETE', '/api/users/me', {
    token: eve.owner.token,
    body: { password: PASSWORD },
  });
  expect(erased.status).toBe(204);
  for (const table of ['totp_factors', 'totp_secrets', 'totp_challenges'])
    expect(await service.rows(`select * from ${table} where user_id = $1`, [eve.owner.user.id]), table).toEqual([]);

  const before = await service.rows('select * from totp_factors order by user_id');
  expect(before).toMatchObject([{ user_id: ann.owner.user.id, recovery_codes_left: 9 }]);
  const { tables } = await rebuild(on.url);
  expect(tables.filter((one) => one.table === 'totp_factors')).toHaveLength(1);
  for (const { table, before: was, after } of tables) expect(after, table).toBe(was);
  expect(await service.rows('select * from totp_factors order by user_id')).toEqual(before);

  const challenge = await challengeOf(service, ann.owner);
  expect(await second(service, challenge, ann.shows())).toMatchObject(WRONG);
  expect(await second(service, challenge, ann.recoveryCodes[4])).toMatchObject(WRONG);
  expect((await second(service, challenge, ann.shows(1))).status).toBe(200);
  expect((await login(service, bob.owner.email)).json).toHaveProperty('token');
});

test('during a rotation of secrets codes keep working, and sealed secrets are sealed with the new one', async () => {
  const on = await databases();
  const [old, next] = ['an-old-secret-of-the-tests-0123456789', 'the-next-secret-of-the-tests-01234567'];
  const at = (secret: string) => ({ env: { KEY_ENCRYPTION_SECRET: secret } });
  const { service, clock, pass } = await standing(on, at(old));
  const { owner, shows, recoveryCodes } = await withCodes(service, clock);
  const both = await identity({ on, clock, hasher, ...at(`${next},${old}`) });
  pass(30);
  expect((await second(both, await challengeOf(both, owner), shows())).status).toBe(200);
  const lost = await identity({ on, clock, hasher, ...at(next) });
  pass(30);
  const unreadable = await second(lost, await challengeOf(lost, owner), shows());
  expect(unreadable).toMatchObject({ status: 409, json: { code: 'codes-unreadable' } });
  expect((await second(lost, await challengeOf(lost, owner), recoveryCodes[0])).status).toBe(200);
  await both.totp.sealAnew();
  expect((await second(lost, await challengeOf(lost, owner), shows())).status).toBe(200);
});

test('the sweep deletes rows that can no longer be used, and keeps the others', async () => {
  const { service, clock, pass } = await standing();
  const { owner, shows } = await withCodes(service, clock);
  const begun = await register(service, { role: 'business' });
  await setUp(service, begun);
  await challengeOf(service, owner);
  await service.pool.query(`update totp_challenges set made_at = now() - interval '2 hours'`);
  await service.pool.query(`update totp_secrets set created_at = now() - interval '2 days'`);
  await sweep(service.pool);
  expect(await service.rows('select user_id from totp_secrets')).toEqual([{ user_id: owner.user.id }]);
  expect(await service.rows('select * from totp_challenges')).toEqual([]);
  pass(30);
  expect((await second(service, await challengeOf(service, owner), shows())).status).toBe(200);
});
