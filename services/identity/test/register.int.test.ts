import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { TokenClaims, User } from '@beltway/contracts/identity/accounts';
import { PASSWORD, databases, identity, newEmail, register } from './support.ts';

test('a new account is registered and signed in: answer, cookie, row, event, message', async () => {
  const service = await identity();
  const email = newEmail('Ann');
  const body = { name: '  Ann Lee ', email, password: PASSWORD, role: 'business' };
  const answer = await service.call('POST', '/api/auth/register', { body });

  expect(answer.status).toBe(201);
  const { token, user } = answer.json;
  expect(Object.keys(answer.json).sort()).toEqual(['token', 'user']);
  expect(User.strict().parse(user)).toEqual({
    id: expect.any(Number),
    email: email.toLowerCase(),
    name: 'Ann Lee',
    role: 'business',
    subscriptionStatus: 'inactive',
    subscriptionPlan: 'free',
    emailVerified: false,
    createdAt: expect.any(String),
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.getSetCookie().find((one) => one.startsWith('beltway_refresh='))).toMatch(
    /^beltway_refresh=[\w-]{43}; Path=\/api\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
  );

  const claims = TokenClaims.parse(decodeJwt(token));
  expect(claims).toMatchObject({ sub: String(user.id), role: 'business', name: 'Ann Lee', email: user.email, gen: 0 });
  expect(decodeJwt(token)).toMatchObject({ iss: 'beltway', aud: 'beltway' });
  expect(claims.exp - claims.iat).toBe(900);
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', kid: expect.any(String) });

  const [event] = await service.rows('select stream, type, data from events');
  expect(event).toEqual({
    stream: `user-${user.id}`,
    type: 'UserRegistered',
    data: { email: user.email, name: 'Ann Lee', role: 'business', credentialId: expect.any(String) },
  });
  expect(await service.told()).toMatchObject([
    {
      type: 'identity.user-registered',
      version: 1,
      key: `user-${user.id}`,
      data: { userId: user.id, role: 'business' },
    },
  ]);
});

test('with https the cookie is valid only for this host, and continues the session', async () => {
  const service = await identity({ env: { PUBLIC_URL: 'https://beltway.example' } });
  const answer = await service.call('POST', '/api/auth/register', {
    body: { name: 'A', email: newEmail(), password: PASSWORD },
  });
  const cookies = answer.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  const refresh = cookies.find((one) => one.startsWith('__Host-beltway_refresh='))!;
  expect(refresh).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
  const [pair = ''] = refresh.split(';');
  const renew = (cookie: string) => service.call('POST', '/api/auth/refresh', { headers: { cookie } });
  // A cookie name that another subdomain could set is ignored.
  expect((await renew(pair.replace('__Host-', ''))).status).toBe(401);
  expect((await renew(pair)).status).toBe(200);
});

test('an account without a chosen role is a user, and registration cannot create an admin', async () => {
  const service = await identity();
  const { user } = await register(service);
  expect(user.role).toBe('user');
  const answer = await service.call('POST', '/api/auth/register', {
    body: { name: 'M', email: newEmail(), password: PASSWORD, role: 'admin' },
  });
  expect(answer).toMatchObject({ status: 400, json: { code: 'invalid', errors: [{ field: 'role' }] } });
});

test('a name must be one line of text with visible characters', async () => {
  const service = await identity();
  for (const name of ['', ' ', '\u200b', '\u3164', '\0', 'a\udc00', `Z${'\u0335'.repeat(50)}`]) {
    const answer = await service.call('POST', '/api/auth/register', {
      body: { name, email: newEmail(), password: PASSWORD },
    });
    expect(answer, JSON.stringify(name)).toMatchObject({ status: 400, json: { errors: [{ field: 'name' }] } });
  }
  const body = { name: ' \u202eAndre\u0301\u200b\nשרה\0 ', email: newEmail(), password: PASSWORD };
  const { status, json } = await service.call('POST', '/api/auth/register', { body });
  expect([status, json.user.name]).toEqual([201, 'Andr\u00e9 שרה']);
});

test('the same email address in a different spelling is taken', async () => {
  const service = await identity();
  const { email } = await register(service);
  const answer = await service.call('POST', '/api/auth/register', {
    body: { name: 'B', email: email.toUpperCase(), password: PASSWORD },
  });
  expect(answer).toMatchObject({
    status: 409,
    cookie: undefined,
    json: { code: 'email-taken', detail: 'Email may already be in use.' },
  });
  expect(await service.rows('select count(*)::int as n from users')).toEqual([{ n: 1 }]);
  // The failed registration leaves no event and no hash.
  expect(await service.rows('select count(*)::int as n from events')).toEqual([{ n: 1 }]);
  expect(await service.rows('select count(*)::int as n from credentials')).toEqual([{ n: 1 }]);
});

test('of concurrent registrations with one email address, on two instances, one succeeds', async () => {
  const on = await databases();
  const [one, two] = [await identity({ on }), await identity({ on })];
  const email = newEmail();
  const answers = await Promise.all(
    [one, two, one, two, one, two].map(({ call }, i) =>
      call('POST', '/api/auth/register', { body: { name: `Nr ${i}`, email, password: PASSWORD } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  const winner = answers.find(({ status }) => status === 201)?.json.user;
  expect(await one.rows('select id, name from users')).toEqual([{ id: winner.id, name: winner.name }]);
  expect(await one.rows('select count(*)::int as n from credentials')).toEqual([{ n: 1 }]);
  const login = await two.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  expect(login).toMatchObject({ status: 200, json: { user: winner } });
});

test('repeats with the same Idempotency-Key, sequential or concurrent, return the same account', async () => {
  const on = await databases();
  const [one, two] = [await identity({ on }), await identity({ on })];
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Ann', email: newEmail(), password: PASSWORD };
  const together = await Promise.all(
    [one, two, one].map(({ call }) => call('POST', '/api/auth/register', { body, headers })),
  );
  const after = await two.call('POST', '/api/auth/register', { body, headers });
  const all = [...together, after];
  expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(all.map(({ json }) => json.user.id)).size).toBe(1);
  expect(await one.rows('select count(*)::int as n from events')).toEqual([{ n: 1 }]);
  expect(await one.rows('select count(*)::int as n from credentials')).toEqual([{ n: 1 }]);
  expect((await one.call('GET', '/api/auth/me', { token: after.json.token })).json).toEqual(after.json.user);
});

test('a repeated key with a different body or password is refused and opens no session', async () => {
  const service = await identity();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Ann', email: newEmail(), password: PASSWORD };
  await register(service, body, headers);
  for (const other of [{ name: 'Bob' }, { email: newEmail() }, { password: 'something else entirely' }]) {
    const answer = await service.call('POST', '/api/auth/register', { body: { ...body, ...other }, headers });
    expect(answer).toMatchObject({ status: 422, cookie: undefined, json: { code: 'idempotency-key-reused' } });
  }
  expect(await service.rows('select count(*)::int as n from sessions')).toEqual([{ n: 1 }]);
});

test.each([
  ['no name', { name: '  ' }, 'name'],
  ['a name that shows nothing', { name: '\u0000\u200b' }, 'name'],
  ['no email', { email: 'nobody' }, 'email'],
  ['a short password', { password: 'a1b2c' }, 'password'],
  ['a common password', { password: 'Password1' }, 'password'],
  ['the email as password', { email: 'ann@example.test', password: 'ann@example.test' }, 'password'],
])('refuses %s, with the name of the field', async (_what, wrong, field) => {
  const service = await identity();
  const answer = await service.call('POST', '/api/auth/register', {
    body: { name: 'Ann', email: newEmail(), password: PASSWORD, ...wrong },
  });
  expect(answer).toMatchObject({ status: 400, json: { code: 'invalid', errors: [{ field }] } });
  expect(await service.rows('select count(*)::int as n from credentials')).toEqual([{ n: 0 }]);
});

test('an IP address with too many registrations must wait, and other addresses are not affected', async () => {
  const service = await identity();
  const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` });
  // The request is counted, but refused because of its password, so it costs no hash.
  const attempt = (address: string) =>
    service.call('POST', '/api/auth/register', {
      body: { name: 'Ann', email: newEmail(), password: '123456' },
      headers: from(address),
    });
  for (let i = 0; i < 60; i++) expect((await attempt('203.0.113.9')).status).toBe(400);
  const refused = await attempt('203.0.113.9');
  expect(refused).toMatchObject({ status: 429, json: { code: 'too-many-requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
  expect((await attempt('203.0.113.10')).status).toBe(400);
});

test('limits per IP address can be turned off only on the developer’s own machine', async () => {
  const off = { BELTWAY_RATE_LIMITS: 'off' };
  const attempts = async (env: Record<string, string>) => {
    const service = await identity({ env });
    const body = { name: 'Ann', email: newEmail(), password: '123456' };
    for (let i = 0; i < 60; i++) await service.call('POST', '/api/auth/register', { body });
    return (await service.call('POST', '/api/auth/register', { body })).status;
  };
  expect(await attempts({ ...off, BELTWAY_MODE: 'embedded' })).toBe(400);
  expect(await attempts({ ...off, BELTWAY_MODE: 'engines' })).toBe(429);
});

test('a name that claims to belong to Beltway is refused in any spelling; existing names are kept', async () => {
  const service = await identity();
  const answerTo = (name: string) =>
    service.call('POST', '/api/auth/register', { body: { name, email: newEmail(), password: PASSWORD } });
  for (const name of ['Beltway', 'Admin', 'Ad\u200bmіn', '𝐒𝐮𝐩𝐩𝐨𝐫𝐭', 'The Organizer', 'Beltway Staff']) {
    const { status, json } = await answerTo(name);
    expect([status, json.errors?.[0]], name).toMatchObject([400, { field: 'name', text: 'invalid.name-reserved' }]);
  }
  expect((await answerTo('Beltway Brewing')).status).toBe(201);
  const old = await register(service);
  await service.pool.query(`update users set name = 'Support' where id = $1`, [old.user.id]);
  const login = await service.call('POST', '/api/auth/login', { body: { email: old.email, password: PASSWORD } });
  expect(login).toMatchObject({ status: 200, json: { user: { name: 'Support' } } });
});
