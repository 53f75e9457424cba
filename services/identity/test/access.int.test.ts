import { createHmac, randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT, decodeJwt, exportSPKI, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { authenticator } from '@beltway/kit/auth';
import { eventually } from '@beltway/kit/testing';
import { INTERNAL_TOKEN, PASSWORD, admin, databases, identity, later, register, type Identity } from './support.ts';

/** Below the 30 s for which a service keeps a token, because a token that merely leaves that cache was not revoked. */
const SOON_MS = 20_000;

/** Verifies tokens in the way that every other service does, against this identity service and its bus. */
async function elsewhere({ base, bus, log }: Identity) {
  const auth = await authenticator({ identity: base, internalToken: INTERNAL_TOKEN, bus, log });
  later(() => auth.stop());
  await eventually(() => auth.ready());
  return auth;
}

test('only tokens we signed, as we sign them, for us, and still young, open a door: here and elsewhere', async () => {
  const service = await identity();
  const auth = await elsewhere(service);
  const { token, user } = await register(service);
  const claims = decodeJwt(token);
  const { kid, privateKey } = await service.keys.signer();
  const publicKey = await service.keys.verifier(kid, 'ES256');
  const { privateKey: stranger } = await generateKeyPair('ES256');
  const signed = (
    payload: object,
    header: { kid?: string } = { kid },
    key: Parameters<SignJWT['sign']>[0] = privateKey,
  ) => new SignJWT({ ...claims, ...payload }).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);
  const now = Math.floor(Date.now() / 1_000);
  const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [header, , signature] = token.split('.');
  const confused = (secret: string) => {
    const head = `${b64({ alg: 'HS256', kid })}.${b64(claims)}`;
    return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
  };

  const bad: Record<string, string> = {
    expired: await signed({ exp: now - 1 }),
    'without an end': await signed({ exp: undefined }),
    'of another issuer': await signed({ iss: 'someone' }),
    'for another audience': await signed({ aud: 'someone' }),
    'not yet valid': await signed({ nbf: now + 600 }),
    'with a made-up role': await signed({ role: 'owner' }),
    'with no session': await signed({ sid: undefined }),
    'for nobody': await signed({ sub: 'x' }),
    'of a stranger’s key under our id': await signed({}, { kid }, stranger),
    'of an unknown key': await signed({}, { kid: 'unknown' }, stranger),
    'without a key id, of a stranger': await signed({}, {}, stranger),
    'with another algorithm than its key': `${b64({ alg: 'RS256', kid })}.${b64(claims)}.${signature}`,
    'with no algorithm': new UnsecuredJWT(claims).encode(),
    'with no signature': `${header}.${b64(claims)}.`,
    'with another role under the old signature': `${header}.${b64({ ...claims, role: 'admin' })}.${signature}`,
    'signed with the public key as a secret (PEM)': confused(await exportSPKI(publicKey as never)),
    'signed with the public key as a secret (JWK)': confused(JSON.stringify((await service.keys.published()).keys[0])),
    'that is no token': 'a.b.c',
  };
  // The verifier caches valid tokens, but must still reject a similar invalid token.
  await auth.verify(token);
  for (const [what, one] of Object.entries(bad)) {
    expect({ what, status: (await service.call('GET', '/api/auth/me', { token: one })).status }).toEqual({
      what,
      status: 401,
    });
    await expect(auth.verify(one), what).rejects.toMatchObject({ status: 401 });
  }
  // The same builder makes a valid token, so each rejection above has exactly one cause.
  const good = await signed({});
  expect((await service.call('GET', '/api/auth/me', { token: good })).json).toEqual(user);
  await expect(auth.verify(good)).resolves.toMatchObject({ id: user.id });
});

