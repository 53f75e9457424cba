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

test('says that there is no network, and takes it back', async () => {
  fakeApi({});
  renderAt('/privacy');
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByText(/^You are offline/)).toBeNull();
  network(false);
  expect(screen.getByText(/^You are offline/).closest('[role=status]')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Your tickets/ })).toBeNull();
  network(true);
  expect(screen.queryByText(/^You are offline/)).toBeNull();
});

test('leads who is signed in to the tickets, but not from there', async () => {
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
