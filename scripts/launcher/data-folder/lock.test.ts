import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runningOn, takeLock, type Lock } from './lock.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const isLock = (result: object): result is Lock => 'release' in result;
const file = () => join(dataDir, 'run.json');

test('one process locks the folder, and another one learns which process; a release leaves no file behind', async () => {
  const first = await takeLock(dataDir);
  if (!isLock(first)) throw new Error('not taken');
  first.tell({ port: 3000, postgresPort: 4000 });
  expect(await takeLock(dataDir)).toMatchObject({ pid: process.pid, port: 3000 });
  expect(await runningOn(dataDir)).toMatchObject({ postgresPort: 4000 });
  first.release();
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await runningOn(dataDir)).toBeUndefined();
});

test.each([
  ['of a killed copy', JSON.stringify({ id: 'x', pid: process.pid, lockPort: 1 })],
  ['cut off in the middle', '{"id":'],
])('a lock file %s does not lock the folder', async (_what, note) => {
  writeFileSync(file(), note);
  const lock = await takeLock(dataDir);
  if (!isLock(lock)) throw new Error('not taken');
  lock.release();
});

test('when ten processes find a stale lock concurrently, one gets the folder', async () => {
  writeFileSync(file(), JSON.stringify({ id: 'old', pid: 1, lockPort: 1 }));
  const results = await Promise.all(Array.from({ length: 10 }, () => takeLock(dataDir)));
  expect(results.filter(isLock)).toHaveLength(1);
  results.find(isLock)!.release();
});
