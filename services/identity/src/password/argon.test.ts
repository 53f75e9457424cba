import { readFileSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { argon } from './argon.ts';

/**
 * The priorities of this process's threads. 0 is normal; higher numbers mean lower priority. Only Linux has a priority
 * for each thread.
 */
function priorities(): number[] {
  if (process.platform !== 'linux') return [getPriority()];
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

test('hashes at the lowest priority in a thread of its own, and does not change other threads', async () => {
  const before = getPriority();
  expect(await argon.verify(await argon.hash('a password'), 'a password')).toBe(true);
  expect(Math.max(...priorities())).toBe(process.platform === 'linux' ? 10 : before);
  expect(getPriority()).toBe(before);
});

test('an invalid hash is an error, and the thread continues', async () => {
  await expect(argon.verify('no hash', 'a password')).rejects.toThrow();
  expect(await argon.hash('a password')).toMatch(/^\$argon2id\$/);
});

test('each concurrent hash uses a thread of its own', async () => {
  const hashes = await Promise.all(['a', 'b', 'c'].map((password) => argon.hash(password)));
  expect(await Promise.all(hashes.map((hash, index) => argon.verify(hash, 'abc'[index]!)))).toEqual([true, true, true]);
  expect(await argon.verify(hashes[0]!, 'b')).toBe(false);
});
