import { expect, test } from 'vitest';
import { collectAfterStart } from './idle-memory.ts';

test('holds no process back from ending, and gives nobody a `gc`', () => {
  const before = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  collectAfterStart();
  expect(process.getActiveResourcesInfo().filter((one) => one === 'Timeout')).toHaveLength(before);
  expect(globalThis.gc).toBeUndefined();
});
