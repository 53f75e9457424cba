import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { authenticator as tokenChecker } from '@beltway/kit/auth';
import { eventually } from '@beltway/kit/testing';
import { endTokensOfLostCodes } from '../src/session/end-sessions.ts';
import { authenticator } from './authenticator.ts';
import {
  INTERNAL_TOKEN,
  PASSWORD,
  admin,
  identity,
  later,
  newAdmin,
  register,
  type Answer,
  type Identity,
  type SignedIn,
} from './support.ts';

type Signed = Pick<SignedIn, 'token'>;
const appOf = (secret: string) => {
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  return (steps = 0) => app.generate({ timestamp: Date.now() + steps * 30_000 });
};

/**
 * Turns codes on in this session. Returns the recovery codes and the authenticator app, which shows the code of the
 * time `steps` from now.
 */
async function turnOn({ call }: Identity, { token }: Signed) {
  const setup = await call('POST', '/api/auth/totp/setup', { token, body: { password: PASSWORD } });
  const shows = appOf((setup.json as { secret: string }).secret);
  const on = await call('POST', '/api/auth/totp', { token, body: { code: shows() } });
  expect(on.status).toBe(200);
  return { shows, recoveryCodes: (on.json as { recoveryCodes: string[] }).recoveryCodes };
}
const login = ({ call }: Identity, { email }: SignedIn) =>
  call('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
async function loginByCode(service: Identity, who: SignedIn, code: string): Promise<Answer> {
  const { challenge } = (await login(service, who)).json as { challenge: string };
  return service.call('POST', '/api/auth/login/code', { body: { challenge, code } });
}
const refreshed = ({ call }: Identity, cookie: string | undefined) => call('POST', '/api/auth/refresh', { cookie });

/** All calls of identity that only admins may make. */
const ADMIN_CALLS: Array<[method: string, path: string, body?: object]> = [
  ['GET', '/api/moderation'],
  ['GET', '/api/moderation/comment.1'],
  ['POST', '/api/moderation/comment.1/actions', { action: 'keep' }],
  ['POST', '/api/moderation/comment.1/appeal/decision', { outcome: 'upheld' }],
  ['GET', '/api/ops/audit'],
  ['POST', '/api/ops/accounts', { q: '1' }],
  ['GET', '/api/contact-messages'],
  ['PATCH', '/api/contact-messages/1', { status: 'answered' }],
  ['GET', '/api/referrals/flagged'],
  ['PATCH', '/api/users/1/role', { role: 'admin' }],
  ['DELETE', '/api/users/1/totp'],
];
const statusesOf = async ({ call }: Identity, { token }: Signed) =>
  Promise.all(ADMIN_CALLS.map(async ([method, path, body]) => (await call(method, path, { token, body })).status));
const ALL_REFUSED = ADMIN_CALLS.map(() => 403);
const AS_USER = { status: 200, json: { user: { role: 'user', codesRequired: true } } };

test('the token of an admin without codes at sign-in gives no admin rights in any service', async () => {
  const service = await identity();
  const { base, bus, log } = service;
  const elsewhere = await tokenChecker({ identity: base, internalToken: INTERNAL_TOKEN, bus, log });
  later(() => elsewhere.stop());
  await eventually(() => elsewhere.ready());
  const ada = await newAdmin(service);
  expect(ada.user).toMatchObject({ role: 'user', codesRequired: true });
  expect(decodeJwt(ada.token)).toMatchObject({ role: 'user' });
  expect((await elsewhere.verify(ada.token)).role).toBe('user');
  expect(await statusesOf(service, ada)).toEqual(ALL_REFUSED);
  for (const path of ['/api/auth/me', `/api/users/${ada.user.id}`])
    expect((await service.call('GET', path, { token: ada.token })).json).toEqual(ada.user);
  expect(await refreshed(service, ada.cookie)).toMatchObject(AS_USER);
});

test('an admin who turns codes on has admin rights with the next token, and needs a code for later sign-ins', async () => {
  const service = await identity();
  const ada = await newAdmin(service);
  const { shows } = await turnOn(service, ada);
  const next = await refreshed(service, ada.cookie);
  expect(next).toMatchObject({ status: 200, json: { user: { role: 'admin' } } });
  expect(next.json.user).not.toHaveProperty('codesRequired');
  expect((await service.call('GET', '/api/ops/audit', { token: next.json.token })).status).toBe(200);
  const again = await loginByCode(service, ada, shows(1));
  expect(again).toMatchObject({ status: 200, json: { user: { role: 'admin' } } });
  expect((await refreshed(service, again.cookie)).json.user.role).toBe('admin');
});

test('a session that proved only the password, from before codes were on, ends and does not become an admin’s', async () => {
  const service = await identity();
  const ada = await newAdmin(service);
  const other = await login(service, ada);
  await turnOn(service, ada);
  expect(await refreshed(service, other.cookie)).toMatchObject({ status: 401, cookie: '' });
  expect((await refreshed(service, ada.cookie)).json.user.role).toBe('admin');
});

test('turning codes off ends an admin’s tokens at every service, and the next token is a user’s', async () => {
  const service = await identity();
  const { base, bus, log, store, users } = service;
  const follower = endTokensOfLostCodes(store, users);
  later(() => follower.stop());
  const elsewhere = await tokenChecker({ identity: base, internalToken: INTERNAL_TOKEN, bus, log });
  later(() => elsewhere.stop());
  await eventually(() => elsewhere.ready());
  const refuses = (token: string) =>
    elsewhere.verify(token).then(
      () => false,
      ({ status }: { status: number }) => status === 401,
    );

  const ada = await newAdmin(service);
  const { recoveryCodes } = await turnOn(service, ada);
  const { json, cookie } = await refreshed(service, ada.cookie);
  expect((await elsewhere.verify(json.token)).role).toBe('admin');
  const off = await service.call('POST', '/api/auth/totp/off', { token: json.token, body: { code: recoveryCodes[0] } });
  expect(off.status).toBe(204);
  await eventually(() => refuses(json.token));
  expect((await service.call('GET', '/api/auth/me', { token: json.token })).status).toBe(401);
  expect(await refreshed(service, cookie)).toMatchObject(AS_USER);

  // Another admin turns codes off for an admin who lost the phone.
  const [bea, boss] = [await admin(service), await admin(service)];
  const taken = await service.call('DELETE', `/api/users/${bea.user.id}/totp`, { token: boss.token });
  expect(taken.status).toBe(204);
  await eventually(() => refuses(bea.token));
  expect(await refreshed(service, bea.cookie)).toMatchObject(AS_USER);
  expect(await login(service, bea)).toMatchObject(AS_USER);
});

test('turning codes off does not affect the tokens of a business account', async () => {
  const service = await identity();
  const { store, users } = service;
  const follower = endTokensOfLostCodes(store, users);
  later(() => follower.stop());
  const owner = await register(service, { role: 'business' });
  const { recoveryCodes } = await turnOn(service, owner);
  await service.call('POST', '/api/auth/totp/off', { token: owner.token, body: { code: recoveryCodes[0] } });
  await follower.caughtUp();
  expect((await service.call('GET', '/api/auth/me', { token: owner.token })).status).toBe(200);
});

test('a passkey counts as proof of the account’s codes, but gives no admin rights while codes are off', async () => {
  const service = await identity();
  const ada = await newAdmin(service);
  const key = authenticator();
  const options = await service.call('POST', '/api/auth/passkeys/options', {
    token: ada.token,
    body: { password: PASSWORD },
  });
  const passkey = { name: 'Phone', credential: key.create(options.json) };
  expect((await service.call('POST', '/api/auth/passkeys', { token: ada.token, body: passkey })).status).toBe(201);
  const byPasskey = async () => {
    const asked = await service.call('POST', '/api/auth/login/passkey/options', { body: {} });
    const body = { credential: key.get(asked.json as { challenge: string }) };
    return service.call('POST', '/api/auth/login/passkey', { body });
  };
  const without = await byPasskey();
  expect(without).toMatchObject(AS_USER);
  await turnOn(service, without.json as Signed);
  expect(await byPasskey()).toMatchObject({ status: 200, json: { user: { role: 'admin' } } });
});

test('after a password change the new session has proved the same codes as the session before', async () => {
  const service = await identity();
  const ada = await admin(service);
  const changed = await service.call('POST', '/api/auth/change-password', {
    token: ada.token,
    body: { password: PASSWORD, newPassword: 'another long one' },
  });
  expect(changed).toMatchObject({ status: 200, json: { user: { role: 'admin' } } });
});

test('an account with codes that becomes an admin has admin rights with its next token', async () => {
  const service = await identity();
  const owner = await register(service, { role: 'business' });
  await turnOn(service, owner);
  await service.users.handle(owner.user.id, { type: 'ChangeRole', role: 'admin' }, { commandId: randomUUID() });
  expect((await refreshed(service, owner.cookie)).json.user.role).toBe('admin');
});
