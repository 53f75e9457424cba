import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = (collect: boolean): string => `
  import { collectWhenIdle } from ${JSON.stringify(new URL('../src/idle-memory.ts', import.meta.url).href)};
  let rubbish = Array.from({ length: 400_000 }, (_, n) => ({ n, text: 'text ' + n }));
  rubbish = undefined;
  ${collect ? 'collectWhenIdle(100);' : ''}
  const before = process.memoryUsage.rss();
  setTimeout(() => console.log(Math.round((before - process.memoryUsage.rss()) / 1e6)), 2_000);
`;

/** Megabytes that a process has given back two seconds after it has become quiet. */
async function givenBack(collect: boolean): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(collect)]);
  return Number(stdout);
}

test('a process with nothing to do gives back what it no longer needs, which it would not by itself', async () => {
  const [by, without] = await Promise.all([givenBack(true), givenBack(false)]);
  expect(by).toBeGreaterThan(15);
  expect(without).toBeLessThan(5);
});
