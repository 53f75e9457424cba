import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from 'vitest';
import type { FirstScreenOrder, PageBuild } from '@beltway/contracts/common/first-screen';
import { anEvent } from '@beltway/contracts/testing/events';
import { firstLoad } from '../frontend/scripts/first-load.ts';
import { buildFrontend, frontendDir as dist } from './launcher/frontend.ts';

// The production build of the page, measured in bytes, which are the same on every machine.
const frontend = join(import.meta.dirname, '..', 'frontend');
beforeAll(() => buildFrontend(() => undefined), 120_000);

const text = (file: string) => readFileSync(join(dist, file), 'utf8');
const knownOfPage = () => JSON.parse(text('.gateway/page.json')) as PageBuild;

test('the home page loads less than 180 kB of compressed script, in few files', () => {
  const files = firstLoad(dist);
  const sum = (of: 'gzip' | 'brotli') => files.reduce((total, file) => total + file[of], 0);
  expect(sum('gzip')).toBeLessThan(180_000);
  expect(sum('brotli')).toBeLessThan(160_000);
  expect(files.length).toBeLessThanOrEqual(10);
  // Makes sure that the measured page is not empty.
  expect(files.map(({ file }) => file.split('-')[0])).toEqual(
    expect.arrayContaining(['react', 'start', 'home', 'esm']),
  );
});

test('no page loads more than 240 kB of style sheets and scripts before its first screen', () => {
  const everywhere = [...text('index.html').matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([path]) => path);
  expect(everywhere.length).toBeGreaterThan(3);
  for (const [page, own] of Object.entries(knownOfPage().files)) {
    const bytes = [...new Set([...everywhere, ...own])].map((path) => {
      const kept = join(dist, `${path}.gz`);
      return statSync(existsSync(kept) ? kept : join(dist, path)).size;
    });
    expect(
      bytes.reduce((sum, one) => sum + one, 0),
      page,
    ).toBeLessThan(240_000);
  }
});

test('no file blocks the page: the only script before it is inline, and the policy names its hash', () => {
  const html = text('index.html');
  const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  expect(scripts.filter(([, attributes]) => /src=/.test(attributes!) && !/type="module"/.test(attributes!))).toEqual(
    [],
  );
  const inline = scripts.filter(([, attributes]) => !/src=/.test(attributes!)).map(([, , code]) => code!);
  expect(inline).toHaveLength(1);
  const hash = createHash('sha256').update(inline[0]!).digest('base64');
  const policy = readFileSync(join(frontend, '../services/gateway/src/security.ts'), 'utf8');
  expect(policy).toContain(`'sha256-${hash}'`);
});

test('the service worker caches existing files, all that My Tickets needs, and at most half a megabyte', () => {
  const worker = text('service-worker.js');
  const { files, version } = runInNewContext(`${/^const SHELL=\{.*?\};/.exec(worker)![0]}SHELL`) as {
    files: string[];
    version: string;
  };
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(files).size).toBe(files.length);
  for (const file of files) expect(existsSync(join(dist, file)), file).toBe(true);
  const { files: pages } = knownOfPage();
  expect(files).toEqual(expect.arrayContaining([...pages['/']!, ...pages['/my-tickets']!]));
  expect(files.some((file) => file.startsWith('/assets/qr-'))).toBe(true);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  const sizes = files.map(
    (file) => statSync(join(dist, existsSync(join(dist, `${file}.gz`)) ? `${file}.gz` : file)).size,
  );
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(500_000);
  // The worker is a classic script, which cannot have imports.
  expect(worker).not.toMatch(/\b(import|export)\b[\s{("'`]/);
});

test('the manifest names a page and existing icons, one of them for launchers that crop', () => {
  expect(text('index.html')).toContain('rel="manifest"');
  const manifest = JSON.parse(text('manifest.webmanifest')) as {
    icons: { src: string; sizes: string; purpose?: string }[];
    shortcuts: { url: string }[];
  };
  for (const { src, sizes } of manifest.icons) {
    const png = readFileSync(join(dist, src));
    // A PNG's first chunk contains width and height.
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes);
  }
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
});

test('files that change with each release are separate from files that do not change', () => {
  const names = readdirSync(join(dist, 'assets'));
  for (const name of ['react', 'data', 'start']) expect(names.some((file) => file.startsWith(`${name}-`))).toBe(true);
});

test('the gateway knows every path of the router', () => {
  const router = readFileSync(join(frontend, 'src/router.tsx'), 'utf8');
  const { paths } = knownOfPage();
  expect(paths.length).toBeGreaterThan(50);
  expect(paths).toEqual([...router.matchAll(/^ {2}'(\/[^']*)': \w+\(/gm)].map(([, path]) => path));
});

test('first screens need no other file', async () => {
  const event = anEvent({ imageUrl: null });
  const pictures = { pictureUrl: null, coverUrl: null };
  const links = ['https://wharf.example'];
  const anOrganizer = { id: 5, name: 'Wharf Nights', followers: 2, about: 'Jazz.', links, ...pictures };
  const orders: FirstScreenOrder[] = (['en', 'es'] as const).flatMap((language) => [
    { screen: 'home', language, now: Date.now(), comingUp: [event] },
    { screen: 'event', language, now: Date.now(), event },
    { screen: 'checkout', language, now: Date.now(), event },
    { screen: 'organizer', language, now: Date.now(), organizer: anOrganizer, next: event },
    { screen: 'auth', language, now: Date.now() },
  ]);
  // Like in an image: no package can be resolved from this folder.
  const folder = mkdtempSync(join(tmpdir(), 'beltway-first-screens-'));
  copyFileSync(join(dist, '.gateway/first-screens.js'), join(folder, 'first-screens.mjs'));
  writeFileSync(
    join(folder, 'thread.mjs'),
    `import { parentPort, workerData } from 'node:worker_threads';
     import { prepare, render } from './first-screens.mjs';
     await prepare();
     parentPort.postMessage(workerData.map(render));`,
  );
  const worker = new Worker(join(folder, 'thread.mjs'), { workerData: orders, env: {} });
  const [screens] = (await once(worker, 'message')) as [string[]];
  expect(screens).toHaveLength(10);
  for (const screen of screens) expect(screen).toContain('Beltway');
  rmSync(folder, { recursive: true });
});
