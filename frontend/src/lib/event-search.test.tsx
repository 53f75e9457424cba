import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSettled } from './event-search.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const show = () => renderHook((address: string) => useSettled(new URLSearchParams(address)), { initialProps: '' });
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('what is typed in one go is asked for once', () => {
  const { result, rerender } = show();
  const seen = new Set<string>();
  for (const q of ['j', 'ja', 'jaz', 'jazz']) {
    rerender(`q=${q}`);
    seen.add(result.current);
    wait(100);
  }
  expect([...seen]).toEqual(['']);
  wait(100);
  expect(result.current).toBe('q=jazz');
});

test('a filter is asked for at once, with the words as they are', () => {
  const { result, rerender } = show();
  rerender('q=jazz');
  rerender('q=jazz&free=1');
  expect(result.current).toBe('q=jazz&free=1');
});

test('words that are cleared are gone at once', () => {
  const { result, rerender } = show();
  rerender('q=jazz');
  wait(200);
  rerender('');
  expect(result.current).toBe('');
});
