import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, expect, test, vi } from 'vitest';
import { authenticator } from '@beltway/kit/auth';
import { seal } from '@beltway/kit/secrets';
import { eventually } from '@beltway/kit/testing';
import { INTERNAL_TOKEN, databases, identity, later, register, type Identity } from './support.ts';

afterEach(() => void vi.useRealTimers());

/** Changes the time of `Date` for all parts. Timers keep the real time. */
function timeTravel() {
  vi.useFakeTimers({ toFake: ['Date'] });
  return (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
}

const kids = async ({ call }: Identity): Promise<string[]> =>
  (await call('GET', '/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid);
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

test('the key set is public, may be kept a minute, and holds nothing private', async () => {
  const service = await identity({ makesKey: true });
  const answer = await service.call('GET', '/.well-known/jwks.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  expect(answer.json.keys).toEqual([
    {
      ...{ kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
      ...{ kid: expect.any(String), alg: 'ES256', use: 'sig' },
    },
  ]);
  const [row] = await service.rows('select * from signing_keys');
  expect(JSON.stringify(row)).not.toMatch(/PRIVATE KEY|"d":/);
});

test('two instances that start concurrently create one key and accept each other’s tokens', async () => {
  const on = await databases();
  const [one, two] = [await identity({ on, makesKey: true }), await identity({ on, makesKey: true })];
  const [a, b] = await Promise.all([register(one), register(two)]);
  expect(await one.rows('select count(*)::int as n from signing_keys')).toEqual([{ n: 1 }]);
  expect((await two.call('GET', '/api/auth/me', { token: a.token })).status).toBe(200);
  expect((await one.call('GET', '/api/auth/me', { token: b.token })).status).toBe(200);
});

test('a new key is published immediately and signs after fifteen minutes; the old one stays for its tokens', async () => {
  const pass = timeTravel();
  const service = await identity({ makesKey: true });
  const [old] = await kids(service);
  await service.keys.rotate();
  await service.keys.rotate(); // does nothing: a next key is already waiting
  const both = await kids(service);
  expect(both).toHaveLength(2);
  expect(both[0]).toBe(old);
  pass(14.9);
  expect(kidOf((await register(service)).token)).toBe(old);
  pass(0.2);
  const { token } = await register(service);
  expect(kidOf(token)).toBe(both[1]);
  pass(15);
  expect(await kids(service)).toEqual(both);
  pass(46);
  expect(await kids(service)).toEqual([both[1]]);
});

test('during a rotation no valid token is ever refused, in identity or in other services', async () => {
  const pass = timeTravel();
  const on = await databases();
  const [one, two] = [await identity({ on, makesKey: true }), await identity({ on, makesKey: true })];
  const auth = await authenticator({
    identity: one.base,
    internalToken: INTERNAL_TOKEN,
    bus: one.bus,
    log: one.log,
  });
  later(() => auth.stop());
  await eventually(() => auth.ready());
  let { cookie } = await register(one);
  const living: string[] = [];
  const seen = new Set<string | undefined>();
  for (let minute = 0; minute < 80; minute += 2) {
    if (minute === 10) await one.keys.rotate();
    if (minute === 40) await two.keys.rotate();
    const next = await (minute % 4 ? one : two).call('POST', '/api/auth/refresh', { cookie });
    expect({ minute, status: next.status }).toEqual({ minute, status: 200 });
    cookie = next.cookie!;
    living.push(next.json.token);
    seen.add(kidOf(next.json.token));
    while (living[0] && (decodeJwt(living[0]).exp ?? 0) * 1_000 <= Date.now()) living.shift();
    for (const token of living) {
      await auth.verify(token);
      expect((await one.call('GET', '/api/auth/me', { token })).status).toBe(200);
      expect((await two.call('GET', '/api/auth/me', { token })).status).toBe(200);
    }
    pass(2);
  }
  expect(seen.size).toBe(3);
  expect(living.length).toBeGreaterThan(5);
});

test('a key rotates automatically after signing for thirty days', async () => {
  const pass = timeTravel();
  const service = await identity({ makesKey: true });
  await kids(service);
  await service.keys.rotateWhenOld();
  pass(30 * 24 * 60 - 1);
  await service.keys.rotateWhenOld();
  expect(await kids(service)).toHaveLength(1);
  pass(2);
  await service.keys.rotateWhenOld();
  await service.keys.rotateWhenOld();
  expect(await kids(service)).toHaveLength(2);
});

test('a key from before ES256 is replaced automatically, and its tokens stay valid until they expire', async () => {
  const pass = timeTravel();
  const service = await identity({ makesKey: true });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await service.rows('delete from signing_keys');
  await service.rows('insert into signing_keys (kid, public_jwk, private, signs_from) values ($1, $2, $3, $4)', [
    'of-before',
    { ...publicKey.export({ format: 'jwk' }), kid: 'of-before', alg: 'RS256', use: 'sig' },
    seal(
      service.settings.KEY_ENCRYPTION_SECRET,
      'identity signing key',
      privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ),
    new Date(),
  ]);
  const { token } = await register(service);
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', kid: 'of-before' });
  await service.keys.rotateWhenOld();
  pass(14.9);
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(200);
  pass(0.2);
  expect(decodeProtectedHeader((await register(service)).token)).toMatchObject({ alg: 'ES256' });
  pass(61);
  expect(await kids(service)).toHaveLength(1);
});

test('with a different KEY_ENCRYPTION_SECRET the old key still verifies, and a new key signs', async () => {
  const on = await databases();
  const before = await identity({ on, makesKey: true });
  const { token, cookie } = await register(before);
  const after = await identity({
    on,
    makesKey: true,
    env: { KEY_ENCRYPTION_SECRET: 'another-secret-that-nobody-told-us-about' },
  });
  const next = await after.call('POST', '/api/auth/refresh', { cookie });
  expect(next.status).toBe(200);
  expect(kidOf(next.json.token)).not.toBe(kidOf(token));
  expect((await after.call('GET', '/api/auth/me', { token })).status).toBe(200);
  expect(await kids(after)).toHaveLength(2);
});

test('a key whose row is deleted verifies nothing', async () => {
  const pass = timeTravel();
  const service = await identity({ makesKey: true });
  const { token } = await register(service);
  await service.rows('delete from signing_keys');
  pass(0.6);
  expect((await service.call('GET', '/api/auth/me', { token })).status).toBe(401);
});

test('concurrent requests wait until the first key is created', async () => {
  const service = await identity({ makesKey: true });
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/.well-known/jwks.json')));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.json.keys).toHaveLength(1);
});
