import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retry } from './retry.ts';
import { lazily } from './lazily.ts';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const failing = (times: number) => {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= times) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>here it is</p>;
  });
  return load;
};

test('code that could not be loaded is retried and then shown', async () => {
  const load = failing(2);
  const Late = lazily(load);
  render(
    <Suspense>
      <Late />
    </Suspense>,
  );
  await vi.advanceTimersByTimeAsync(1_300);
  expect(await screen.findByText('here it is')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(3);
});

test('loading fails after four tries', async () => {
  const load = failing(4);
  const fault = expect(retry(load)).rejects.toThrow('Failed to fetch');
  await vi.advanceTimersByTimeAsync(10_000);
  await fault;
  expect(load).toHaveBeenCalledTimes(4);
});

test('if code cannot be loaded, the fallback is shown, and the rest of the page stays', async () => {
  const Late = lazily(failing(99), () => <p>not here</p>);
  render(
    <Suspense>
      <h1>Around</h1>
      <Late />
    </Suspense>,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await screen.findByText('not here')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Around' })).toBeTruthy();
});
