import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSettled } from './event-search.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const show = () => renderHook((address: string) => useSettled(new URLSearchParams(address)), { initialProps: '' });
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('continuous typing makes one request', async () => {
  const { result, rerender } = show();
  const seen = new Set<string>();
  for (const q of ['j', 'ja', 'jaz', 'jazz']) {
    rerender(`q=${q}`);
    seen.add(result.current);
    await wait(100);
  }
  expect([...seen]).toEqual(['']);
  await wait(100);
  expect(result.current).toBe('q=jazz');
});

test('a filter applies immediately, with the current words', () => {
  const { result, rerender } = show();
  rerender('q=jazz');
  rerender('q=jazz&free=1');
  expect(result.current).toBe('q=jazz&free=1');
});

test('clearing the words applies immediately', async () => {
  const { result, rerender } = show();
  rerender('q=jazz');
  await wait(200);
  rerender('');
  expect(result.current).toBe('');
});
