import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../lib/storage/session-store.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { sessionFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const network = (isThere: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isThere);
  act(() => void window.dispatchEvent(new Event(isThere ? 'online' : 'offline')));
};

test('appears without a network, and disappears when the network is back', async () => {
  fakeApi({});
  renderAt('/privacy');
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByText(/^You’re offline/)).toBeNull();
  network(false);
  expect(screen.getByText(/^You’re offline/).closest('[role=status]')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Your tickets/ })).toBeNull();
  network(true);
  expect(screen.queryByText(/^You’re offline/)).toBeNull();
});

test('links signed-in users to their tickets, except on that page', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ 'GET /api/tickets/my-tickets': [] });
  const { navigate } = renderAt('/privacy');
  await screen.findByRole('heading', { level: 1 });
  network(false);
  expect(screen.getByRole('link', { name: /^Your tickets/ }).getAttribute('href')).toBe('/my-tickets');
  act(() => navigate('/my-tickets'));
  await screen.findByRole('heading', { name: 'No Tickets Yet' });
  expect(screen.queryByRole('link', { name: /^Your tickets/ })).toBeNull();
});
