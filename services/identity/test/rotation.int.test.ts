import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { databases, identity, register, type Identity, type SignedIn } from './support.ts';

const OLD = 'the-secret-that-sealed-everything-so-far';
const NEW = 'the-secret-that-seals-everything-from-now';
/** As docs/operations/rotation.md has each step. */
const steps = [OLD, `${OLD},${NEW}`, `${NEW},${OLD}`, NEW];
const at = (index: number) => ({ makesKey: true, env: { KEY_ENCRYPTION_SECRET: steps[index]! } });

const kidOf = ({ token }: SignedIn) => decodeProtectedHeader(token).kid;
const sealed = async ({ rows }: Identity) =>
  (await rows('select private from signing_keys')).map((row) => row['private']);

/** Whether the device cookie from a registration counts as a known device here. */
async function isKnown({ call }: Identity, { email, device }: SignedIn): Promise<boolean> {
  // A known device gets a cookie of its own again beside nothing else; a stranger's cookie is kept beside the new one.
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
])('instances of step %i and step %i side by side', (before, after) => {
  test('sign with one key and know each other’s tokens and devices', async () => {
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

test('a key sealed with the old secret is sealed again, so that the old secret can be dropped', async () => {
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

test('a device that a dropped secret signed for is a stranger', async () => {
  const on = await databases();
  const person = await register(await identity({ on, ...at(0) }));
  expect(await isKnown(await identity({ on, ...at(1) }), person)).toBe(true);
  expect(await isKnown(await identity({ on, ...at(3) }), person)).toBe(false);
});
