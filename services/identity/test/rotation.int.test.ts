import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { databases, identity, register, type Identity, type SignedIn } from './support.ts';

const OLD = 'the-secret-that-sealed-everything-so-far';
const NEW = 'the-secret-that-seals-everything-from-now';
/** The secrets at each step of docs/operations/rotation.md. */
const steps = [OLD, `${OLD},${NEW}`, `${NEW},${OLD}`, NEW];
const at = (index: number) => ({ makesKey: true, env: { KEY_ENCRYPTION_SECRET: steps[index]! } });

const kidOf = ({ token }: SignedIn) => decodeProtectedHeader(token).kid;
const sealed = async ({ rows }: Identity) =>
  (await rows('select private from signing_keys')).map((row) => row['private']);

/** Whether this instance knows the device from its registration cookie. */
async function isKnown({ call }: Identity, { email, device }: SignedIn): Promise<boolean> {
  // A known device gets only a renewed cookie. An unknown device keeps its old cookie and gets an additional one.
  const answer = await call('POST', '/api/auth/login', {
    body: { email, password: 'gr33n-line to Anacostia' },
    device: device ?? '',
  });
  expect(answer.status).toBe(200);
  return decodeURIComponent(answer.device ?? '').split('~').length === 1;
}

describe.each([
  [0, 1],
  [1, 2],
  [2, 3],
])('instances at step %i and at step %i concurrently', (before, after) => {
  test('use one signing key and accept each other’s tokens and devices', async () => {
    const on = await databases();
    const [one, two] = [await identity({ on, ...at(before) }), await identity({ on, ...at(after) })];
    const [a, b] = [await register(one), await register(two)];
    expect(kidOf(a)).toBe(kidOf(b));
    expect((await two.call('GET', '/api/auth/me', { token: a.token })).status).toBe(200);
    expect((await one.call('GET', '/api/auth/me', { token: b.token })).status).toBe(200);
    expect([await isKnown(two, a), await isKnown(one, b)]).toEqual([true, true]);
    expect(await sealed(one)).toHaveLength(1);
  });
});

test('a key sealed with the old secret is sealed with the new one, so the old one can be dropped', async () => {
  const on = await databases();
  const first = await identity({ on, ...at(0) });
  const person = await register(first);
  const before = await sealed(first);
  const between = await identity({ on, ...at(2) });
  await register(between);
  await eventually(async () => (await sealed(first))[0] !== before[0]);
  const last = await identity({ on, ...at(3) });
  expect(kidOf(await register(last))).toBe(kidOf(person));
  expect(await sealed(last)).toHaveLength(1);
});

test('a device whose cookie was signed with a dropped secret is unknown', async () => {
  const on = await databases();
  const person = await register(await identity({ on, ...at(0) }));
  expect(await isKnown(await identity({ on, ...at(1) }), person)).toBe(true);
  expect(await isKnown(await identity({ on, ...at(3) }), person)).toBe(false);
});
