import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { eventually } from '@beltway/kit/testing';
import { expect, test } from 'vitest';
import { placeForEachTest } from '../test-support/copy.ts';
import { readPidFile } from './engines/postgres.ts';

const here = placeForEachTest();

const starts = async () => Number(await (await fetch(`${here().url}/starts`)).text());
const nothingLeft = () => eventually(() => here().alive().length === 0, { what: 'no process left' });

test('starts, says so on one line, and stops in order on SIGTERM with no process left', async () => {
  const copy = here().start();
  await copy.ready();
  expect(copy.output().match(/Beltway is ready/g)).toHaveLength(1);
  expect(await starts()).toBe(3);
  expect(await copy.signal('SIGTERM')).toBe(0);
  await nothingLeft();
  expect(copy.output()).not.toContain('starting it again');
  const stoppedAt = (name: string) =>
    JSON.parse(readFileSync(join(here().dataDir, 'logs', `${name}.log`), 'utf8').trim()).at;
  expect(stoppedAt('door')).toBeLessThanOrEqual(Math.min(stoppedAt('one'), stoppedAt('two')));
});

test('keeps its secrets to itself and makes them once', async () => {
  const first = here().start();
  await first.ready();
  const file = join(here().dataDir, 'secrets.json');
  const secrets = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await first.signal('SIGINT');
  const second = here().start();
  await second.ready();
  expect(readFileSync(file, 'utf8')).toBe(secrets);
  expect(await starts()).toBe(6);
  await second.signal('SIGTERM');
});

test('a second copy on the same folder, or on a port in use, says so and ends', async () => {
  const copy = here().start();
  await copy.ready();
  const same = here().start({ PORT: String(here().port + 1) });
  expect(await same.ended).toBe(1);
  expect(same.output()).toMatch(/^Beltway runs already on .*Use another DATA_DIR/);
  const busy = here().start({ DATA_DIR: join(here().folder, 'data2') });
  expect(await busy.ended).toBe(1);
  expect(busy.output()).toMatch(new RegExp(`^Port ${here().port} is in use`));
  expect(await starts()).toBe(3);
  await copy.signal('SIGTERM');
});

test('two starts at the same moment: one runs, the other says so', async () => {
  const copies = [here().start(), here().start()];
  const [first] = await Promise.all([
    Promise.any(copies.map((copy) => copy.ready().then(() => copy))),
    Promise.any(copies.map((copy) => copy.ended.then((code) => (code === 1 ? code : Promise.reject())))),
  ]);
  expect(await starts()).toBe(3);
  expect(await first.signal('SIGTERM')).toBe(0);
  await nothingLeft();
});

test('a service that dies is started again, and so is PostgreSQL', async () => {
  const copy = here().start();
  await copy.ready();
  await fetch(`${here().url}/die`).catch(() => undefined);
  await eventually(async () => (await starts()) === 4);
  expect(copy.output()).toContain('door ended (code 1), starting it again in 200 ms');

  const old = readPidFile(join(here().dataDir, 'postgres'))!.pid;
  process.kill(old, 'SIGKILL');
  await eventually(async () => (await starts()) >= 7, { timeoutMs: 20_000 });
  expect(readPidFile(join(here().dataDir, 'postgres'))!.pid).not.toBe(old);
  expect(await copy.signal('SIGTERM')).toBe(0);
  await nothingLeft();
});

test('nothing outlives a launcher that was killed outright', async () => {
  const copy = here().start();
  await copy.ready();
  await copy.signal('SIGKILL');
  await nothingLeft();
});

test('killed with everything, watchdog too, it starts again with its data', async () => {
  const first = here().start();
  await first.ready();
  first.child.kill('SIGKILL');
  here().killAll();
  await first.ended;
  const second = here().start();
  await second.ready();
  expect(await starts()).toBe(6);
  await second.signal('SIGTERM');
  await nothingLeft();
});

test('the server of a killed run is stopped by the next one', async () => {
  const first = here().start();
  await first.ready();
  const orphan = readPidFile(join(here().dataDir, 'postgres'))!.pid;
  first.child.kill('SIGSTOP');
  for (const pid of here().alive()) if (pid !== orphan && pid !== first.child.pid) process.kill(pid, 'SIGKILL');
  first.child.kill('SIGKILL');
  await first.ended;
  expect(here().alive()).toContain(orphan);
  const second = here().start();
  await second.ready();
  expect(here().alive()).not.toContain(orphan);
  expect(await starts()).toBe(6);
  await second.signal('SIGTERM');
  await nothingLeft();
});

test('stopped while it still starts, it ends soon and leaves nothing', async () => {
  const copy = here().start();
  await eventually(() => copy.output().includes('making a database'));
  const since = Date.now();
  expect(await copy.signal('SIGTERM')).toBe(0);
  expect(Date.now() - since).toBeLessThan(10_000);
  expect(copy.output()).not.toContain('Beltway is ready');
  await nothingLeft();
});

test('a changed migration that was applied stops the start and names the file', async () => {
  const first = here().start();
  await first.ready();
  await first.signal('SIGTERM');

  writeFileSync(
    join(here().folder, 'stub', 'migrations', '0001_starts', 'migration.sql'),
    'create table starts (at date)',
  );
  const second = here().start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain('stub/0001_starts');
  await nothingLeft();
});

test('the public port may be taken by a program on all addresses', async () => {
  const server = createServer().listen(0, '0.0.0.0');
  await eventually(() => server.listening);
  const copy = here().start({ PORT: String((server.address() as { port: number }).port) });
  expect(await copy.ended).toBe(1);
  expect(copy.output()).toMatch(/is in use/);
  server.close();
});

test('nothing outlives npm that was killed outright, with a shell between it and us', async () => {
  const shell = `"$0" "$@"; exit $?`;
  const copy = here().start({ npm_lifecycle_event: 'start' }, ['sh', '-c', shell, 'sh', '-c', shell]);
  await copy.ready();
  copy.child.kill('SIGKILL');
  await nothingLeft();
});

test('demo data is made before the ready line, on a fresh folder once, and a failure is told and tried again', async () => {
  const seed = join(here().folder, 'seed.ts');
  const write = (body: string) => writeFileSync(seed, `export async function seed(urls, say) { ${body} }`);
  const run = async (more: Record<string, string> = {}) => {
    const copy = here().start({ STUB_SEED: seed, ...more });
    await copy.ready();
    await copy.signal('SIGTERM');
    return copy.output();
  };
  write(
    `await fetch(urls.one); setTimeout(() => Promise.reject(new Error('a stray fault')), 1); await new Promise(() => {});`,
  );
  expect(await run()).toMatch(/the demo data is not complete.*a stray fault/s);
  write(`say(await (await fetch(urls.two)).text() + ' answers, token of ' + urls.internalToken.length);`);
  expect(await run()).toMatch(/two answers, token of 64\n(.*\n)*Beltway is ready/);
  expect(await run()).not.toContain('demo data');
});
