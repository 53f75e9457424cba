import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  countInstalled,
  foldersToInstall,
  hasDevelopment,
  isFresh,
  isInstalled,
  isReadyToStart,
  markEnded,
  markInstalling,
} from './packages.mjs';

interface Entry {
  version?: string;
  link?: true;
  dev?: true;
  optional?: true;
  os?: string[] | string;
  cpu?: string[];
  libc?: string[];
}
type Packages = Record<string, Entry>;

const LOCKFILE: Packages = {
  '': {},
  'services/one': { version: '0.1.0' },
  'node_modules/@beltway/one': { link: true },
  'node_modules/express': { version: '5.0.0' },
  'node_modules/vitest': { version: '4.0.0', dev: true },
  'node_modules/native-linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/native-musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/native-mac': { version: '1.0.0', optional: true, os: 'darwin', cpu: ['x64'] },
  'node_modules/not-windows': { version: '1.0.0', optional: true, os: ['!win32'] },
  'node_modules/native-wasm': { version: '1.0.0', optional: true },
};
const RUNTIME = ['node_modules/@beltway/one', 'node_modules/express', 'node_modules/native-linux'];
const EVERYTHING = [...RUNTIME, 'node_modules/vitest'];

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'packages-'))));
afterEach(() => rmSync(root, { recursive: true }));

const write = (file: string, packages: Packages) => writeFileSync(join(root, file), JSON.stringify({ packages }));
function installed(paths: string[], changes: Packages = {}): void {
  write('package-lock.json', LOCKFILE);
  for (const path of paths) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, 'package.json'), '{}');
  }
  const entries = paths.map((path) => [path, LOCKFILE[path]!] as const);
  write('node_modules/.package-lock.json', { ...Object.fromEntries(entries), ...changes });
}
/** Makes the lockfile newer than the installed packages, like a checkout. */
const touchLockfile = () => utimesSync(join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 60_000));

test('a start needs no development package, and a test run needs all packages', () => {
  installed(RUNTIME);
  expect(isInstalled(root, { dev: false })).toBe(true);
  expect(isInstalled(root, { dev: true })).toBe(false);
  expect(hasDevelopment(root)).toBe(false);
  installed(EVERYTHING);
  expect(isInstalled(root, { dev: true })).toBe(true);
  expect(hasDevelopment(root)).toBe(true);
});

test('a lockfile with other versions requires an install, and a lockfile with the same versions does not', () => {
  installed(RUNTIME);
  touchLockfile();
  expect(isReadyToStart(root)).toBe(true);
  installed(RUNTIME, { 'node_modules/express': { version: '4.0.0' } });
  touchLockfile();
  expect(isReadyToStart(root)).toBe(false);
  installed(EVERYTHING, { 'node_modules/vitest': { version: '3.0.0', dev: true } });
  touchLockfile();
  expect(isReadyToStart(root)).toBe(true);
  expect(isInstalled(root, { dev: true })).toBe(false);
});

test('an interrupted install starts over', () => {
  write('package-lock.json', LOCKFILE);
  expect(isFresh(root)).toBe(true);
  installed(RUNTIME);
  expect(isFresh(root)).toBe(false);
  markInstalling(root);
  expect(isFresh(root)).toBe(true);
  expect(isReadyToStart(root)).toBe(false);
  expect(isInstalled(root, { dev: false })).toBe(false);
  markEnded(root);
  expect(isReadyToStart(root)).toBe(true);
});

test('progress counts the packages of this machine that have arrived', () => {
  installed(['node_modules/express']);
  mkdirSync(join(root, 'node_modules/vitest'));
  const linux = { platform: 'linux', arch: 'x64' };
  const folders = foldersToInstall(root, { dev: false }, linux);
  expect(folders).toEqual(['node_modules/express', 'node_modules/native-linux', 'node_modules/not-windows']);
  expect(countInstalled(root, folders)).toBe(1);
  expect(foldersToInstall(root, { dev: true }, linux)).toContain('node_modules/vitest');
  expect(foldersToInstall(root, { dev: false }, { platform: 'win32', arch: 'x64' })).toEqual(['node_modules/express']);
});

test('a start of this repository installs fewer than 500 packages, without tools for tests and types', () => {
  const repository = join(import.meta.dirname, '..', '..');
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { peerDependencies?: object }>;
  };
  expect(
    packages['node_modules/@prisma/client']!.peerDependencies,
    'Prisma’s client would bring its tool and TypeScript along. Delete peerDependencies and peerDependenciesMeta of ' +
      'node_modules/@prisma/client in package-lock.json, then run `npm install --package-lock-only`.',
  ).toBeUndefined();
  const folders = foldersToInstall(repository, { dev: false }, { platform: 'linux', arch: 'x64' });
  for (const name of ['prisma', 'typescript', 'vitest', 'eslint', 'knip', 'testcontainers', 'playwright-core'])
    expect(folders).not.toContain(`node_modules/${name}`);
  expect(folders).toContain('node_modules/vite');
  expect(folders.length).toBeLessThan(500);
});
