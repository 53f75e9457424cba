import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@beltway/kit/testing';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { placeForEachTest } from '../../test-support/copy.ts';
import { isAlive } from '../processes/processes.ts';
import type { RunningProcess } from '../processes/roster.ts';

const here = placeForEachTest();

const listed = (): RunningProcess[] => JSON.parse(readFileSync(join(here().dataDir, 'processes.json'), 'utf8'));
const redis = () => listed().find(({ name }) => name === 'redis');
const names = () =>
  listed()
    .map(({ name }) => name)
    .sort();
/** Kafka is external here, so the launcher starts only PostgreSQL and Redis. */
const OUTSIDE = { KAFKA_BROKERS: '127.0.0.1:9' };

test('missing servers are started, restarted when they die, and ended with the launcher', async () => {
  const copy = here().start(OUTSIDE, [], ['--engines']);
  await copy.ready();
  expect(names()).toEqual(['door', 'one', 'postgres', 'redis', 'two']);
  const first = redis()!;
  process.kill(first.pid, 'SIGKILL');
  await eventually(() => redis() && redis()!.pid !== first.pid, { timeoutMs: 30_000, what: 'Redis runs again' });
  expect(redis()!.url).toBe(first.url);
  expect(copy.output()).toContain('Redis ended (SIGKILL), starting it again in 200 ms');
  expect(await copy.signal('SIGTERM')).toBe(0);
  await eventually(() => here().alive().length === 0, { what: 'no process left' });
});

test('when a launcher is killed, its servers end; if one survives because its watchdog was killed too, the next launcher ends it', async () => {
  const copy = here().start(OUTSIDE, [], ['--engines']);
  await copy.ready();
  const first = redis()!.pid;
  await copy.signal('SIGKILL');
  await eventually(() => !isAlive(first), { timeoutMs: 20_000, what: 'Redis ended' });

  // In the second run, the test kills the watchdog too.
  const second = here().start(OUTSIDE, [], ['--engines']);
  await second.ready();
  const orphan = redis()!.pid;
  second.child.kill('SIGSTOP');
  for (const pid of here().alive()) if (pid !== orphan && pid !== second.child.pid) process.kill(pid, 'SIGKILL');
  second.child.kill('SIGKILL');
  await second.ended;
  expect(isAlive(orphan)).toBe(true);
  const third = here().start(OUTSIDE, [], ['--engines']);
  await third.ready();
  expect(isAlive(orphan)).toBe(false);
  await third.signal('SIGTERM');
});

test('the launcher refuses to use Kafka with a data folder that was created without Kafka', async () => {
  const first = here().start();
  await first.ready();
  await first.signal('SIGTERM');
  const second = here().start(OUTSIDE, [], ['--engines']);
  expect(await second.ended).toBe(1);
  expect(second.output()).toMatch(/began with another bus/);
  await eventually(() => here().alive().length === 0, { what: 'no process left' });
});

test('an external PostgreSQL is used with a separate database and role for the service', async () => {
  const server = process.env['TEST_DATABASE_URL']!;
  const name = `launcher_${randomBytes(4).toString('hex')}`;
  const run = async () => {
    const copy = here().start({ DATABASE_SERVER_URL: server, STUB_DATABASE: name });
    await copy.ready();
    expect(names()).toEqual(['door', 'one', 'two']);
    const starts = await (await fetch(`${here().url}/starts`)).text();
    expect(await copy.signal('SIGTERM')).toBe(0);
    return starts;
  };
  expect([await run(), await run()]).toEqual(['3', '6']);
  const admin = new Client({ connectionString: server });
  await admin.connect();
  const { rows } = await admin.query(`select pg_get_userbyid(datdba) as owner from pg_database where datname = $1`, [
    `beltway_${name}`,
  ]);
  expect(rows).toEqual([{ owner: `beltway_${name}` }]);
  await admin.query(`drop database beltway_${name} with (force)`);
  await admin.query(`drop role beltway_${name}`);
  await admin.end();
});

test('an unreachable external PostgreSQL is reported in one line', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await eventually(() => server.listening);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const copy = here().start({ DATABASE_SERVER_URL: `postgres://nobody:secret-word@127.0.0.1:${port}/postgres` });
  expect(await copy.ended).toBe(1);
  expect(copy.output()).toMatch(/^DATABASE_SERVER_URL: .*ECONNREFUSED/m);
  expect(copy.output()).not.toContain('secret-word');
});

test('a server that cannot be started is reported in one line, with the remedy', async () => {
  const noPrograms = { PATH: here().folder, DATABASE_SERVER_URL: process.env['TEST_DATABASE_URL']! };
  const copy = here().start({ ...noPrograms, REDIS_URL: 'redis://127.0.0.1:9' }, [], ['--engines']);
  expect(await copy.ended).toBe(1);
  expect(copy.output()).toMatch(/^There is no Kafka to start \(there is no java\)\. Install Java 17 .* KAFKA_BROKERS=/);
  expect(copy.output().trim().split('\n')).toHaveLength(1);
});
