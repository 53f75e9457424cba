import { expect, test } from 'vitest';
import { collectAfterStart } from './idle-memory.ts';

test('does not keep a process alive, and exposes no `gc`', () => {
  const before = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  collectAfterStart();
  expect(process.getActiveResourcesInfo().filter((one) => one === 'Timeout')).toHaveLength(before);
  expect(globalThis.gc).toBeUndefined();
});
