import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { healthRoutes } from '@beltway/kit/health';
import { nodeFlags } from '../launcher/node-flags.ts';
import { databases } from '../launcher/system.ts';

const root = join(import.meta.dirname, '..', '..');
const closing: Array<() => unknown> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

interface Ended {
  code: number;
  output: string;
}
const run = (program: string, args: string[], env: Record<string, string>) =>
  new Promise<Ended>((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });

async function listen(checks: Parameters<typeof healthRoutes>[0]): Promise<string> {
  const server = createServer(express().use(healthRoutes(checks, 'test')));
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return String((server.address() as AddressInfo).port);
}
const check = (env: Record<string, string>) => run(process.execPath, ['scripts/deploy/healthcheck.mjs'], env);

test('the health check of an image follows the readiness that services answer', async () => {
  expect((await check({ SERVICE_PORT: await listen({}) })).code).toBe(0);
  expect((await check({ PORT: await listen({}) })).code).toBe(0);
  expect((await check({ SERVICE_PORT: await listen({ database: () => false }) })).code).toBe(1);
  const gone = await listen({});
  closing.splice(0).forEach((close) => close());
  expect((await check({ SERVICE_PORT: gone })).code).toBe(1);
});

/** A `node` that prints its arguments, first on PATH. */
function standIn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entrypoint-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'node'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  return [join(folder, 'bin'), process.env['PATH']].join(delimiter);
}

test('an image starts its service, and migrates, with the flags that the launcher uses', async () => {
  const start = (service: string, ...args: string[]) =>
    run('scripts/deploy/entrypoint.sh', args, { PATH: standIn(), BELTWAY_SERVICE: service });
  for (const service of ['ticketing', 'realtime']) {
    const flags = nodeFlags(service);
    expect(flags).toContain('--no-allocation-site-pretenuring');
    const main = `services/${service}/src/main.ts`;
    expect((await start(service)).output.trim().split('\n')).toEqual([...flags, main]);
    expect((await start(service, 'start')).output.trim().split('\n')).toEqual([...flags, main]);
    expect((await start(service, 'migrate')).output.trim().split('\n')).toEqual([
      ...flags,
      'scripts/deploy/migrate.ts',
    ]);
  }
  expect(nodeFlags('realtime').at(-1)).toMatch(/^--max-semi-space-size=/);
  expect((await start('ticketing', 'echo', 'something else')).output).toBe('something else\n');
});

test('node itself takes every flag', async () => {
  const flags = globSync('services/*', { cwd: root }).flatMap((folder) => nodeFlags(basename(folder)));
  expect(await run(process.execPath, [...flags, '--eval', 'console.log("runs")'], {})).toEqual({
    code: 0,
    output: 'runs\n',
  });
});

test('what runs in an image imports only what the image holds', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const scripts = ['scripts/deploy/migrate.ts', 'scripts/launcher/migrations.ts'];
  for (const script of scripts) {
    const imported = [...readFileSync(join(root, script), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
      join(script, '..', path),
    );
    for (const path of imported) expect(dockerfile).toContain(path);
  }
  for (const service of globSync('services/*', { cwd: root }))
    expect(existsSync(join(root, service, 'src/main.ts'))).toBe(true);
});

test('an image keeps the compiler of queries that its service reads', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const kept = /query_compiler_\w+\.postgresql\.(?=\*mjs)/.exec(dockerfile)![0];
  for (const client of globSync('services/*/src/generated/prisma/internal/class.ts', { cwd: root })) {
    const read = readFileSync(join(root, client), 'utf8').match(/runtime\/query_compiler[^"]+/g)!;
    expect(read.length).toBeGreaterThan(0);
    for (const file of read) expect([file.startsWith(`runtime/${kept}`), file.endsWith('mjs')]).toEqual([true, true]);
  }
});

test('only the image of media has the programs that live streams need, from its distribution', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const installs = dockerfile.split(/^(?=[A-Z]+ )/m).filter((step) => step.includes('apt-get install'));
  expect(installs).toHaveLength(1);
  const [install = ''] = installs;
  expect(install).toMatch(/^RUN if \[ "\$SERVICE" = media \]/);
  for (const name of ['nginx-light', 'libnginx-mod-rtmp', 'ffmpeg']) expect(install).toContain(name);
  // Before its user changes to one who may install nothing, and after what the sizes of images are counted from.
  expect(dockerfile.indexOf(install)).toBeLessThan(dockerfile.indexOf('\nUSER node'));
  expect(dockerfile.lastIndexOf('\nARG SERVICE', dockerfile.indexOf(install))).toBeGreaterThan(
    dockerfile.indexOf('AS service\n'),
  );
});

test('an image holds the packages that its service needs, and none that only tests need', async () => {
  const parts = async (service: string) =>
    (await run(process.execPath, ['scripts/deploy/parts.mjs', service], {})).output.trim().split('\n').toSorted();
  expect(await parts('realtime')).toEqual([
    'packages/contracts',
    'packages/event-store',
    'packages/kit',
    'packages/places',
    'packages/tracing',
    'services/realtime',
  ]);
  const payments = await parts('payments');
  expect(payments).toContain('services/payments');
  for (const service of globSync('services/*', { cwd: root }).map((path) => path.split(/[/\\]/)[1]!)) {
    const held = await parts(service);
    expect(held).toContain('packages/kit');
    expect(held).not.toContain('packages/card-sandbox');
    expect(held).not.toContain('packages/test-engines');
  }
  // The fonts are files of this package.
  for (const service of ['media', 'ticketing']) expect(await parts(service)).toContain('packages/typeset');
});

test('migrating names what is missing, and shows no password', async () => {
  const migrate = (env: Record<string, string>) => run(process.execPath, ['scripts/deploy/migrate.ts'], env);
  const nothing = await migrate({ BELTWAY_SERVICE: 'ticketing' });
  expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_URL') });
  const away = await migrate({
    BELTWAY_SERVICE: 'ticketing',
    DATABASE_URL: 'postgres://ticketing:hush@127.0.0.1:1/ticketing',
  });
  expect(away).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_URL: connect ECONNREFUSED') });
  expect(away.output).not.toContain('hush');
});

test('an image migrates the tables that the launcher migrates', async () => {
  const { serviceMigrations } = await import('../launcher/migrations.ts');
  const ofServices = databases.filter(({ name }) => existsSync(join(root, 'services', name)));
  expect(ofServices.length).toBeGreaterThan(5);
  for (const { name, migrations } of ofServices) {
    expect(migrations).toEqual(serviceMigrations(name));
    for (const folder of migrations) expect(existsSync(folder)).toBe(true);
  }
});
