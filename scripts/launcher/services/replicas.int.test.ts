import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@beltway/kit/testing';
import { expect, test } from 'vitest';
import { placeForEachTest } from '../../test-support/copy.ts';
import type { RunningProcess } from '../processes/roster.ts';

const here = placeForEachTest();

const listed = (): RunningProcess[] => JSON.parse(readFileSync(join(here().dataDir, 'processes.json'), 'utf8'));
const named = (name: string) => listed().find((one) => one.name === name);
/** Uses a new connection for each request, because a keep-alive connection stays with its instance. */
const answerOf = async ({ url }: { url: string }) => (await fetch(url, { headers: { connection: 'close' } })).text();

test('as many instances run as configured; every process is listed until the end', async () => {
  const copy = here().start({ BELTWAY_REPLICAS: 'one:3,door:2' });
  await copy.ready();
  expect(
    listed()
      .map(({ name, service }) => `${service} ${name}`)
      .sort(),
  ).toEqual(['door door', 'door door-2', 'one one', 'one one-2', 'one one-3', 'postgres postgres', 'two two']);
  expect(here().alive()).toEqual(expect.arrayContaining(listed().map(({ pid }) => pid)));
  for (const name of ['one', 'one-2', 'one-3', 'two']) expect(await answerOf(named(name)!)).toBe(name);
  // The doors share the public port, and the system chooses one of them for each connection. Each door also has its own
  // port.
  for (const name of ['door', 'door-2']) expect(await answerOf(named(name)!)).toBe(name);
  const doors = new Set<string>();
  await eventually(async () => doors.add(await answerOf(here())).size === 2, { what: 'both doors answer' });

  expect(await copy.signal('SIGTERM')).toBe(0);
  for (const name of ['one-2', 'door-2'])
    expect(readFileSync(join(here().dataDir, 'logs', `${name}.log`), 'utf8')).toContain(
      'stopping: the launcher is gone',
    );
  expect(existsSync(join(here().dataDir, 'processes.json'))).toBe(false);
  await eventually(() => here().alive().length === 0, { what: 'no process left' });
});

test('a terminated instance is restarted immediately, a crashed instance after a pause, and the list is updated', async () => {
  const copy = here().start({ BELTWAY_REPLICAS: 'one:2' });
  await copy.ready();
  await eventually(() => copy.output().includes('Beltway is ready'));
  const first = named('one-2')!;
  const startedSince = (before: RunningProcess) =>
    eventually(async () => {
      const now = named('one-2')!;
      return now.pid !== before.pid && (await answerOf(now)) === 'one-2' && now;
    });
  process.kill(first.pid, 'SIGKILL');
  const second = await startedSince(first);
  expect(second.url).toBe(first.url);
  expect(copy.output()).toContain('one-2 ended (SIGKILL), starting it again in 200 ms');

  // Waits, because an end within a second of the start would count as a failure.
  const since = performance.now();
  await eventually(() => performance.now() - since > 1_000);
  process.kill(second.pid, 'SIGTERM');
  await startedSince(second);
  expect(copy.output()).toContain('one-2 ended (code 0), starting it again at once');

  const postgres = named('postgres')!;
  process.kill(postgres.pid, 'SIGKILL');
  await eventually(() => named('postgres') && named('postgres')!.pid !== postgres.pid, { timeoutMs: 20_000 });
  expect(await copy.signal('SIGTERM')).toBe(0);
});

test('replicas of an unknown service are reported in one line', async () => {
  const copy = here().start({ BELTWAY_REPLICAS: 'three:2' });
  expect(await copy.ended).toBe(1);
  expect(copy.output()).toBe('BELTWAY_REPLICAS: "three" cannot run several times, only one, two, door can\n');
});
