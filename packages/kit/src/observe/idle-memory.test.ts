import { expect, test } from 'vitest';
import { collectWhenIdle, idleRule } from './idle-memory.ts';

const MB = 1_024 * 1_024;
const seconds = (at: number, cpuSeconds: number, mb: number) => ({
  cpu: cpuSeconds * 1e6,
  at: at * 1e3,
  held: mb * MB,
});

test('collects once the process has become quiet, and not before it was seen so', () => {
  const { look } = idleRule();
  expect(look(seconds(0, 2, 100))).toBe(false);
  expect(look(seconds(5, 6, 150))).toBe(false);
  expect(look(seconds(10, 6.3, 150))).toBe(false);
  expect(look(seconds(15, 6.4, 150))).toBe(true);
});

test('then only when it has grown since, and is quiet again', () => {
  const { look, collected } = idleRule();
  look(seconds(0, 0, 150));
  expect(look(seconds(5, 0, 150))).toBe(true);
  collected(100 * MB);
  expect(look(seconds(10, 0, 115))).toBe(false);
  expect(look(seconds(15, 3, 180))).toBe(false);
  expect(look(seconds(20, 3, 180))).toBe(true);
});

test('holds no process back from ending, and gives nobody a `gc`', () => {
  const before = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  collectWhenIdle();
  expect(process.getActiveResourcesInfo().filter((one) => one === 'Timeout')).toHaveLength(before);
  expect(globalThis.gc).toBeUndefined();
});
