import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@beltway/kit/testing';
import { expect, test } from 'vitest';
import { placeForEachTest } from '../../test-support/copy.ts';
import type { RunningProcess } from '../processes/roster.ts';

const here = placeForEachTest();
const SERVICES = ['one', 'two', 'door'];

async function started() {
  const copy = here().start({}, [], ['--one-process']);
  await copy.ready();
  return copy;
}
const processesFile = () => join(here().dataDir, 'processes.json');
const listed = (): RunningProcess[] => JSON.parse(readFileSync(processesFile(), 'utf8'));
const named = (name: string) => listed().find((one) => one.name === name)!;
const ask = async ({ url }: { url: string }, path = '') => (await fetch(url + path)).text();
const logOf = (name: string) => readFileSync(join(here().dataDir, 'logs', `${name}.log`), 'utf8');
const nothingLeft = () => eventually(() => here().alive().length === 0, { what: 'no process left' });

test('all services run in one process, listed once per service; the door stops first and no process remains', async () => {
  const copy = await started();
  expect(
    listed()
      .map(({ name, service }) => `${service} ${name}`)
      .sort(),
  ).toEqual(['door door', 'one one', 'postgres postgres', 'two two']);
  expect(new Set(SERVICES.map((name) => named(name).pid)).size).toBe(1);
  expect(here().alive()).toContain(named('door').pid);

  expect(await copy.signal('SIGTERM')).toBe(0);
  const stoppedAt = (name: string) => (JSON.parse(logOf(name).trim()) as { at: number }).at;
  expect(stoppedAt('door')).toBeLessThanOrEqual(Math.min(stoppedAt('one'), stoppedAt('two')));
  expect(existsSync(processesFile())).toBe(false);
  await nothingLeft();
});

test('each service has its own environment, log and metrics', async () => {
  const copy = await started();
  const asked = async (name: string) => /^stub_asked_total (\d+)$/m.exec(await ask(named(name), '/metrics'))?.[1];
  const before = Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, Number(await asked(name))])));
  for (const name of ['one', 'one', 'one', 'two']) expect(await ask(named(name))).toBe(name);
  expect(await asked('one')).toBe(String(before.one + 3));
  expect(await asked('two')).toBe(String(before.two + 1));
  expect(await asked('door')).toBe(String(before.door));
  // Only one service may report process metrics; otherwise they would be counted once per service.
  expect(await ask(named('one'), '/metrics')).not.toContain('process_cpu');
  await copy.signal('SIGINT');
  for (const name of SERVICES) expect(logOf(name).trim().split('\n')).toHaveLength(1);
});

test('a service that fails ends the process, and all services are restarted', async () => {
  const copy = await started();
  const old = named('one').pid;
  await fetch(`${named('one').url}/die`).catch(() => undefined);
  await eventually(() => named('door') && named('door').pid !== old, { what: 'another process' });
  await eventually(() => ask(named('one')).catch(() => false), { what: 'an answer of the new process' });
  expect(copy.output()).toContain('services ended (code 1), starting it again in 200 ms');
  expect(await copy.signal('SIGTERM')).toBe(0);
  await nothingLeft();
});

test('the process does not outlive a killed launcher', async () => {
  const copy = await started();
  await copy.signal('SIGKILL');
  await nothingLeft();
});
