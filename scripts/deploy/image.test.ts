import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { healthRoutes } from '@beltway/kit/health';
import { testCertificates } from '@beltway/test-engines/certificates';
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

test('the health check of an image follows the readiness of its service', async () => {
  expect((await check({ SERVICE_PORT: await listen({}) })).code).toBe(0);
  expect((await check({ PORT: await listen({}) })).code).toBe(0);
  expect((await check({ SERVICE_PORT: await listen({ database: () => false }) })).code).toBe(1);
  const gone = await listen({});
  closing.splice(0).forEach((close) => close());
  expect((await check({ SERVICE_PORT: gone })).code).toBe(1);
});

test('the health check of an image uses TLS for a service that serves TLS, and checks the service’s name', async () => {
  const certificates = await testCertificates();
  closing.push(() => certificates.remove());
  const { key, cert } = await certificates.of('identity');
  const files = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createTlsServer(files, express().use(healthRoutes({}, 'identity')));
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    ...{ SERVICE_PORT: String((server.address() as AddressInfo).port), BELTWAY_SERVICE: 'identity' },
    ...{ SERVICE_CERT_FILE: cert, SERVICE_CA_FILE: certificates.ca },
  };
  expect((await check(env)).code).toBe(0);
  expect((await check({ ...env, BELTWAY_SERVICE: 'catalog' })).code).toBe(1);
  expect((await check({ ...env, SERVICE_CA_FILE: certificates.otherCa })).code).toBe(1);
});

/** Puts a `node` first on PATH that prints its arguments. Returns the PATH. */
function standIn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entrypoint-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'node'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  return [join(folder, 'bin'), process.env['PATH']].join(delimiter);
}

test('an image starts and migrates its service with the flags of the launcher', async () => {
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

test('Node accepts every flag', async () => {
  const flags = globSync('services/*', { cwd: root }).flatMap((folder) => nodeFlags(basename(folder)));
  expect(await run(process.execPath, [...flags, '--eval', 'console.log("runs")'], {})).toEqual({
    code: 0,
    output: 'runs\n',
  });
});

test('programs in an image import only files that the image contains', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const repairs = ['audit', 'dead-letters', 'jobs', 'rebuild'].map((name) => `scripts/${name}.ts`);
  const scripts = ['scripts/deploy/migrate.ts', 'scripts/launcher/migrations.ts', 'scripts/launcher/script.ts'];
  for (const script of repairs) expect(dockerfile).toContain(` ${script} `);
  for (const script of [...scripts, ...repairs]) {
    const imported = [...readFileSync(join(root, script), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
      join(script, '..', path),
    );
    // A module is also copied if its whole folder is.
    const isHeld = (path: string) => dockerfile.includes(path) || dockerfile.includes(` ${dirname(path)} `);
    for (const path of imported) expect([path, isHeld(path)]).toEqual([path, true]);
  }
  for (const service of globSync('services/*', { cwd: root }))
    expect(existsSync(join(root, service, 'src/main.ts'))).toBe(true);
});

test('an image contains the query compiler that its service reads', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const kept = /query_compiler_\w+\.postgresql\.(?=\*mjs)/.exec(dockerfile)![0];
  for (const client of globSync('services/*/src/generated/prisma/internal/class.ts', { cwd: root })) {
    const read = readFileSync(join(root, client), 'utf8').match(/runtime\/query_compiler[^"]+/g)!;
    expect(read.length).toBeGreaterThan(0);
    for (const file of read) expect([file.startsWith(`runtime/${kept}`), file.endsWith('mjs')]).toEqual([true, true]);
  }
});

test('only media’s image has the programs for live streams, which come from the image’s Linux distribution', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const installs = dockerfile.split(/^(?=[A-Z]+ )/m).filter((step) => step.includes('apt-get install'));
  expect(installs).toHaveLength(1);
  const [install = ''] = installs;
  expect(install).toMatch(/^RUN if \[ "\$SERVICE" = media \]/);
  for (const name of ['nginx-light', 'libnginx-mod-rtmp', 'ffmpeg']) expect(install).toContain(name);
  // The install comes before USER, because that user may not install, and after the step from which image sizes are
  // counted.
  expect(dockerfile.indexOf(install)).toBeLessThan(dockerfile.indexOf('\nUSER node'));
  expect(dockerfile.lastIndexOf('\nARG SERVICE', dockerfile.indexOf(install))).toBeGreaterThan(
    dockerfile.indexOf('AS service\n'),
  );
});

test('an image contains the packages that its service needs, and none that only tests need', async () => {
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
  // The fonts are files of the package `typeset`.
  for (const service of ['media', 'ticketing']) expect(await parts(service)).toContain('packages/typeset');
});

test('migrating reports what is missing, and prints no password', async () => {
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

test('packages, images, manifests and the changelog have one version', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const packages = globSync(['packages/*/package.json', 'services/*/package.json', 'frontend/package.json'], {
    cwd: root,
  });
  const found = {
    ...Object.fromEntries(packages.map((file) => [file, (JSON.parse(read(file)) as { version: string }).version])),
    Dockerfile: /^ARG VERSION=(.+)$/m.exec(read('Dockerfile'))?.[1],
    ...Object.fromEntries(
      [...read('k8s/overlays/production/images/kustomization.yaml').matchAll(/name: (\S+?),.*newTag: (\S+)/g)].map(
        ([, image, tag]) => [image, tag],
      ),
    ),
    'CHANGELOG.md': /^## (\d\S*),/m.exec(read('CHANGELOG.md'))?.[1],
  };
  expect(Object.keys(found).length).toBeGreaterThan(20);
  expect(new Set(Object.values(found))).toEqual(new Set([version]));
});
