import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { giveWay } from './give-way.ts';

test('a worker gets a lower priority than this process, and a worker that has ended causes no error', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  giveWay(child);
  expect(getPriority(child.pid)).toBe(Math.min(19, getPriority() + 5));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(() => giveWay(child)).not.toThrow();
  expect(() => giveWay({ pid: undefined })).not.toThrow();
});
