import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../testing/testing.ts';

const entry = new URL('../../test/service-process.ts', import.meta.url).pathname;
const closing: Array<() => unknown> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

function start(env: Record<string, string>, ...args: string[]) {
  const child = fork(entry, args, {
    execArgv: [],
    env: { PATH: process.env['PATH'] ?? '', SERVICE_PORT: '0', ...env },
    silent: true,
  });
  closing.push(() => child.kill('SIGKILL'));
  const reported: string[] = [];
  let output = '';
  child.on('message', (word) => reported.push(String(word)));
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
  return { child, reported, output: () => output, ended: once(child, 'close').then(([code]) => code as number) };
}

test('a service starts its parts and listens; a stop drains and closes the parts in reverse order', async () => {
  const { child, reported, output, ended } = start({ COLOR: 'red' });
  await eventually(() => output().includes('"listening"'), { what: 'a service that listens' });
  expect(reported).toEqual(['config red', 'attached']);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(reported.slice(2)).toEqual(['drained', 'consumer stopped', 'worker stopped', 'bus closed', 'database closed']);
  expect(output()).toContain('a part did not close cleanly');
});

test('an invalid configuration ends the process before anything is opened, and is reported', async () => {
  const { reported, output, ended } = start({ COLOR: 'green' });
  expect(await ended).toBe(1);
  expect(reported).toEqual([]);
  expect(output()).toContain('COLOR');
  expect(output()).not.toMatch(/green|\bat .*\.ts/);
});

test('a failed start ends the process and prints no secret', async () => {
  const { reported, output, ended } = start({ COLOR: 'blue' }, 'fails');
  expect(await ended).toBe(1);
  expect(reported).toEqual(['config blue']);
  expect(output()).toContain('no database at postgres://…@127.0.0.1/test');
  expect(output()).not.toContain('secret');
});
