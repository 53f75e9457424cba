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

/** A page whose code is not on the device. */
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

test('a page that is not kept says without a network that there is none, and is not taken for a fault', async () => {
  network(false);
  await openMissing();
  expect(screen.getByRole('heading', { name: 'There is no network' })).toBeTruthy();
  expect(screen.queryByText(/broke down/)).toBeNull();
  expect(reports).toEqual([]);
  // Nobody is told that there is none when there is.
  act(() => network(true));
  expect(screen.getByRole('heading', { name: 'This page could not be loaded' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
});

test('code that is not there though there is a network is said so, and reported', async () => {
  network(true);
  await openMissing();
  expect(screen.getByRole('heading', { name: 'This page could not be loaded' })).toBeTruthy();
  expect(reports).toHaveLength(1);
});

test('a page that fails without a network broke down', () => {
  network(false);
  const Broken = () => {
    throw new TypeError('x is undefined');
  };
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This page broke down' })).toBeTruthy();
});
