import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = (collect: boolean): string => `
  import { collectAfterStart } from ${JSON.stringify(new URL('../src/observe/idle-memory.ts', import.meta.url).href)};
  let rubbish = Array.from({ length: 400_000 }, (_, n) => ({ n, text: 'text ' + n }));
  rubbish = undefined;
  ${collect ? 'collectAfterStart(100);' : ''}
  const before = process.memoryUsage.rss();
  setTimeout(() => console.log(Math.round((before - process.memoryUsage.rss()) / 1e6)), 2_000);
`;

/** Megabytes that a process has released within two seconds after it became idle. */
async function givenBack(collect: boolean): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(collect)]);
  return Number(stdout);
}

test('a process that is idle after its start releases memory that it would otherwise keep', async () => {
  const [by, without] = await Promise.all([givenBack(true), givenBack(false)]);
  expect(by).toBeGreaterThan(15);
  expect(without).toBeLessThan(5);
});

const busyAtFirst = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { collectAfterStart } from ${JSON.stringify(new URL('../src/observe/idle-memory.ts', import.meta.url).href)};
  const litter = new WeakRef({});
  collectAfterStart(100);
  const until = Date.now() + 1_000;
  while (Date.now() < until) {
    // Measured in processor time, because on a busy machine the process may get little of it.
    for (const turn = process.cpuUsage().user + 20_000; process.cpuUsage().user < turn; );
    await pause(1);
  }
  const whileBusy = litter.deref() !== undefined;
  await pause(1_000);
  console.log(JSON.stringify({ whileBusy, whenQuiet: litter.deref() !== undefined }));
`;

test('a busy process is not interrupted before it is idle', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', busyAtFirst]);
  expect(JSON.parse(stdout)).toEqual({ whileBusy: true, whenQuiet: false });
});

// A load whose objects are all garbage afterwards.
const load = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { collectAfterStart } from ${JSON.stringify(new URL('../src/observe/idle-memory.ts', import.meta.url).href)};
  const OPTIMIZED = 16;
  let rubbish;
  const litter = (bytes) => new WeakRef((rubbish = [Buffer.alloc(bytes, 1), {}])[1]);
  const collected = async (litter) => {
    rubbish = undefined;
    while (litter.deref()) await pause(50);
  };
  collectAfterStart(100);
  await collected(litter(1));
  const hot = new Function('order', 'return order.quantity + order.price');
  for (let n = 0; n < 1e6; n++) hot(JSON.parse('{"quantity":1,"price":2}'));
  const before = %GetOptimizationStatus(hot) & OPTIMIZED;
  const kept = litter(40e6);
  rubbish = undefined;
  await pause(1_500);
  console.log(JSON.stringify({ before, after: %GetOptimizationStatus(hot) & OPTIMIZED, collected: !kept.deref() }));
`;

test('code optimized under load is kept for the next load', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--allow-natives-syntax',
    '--input-type=module',
    '-e',
    load,
  ]);
  expect(JSON.parse(stdout)).toEqual({ before: 16, after: 16, collected: false });
});