test('a correctly signed token of an account that never existed is rejected too', async () => {
  const service = await identity();
  const { token } = await register(service);
  const { kid, privateKey } = await service.keys.signer();
  const ghost = await new SignJWT({ ...decodeJwt(token), sub: '99999' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(privateKey);
  expect((await service.call('GET', '/api/auth/me', { token: ghost })).status).toBe(401);
});

test('logout ends access at another service within a second, even if that service had cached the token', async () => {
  const service = await identity();
  const auth = await elsewhere(service);
  const { token, cookie, user } = await register(service);
  const other = await register(service);
  await expect(auth.verify(token)).resolves.toMatchObject({ id: user.id, role: 'user' });
  expect((await service.call('POST', '/api/auth/logout', { cookie })).status).toBe(204);
  const isRefused = async () => {
    await expect(auth.verify(token)).rejects.toMatchObject({ status: 401 });
    return true;
  };
  await eventually(isRefused, { timeoutMs: SOON_MS, what: 'the end of access' });
  await expect(auth.verify(other.token)).resolves.toMatchObject({ id: other.user.id });
});

test('a new role revokes old tokens in every service; the next refresh returns a token with that role', async () => {
  const service = await identity();
  const auth = await elsewhere(service);
  const boss = await admin(service);
  const { token, cookie, user } = await register(service);
  await auth.verify(token);
  const changed = await service.call('PATCH', `/api/users/${user.id}/role`, {
    token: boss.token,
    body: { role: 'business' },
  });
  expect(changed).toMatchObject({ status: 200, json: { ...user, role: 'business' } });
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
  await eventually(
    () =>
      auth.verify(token).then(
        () => false,
        ({ status }) => status === 401,
      ),
    { timeoutMs: SOON_MS, what: 'the end of access' },
  );

  const next = await service.call('POST', '/api/auth/refresh', { cookie });
  expect(decodeJwt(next.json.token)).toMatchObject({ role: 'business', gen: 1 });
  await expect(auth.verify(next.json.token)).resolves.toMatchObject({ id: user.id, role: 'business' });
  expect((await service.told()).at(-1)).toMatchObject({
    type: 'identity.role-changed',
    data: { userId: user.id, role: 'business', generation: 1 },
  });
});

test('a service that starts later gets the revocations from before its start', async () => {
  const service = await identity();
  const boss = await admin(service);
  const [left, promoted] = [await register(service), await register(service)];
  await service.call('POST', '/api/auth/logout', { cookie: left.cookie });
  await service.call('PATCH', `/api/users/${promoted.user.id}/role`, { token: boss.token, body: { role: 'business' } });
  const auth = await elsewhere(service);
  for (const { token } of [left, promoted]) await expect(auth.verify(token)).rejects.toMatchObject({ status: 401 });
  await expect(auth.verify(boss.token)).resolves.toMatchObject({ role: 'admin' });
});

test('only our services read revocations, which are kept until the tokens have expired', async () => {
  const on = await databases();
  const service = await identity({ on });
  const boss = await admin(service);
  const { cookie, token, user } = await register(service);
  await service.call('PATCH', `/api/users/${user.id}/role`, { token: boss.token, body: { role: 'business' } });
  await service.call('POST', '/api/auth/logout', { cookie });
  for (const headers of [{}, { 'x-internal-token': 'guess' }, { 'x-internal-token': INTERNAL_TOKEN.slice(1) }])
    expect(
      (await service.call('GET', '/internal/revocations', { headers: headers as Record<string, string> })).status,
    ).toBe(403);
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  expect((await service.call('GET', '/internal/revocations', { headers })).json).toEqual({
    sessions: [decodeJwt(token)['sid']],
    users: expect.arrayContaining([{ userId: user.id, generation: 1, isSuspended: false }]),
  });
  const in21 = await identity({ on, clock: () => new Date(Date.now() + 20 * 60_000 + 1_000) });
  expect((await in21.call('GET', '/internal/revocations', { headers })).json).toEqual({ sessions: [], users: [] });
});

test('access rules: which role reads and changes which accounts', async () => {
  const service = await identity();
  const boss = await admin(service);
  const [ann, bob] = [await register(service), await register(service, { role: 'business' })];
  const status = async (method: string, id: number | string, token?: string) =>
    (
      await service.call(method, method === 'GET' ? `/api/users/${id}` : `/api/users/${id}/role`, {
        token,
        ...(method !== 'GET' && { body: { role: 'user' } }),
      })
    ).status;

  expect(await status('GET', ann.user.id)).toBe(401);
  expect(await status('GET', ann.user.id, ann.token)).toBe(200);
  expect(await status('GET', ann.user.id, bob.token)).toBe(403);
  expect(await status('GET', 4_242, bob.token)).toBe(403);
  expect(await status('GET', ann.user.id, boss.token)).toBe(200);
  expect(await status('GET', 4_242, boss.token)).toBe(404);
  for (const id of ['0', '-1', '1.5', 'x', '99999999999', '1%27'])
    expect(await status('GET', id, boss.token)).toBe(400);

  expect(await status('PATCH', ann.user.id)).toBe(401);
  expect(await status('PATCH', ann.user.id, bob.token)).toBe(403);
  expect(await status('PATCH', boss.user.id, boss.token)).toBe(403);
  expect(await status('PATCH', 4_242, boss.token)).toBe(404);
  expect(await status('PATCH', bob.user.id, boss.token)).toBe(200);
  const owner = await service.call('PATCH', `/api/users/${ann.user.id}/role`, {
    token: boss.token,
    body: { role: 'owner' },
  });
  expect(owner).toMatchObject({ status: 400, json: { errors: [{ field: 'role' }] } });
});

test('an account can switch between user and business, but change no other role', async () => {
  const service = await identity();
  const boss = await admin(service);
  const { token, cookie, user } = await register(service);
  const change = (id: number, role: string, by: string) =>
    service.call('PATCH', `/api/users/${id}/role`, { token: by, body: { role } });
  expect(await change(user.id, 'admin', token)).toMatchObject({ status: 403 });
  expect(await change(user.id, 'business', token)).toMatchObject({ status: 200, json: { ...user, role: 'business' } });
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
  const next = await service.call('POST', '/api/auth/refresh', { cookie });
  expect(next.json.user.role).toBe('business');
  expect(await change(user.id, 'user', next.json.token)).toMatchObject({ status: 200, json: { role: 'user' } });
  expect(await change(boss.user.id, 'user', boss.token)).toMatchObject({ status: 403 });
});

test('repeating a change of role changes nothing, and a late repeat does not undo a later change', async () => {
  const service = await identity();
  const boss = await admin(service);
  const { user, email } = await register(service);
  const change = (role: string, key?: string) =>
    service.call('PATCH', `/api/users/${user.id}/role`, {
      token: boss.token,
      body: { role },
      ...(key && { headers: { 'idempotency-key': key } }),
    });
  const key = randomUUID();
  await change('business', key);
  const { json } = await service.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  await change('business');
  expect((await service.call('GET', '/api/auth/me', { token: json.token })).status).toBe(200);
  await change('user');
  expect(await change('business', key)).toMatchObject({ status: 200, json: { role: 'user' } });
  expect(await change('admin', key)).toMatchObject({ status: 422 });
});
