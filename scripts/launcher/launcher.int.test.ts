import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { eventually } from '@beltway/kit/testing';
import { expect, test } from 'vitest';
import { placeForEachTest } from '../test-support/copy.ts';
import { readPidFile } from './engines/postgres.ts';

const here = placeForEachTest();

const starts = async () => Number(await (await fetch(`${here().url}/starts`)).text());
const nothingLeft = () => eventually(() => here().alive().length === 0, { what: 'no process left' });

test('prints one line when it has started, and on SIGTERM stops in order without leaving a process', async () => {
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

test('secrets are readable only by their owner and created once', async () => {
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

test('a second copy on the same folder, or on a used port, prints the reason and ends', async () => {
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

test('two concurrent starts: one runs, and the other prints the reason', async () => {
  const copies = [here().start(), here().start()];
  const [first] = await Promise.all([
    Promise.any(copies.map((copy) => copy.ready().then(() => copy))),
    Promise.any(copies.map((copy) => copy.ended.then((code) => (code === 1 ? code : Promise.reject())))),
  ]);
  expect(await starts()).toBe(3);
  expect(await first.signal('SIGTERM')).toBe(0);
  await nothingLeft();
});

test('a service that dies and a PostgreSQL that dies are restarted', async () => {
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

test('no process outlives a killed launcher', async () => {
  const copy = here().start();
  await copy.ready();
  await copy.signal('SIGKILL');
  await nothingLeft();
});

test('after everything was killed, including the watchdog, it starts again with its data', async () => {
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

test('the next run stops the server of a killed run', async () => {
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

test('if it is stopped while it is starting, it ends soon and leaves nothing behind', async () => {
  const copy = here().start();
  await eventually(() => copy.output().includes('making a database'));
  const since = Date.now();
  expect(await copy.signal('SIGTERM')).toBe(0);
  expect(Date.now() - since).toBeLessThan(30_000);
  expect(copy.output()).not.toContain('Beltway is ready');
  await nothingLeft();
});

test('an applied migration that was changed stops the start and names the file', async () => {
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

test('a data folder of a version before 0.1.0 stops the start with one sentence', async () => {
  const first = here().start();
  await first.ready();
  await first.signal('SIGTERM');

  const migrations = join(here().folder, 'stub', 'migrations');
  renameSync(join(migrations, '0001_starts'), join(migrations, '0001_initial'));
  const second = here().start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(
    `The data in ${here().dataDir} is of a Beltway version before 0.1.0 and cannot be taken over: move the folder away, or set DATA_DIR to another one.`,
  );
  expect(second.output()).not.toMatch(/\n\s+at /);
  await nothingLeft();
});

test('a public port that another program uses on all addresses is reported', async () => {
  const server = createServer().listen(0, '0.0.0.0');
  await eventually(() => server.listening);
  const copy = here().start({ PORT: String((server.address() as { port: number }).port) });
  expect(await copy.ended).toBe(1);
  expect(copy.output()).toMatch(/is in use/);
  server.close();
});

test('no process outlives a killed npm with a shell between npm and the launcher', async () => {
  const shell = `"$0" "$@"; exit $?`;
  const copy = here().start({ npm_lifecycle_event: 'start' }, ['sh', '-c', shell, 'sh', '-c', shell]);
  await copy.ready();
  copy.child.kill('SIGKILL');
  await nothingLeft();
});

test('a new folder gets demo data once before the ready line; a failure is printed and retried', async () => {
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
