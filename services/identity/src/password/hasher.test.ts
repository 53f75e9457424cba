import { expect, test } from 'vitest';
import { argon } from './argon.ts';
import { createHasher } from './hasher.ts';

const asker = { group: '203.0.113.1', member: 'ann@example.test', known: false };

test('a full queue refuses immediately', async () => {
  const ends: Array<() => void> = [];
  const hasher = createHasher({
    running: 1,
    waiting: 1,
    argon: {
      hash: (password) => new Promise((resolve) => ends.push(() => resolve(`hash of ${password}`))),
      verify: () => Promise.resolve(true),
    },
  });
  const ask = (password: string) => hasher.inTurn(asker, ({ hash }) => hash(password));
  const [first, second] = [ask('a'), ask('b')];
  await expect(ask('c')).rejects.toMatchObject({ status: 429, code: 'busy', retryAfter: 2 });
  ends.shift()!();
  expect(await first).toBe('hash of a');
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()!();
  expect(await second).toBe('hash of b');
});

test('an unknown account is compared with a dummy hash and never matches', async () => {
  const compared: string[] = [];
  const hasher = createHasher({
    running: 1,
    waiting: 0,
    argon: { hash: () => Promise.resolve(''), verify: (hash) => Promise.resolve(compared.push(hash) > 0) },
  });
  expect(await hasher.inTurn(asker, ({ verify }) => verify(undefined, 'whatever'))).toBe(false);
  expect(compared[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('hashes are argon2id with the documented cost, and the encoding of accents does not matter', async () => {
  const hash = await argon.hash('caf\u00e9-society');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await argon.verify(hash, 'cafe\u0301-society')).toBe(true);
  expect(await argon.verify(hash, 'cafe-society')).toBe(false);
});
