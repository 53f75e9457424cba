import { expect, test } from 'vitest';
import { argon } from './argon.ts';
import { createHasher } from './hasher.ts';

/** Hashes that finish when told to. */
function slowArgon() {
  const open: Array<() => void> = [];
  let most = 0;
  const work = <T>(answer: T) =>
    new Promise<T>((resolve) => {
      open.push(() => resolve(answer));
      most = Math.max(most, open.length);
    });
  return {
    open,
    most: () => most,
    argon: { hash: (password: string) => work(`hash of ${password}`), verify: () => work(true) },
    finishAll: async () => {
      while (open.length > 0) {
        open.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test('never hashes more at once than it may, and answers all who wait in their turn', async () => {
  const slow = slowArgon();
  const hasher = createHasher({ running: 2, waiting: 10, argon: slow.argon });
  const order: string[] = [];
  const all = ['a', 'b', 'c', 'd', 'e'].map((password) => hasher.hash(password).then((hash) => order.push(hash)));
  await slow.finishAll();
  await Promise.all(all);
  expect(slow.most()).toBe(2);
  expect(order).toEqual(['hash of a', 'hash of b', 'hash of c', 'hash of d', 'hash of e']);
});

test('tells the one who finds the queue full at once, and takes the next when there is room again', async () => {
  const slow = slowArgon();
  const hasher = createHasher({ running: 1, waiting: 1, argon: slow.argon });
  const first = hasher.hash('a');
  const second = hasher.hash('b');
  await expect(hasher.hash('c')).rejects.toMatchObject({ status: 429, code: 'busy', retryAfter: 2 });
  await slow.finishAll();
  await Promise.all([first, second]);
  const later = hasher.hash('d');
  await slow.finishAll();
  expect(await later).toBe('hash of d');
});

test('a hash that fails gives its place back', async () => {
  const hasher = createHasher({
    running: 1,
    waiting: 0,
    argon: { hash: () => Promise.reject(new Error('out of memory')), verify: () => Promise.resolve(true) },
  });
  await expect(hasher.hash('a')).rejects.toThrow('out of memory');
  expect(await hasher.verify('h', 'a')).toBe(true);
});

test('an unknown account is compared with something, and never matches', async () => {
  const compared: string[] = [];
  const hasher = createHasher({
    running: 1,
    waiting: 0,
    argon: { hash: () => Promise.resolve(''), verify: (hash) => Promise.resolve(compared.push(hash) > 0) },
  });
  expect(await hasher.verify(undefined, 'whatever')).toBe(false);
  expect(compared[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('real hashes are argon2id with the cost we promise, and one password is one however its letters were composed', async () => {
  const hash = await argon.hash('caf\u00e9-society');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await argon.verify(hash, 'cafe\u0301-society')).toBe(true);
  expect(await argon.verify(hash, 'cafe-society')).toBe(false);
});
