import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lazily } from '../lib/loading/lazily.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { ErrorBoundary } from './error-boundary.tsx';

let reports: unknown[];
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  reports = fakeApi({ 'POST /api/client-errors': '' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function network(isThere: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isThere);
  window.dispatchEvent(new Event(isThere ? 'online' : 'offline'));
}

/** Opens a page whose code cannot be loaded. */
async function openMissing(): Promise<void> {
  const load = (): Promise<() => null> => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const Page = lazily(load);
  render(
    <ErrorBoundary>
      <Suspense>
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );
  await act(() => vi.advanceTimersByTimeAsync(10_000));
}

test('an uncached page without a network shows that the network is missing, and reports no error', async () => {
  network(false);
  await openMissing();
  expect(screen.getByRole('heading', { name: 'No connection' })).toBeTruthy();
  expect(screen.queryByText(/Something went wrong/)).toBeNull();
  expect(reports).toEqual([]);
  // The message changes when the network returns.
  act(() => network(true));
  expect(screen.getByRole('heading', { name: 'Couldn’t load this page' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
});

test('code that cannot be loaded despite a network shows an error and is reported', async () => {
  network(true);
  await openMissing();
  expect(screen.getByRole('heading', { name: 'Couldn’t load this page' })).toBeTruthy();
  expect(reports).toHaveLength(1);
});

test('a page that throws without a network shows the crash page', () => {
  network(false);
  const Broken = () => {
    throw new TypeError('x is undefined');
  };
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'Something went wrong on this page' })).toBeTruthy();
});
