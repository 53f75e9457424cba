import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { giveWay } from './give-way.ts';

test('a process gives way to ours, and one that has ended is nobody’s fault', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  giveWay(child);
  expect(getPriority(child.pid)).toBe(Math.min(19, getPriority() + 5));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(() => giveWay(child)).not.toThrow();
  expect(() => giveWay({ pid: undefined })).not.toThrow();
});
