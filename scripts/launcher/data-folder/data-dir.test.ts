import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeLock } from './lock.ts';

const isRoot = process.getuid?.() === 0;
/** Root starts PostgreSQL as another user, whose group needs execute permission. */
const FOLDER = isRoot ? 0o710 : 0o700;
const modeOf = (path: string) => statSync(path).mode & 0o777;

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-data-dir-'));
  const before = process.umask();
  onTestFinished(() => {
    process.umask(before);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function opened(dataDir: string): Promise<void> {
  const lock = await takeLock(dataDir);
  if (!('release' in lock)) throw new Error('another copy runs');
  onTestFinished(() => lock.release());
}

test('a new data folder is accessible only to its owner, and so are files written there without a mode', async () => {
  const dataDir = join(place(), 'data');
  await opened(dataDir);
  writeFileSync(join(dataDir, 'note'), '');
  mkdirSync(join(dataDir, 'folder'));
  expect(modeOf(dataDir)).toBe(FOLDER);
  expect(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name)).toString(8)])).toEqual([
    ['folder', '700'],
    ['note', '600'],
    ['run.json', '600'],
  ]);
});

test('an existing data folder is restricted to its owner at the next start, including mails and pictures', async () => {
  const folder = place();
  process.umask(0o022);
  const dataDir = join(folder, 'data');
  const outside = join(folder, 'outside');
  for (const name of ['mail', 'objects/images/ab', 'logs', 'postgres'])
    mkdirSync(join(dataDir, name), { recursive: true });
  const files = ['mail/reset.json', 'objects/images/ab/cd.webp', 'logs/identity.log', 'postgres/theirs'];
  for (const name of files) writeFileSync(join(dataDir, name), '');
  writeFileSync(outside, '');
  symlinkSync(outside, join(dataDir, 'objects', 'elsewhere'));
  chmodSync(dataDir, 0o755);
  await opened(dataDir);
  expect(modeOf(dataDir)).toBe(FOLDER);
  for (const name of ['mail', 'objects', 'objects/images', 'objects/images/ab', 'logs'])
    expect([name, modeOf(join(dataDir, name))]).toEqual([name, 0o700]);
  for (const name of files.slice(0, 3)) expect([name, modeOf(join(dataDir, name))]).toEqual([name, 0o600]);
  expect(modeOf(outside), 'what a link leads to').toBe(0o644);
});
