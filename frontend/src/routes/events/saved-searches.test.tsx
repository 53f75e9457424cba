import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SavedSearch } from '@beltway/contracts/catalog/saved-searches';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => sessionStore.set(sessionFixture({ role: 'user' })));
afterEach(() => vi.restoreAllMocks());

const SAVE = 'POST /api/me/saved-searches';
const LIST = 'GET /api/me/saved-searches';
const home = {
  'GET /api/events': fakeEvents([eventFixture({ id: 1, title: 'Jazz Night' })]),
  'GET /api/events/featured': [],
  'GET /api/tickets/stats': { totalTicketsSold: 0, totalRevenue: 0, totalEvents: 0 },
};
const jazz: SavedSearch = {
  id: 7,
  name: 'Jazz nearby',
  search: { q: 'this weekend jazz', near: 'Shaw' },
  savedAt: '2026-11-20T12:00:00.000Z',
};
const button = (name: string) => screen.findByRole('button', { name });
const bodies = (calls: ReturnType<typeof fakeApi>, method: string) =>
  calls.filter((call) => call.method === method && call.path.startsWith('/api/me/saved')).map(({ body }) => body);

describe('Save this search', () => {
  test('is offered only while a search is active', async () => {
    fakeApi(home);
    renderAt('/');
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search events' }), 'jazz');
    await button('Save this search');
    await userEvent.click(await button('Clear all'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save this search' })).toBeNull());
  });

  test('proposes a name, saves the current search, and confirms it', async () => {
    const calls = fakeApi({ ...home, [SAVE]: () => ({ ...jazz, name: 'Jazz' }) });
    renderAt('/?q=jazz&when=weekend&near=Shaw&radius=5');
    await userEvent.click(await button('Save this search'));
    const dialog = await screen.findByRole('dialog', { name: 'Save this search' });
    const name = within(dialog).getByLabelText<HTMLInputElement>('Name');
    expect(name.value).toBe('jazz, This weekend, Within 5 miles of Shaw');
    await userEvent.clear(name);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save search' }));
    expect(await within(dialog).findByText('Enter a name for the search')).toBeTruthy();
    expect(document.activeElement).toBe(name);
    await userEvent.type(name, 'Jazz{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Save this search' })).toBeNull());
    expect(await screen.findByText('Search saved')).toBeTruthy();
    expect(bodies(calls, 'POST')).toEqual([
      { name: 'Jazz', search: { q: 'this weekend jazz', near: 'Shaw', radius: '5' } },
    ]);
  });

  test('shows the name of an identical saved search', async () => {
    fakeApi({ ...home, [SAVE]: () => jazz });
    renderAt('/?q=jazz');
    await userEvent.click(await button('Save this search'));
    await userEvent.click(await button('Save search'));
    expect(await screen.findByText('You already saved this search as ‘Jazz nearby’')).toBeTruthy();
  });

  test('shows the limit when it is reached, and keeps the input', async () => {
    const detail = 'You have 20 saved searches, which is as many as we keep.';
    fakeApi({ ...home, [SAVE]: () => problem(409, 'too-many-saved-searches', { detail }) });
    renderAt('/?q=jazz');
    await userEvent.click(await button('Save this search'));
    await userEvent.click(await button('Save search'));
    expect((await screen.findByRole('alert')).textContent).toContain('20 saved searches');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('jazz');
  });

  test('leads a signed-out visitor to sign in and back to the dialog', async () => {
    sessionStore.clear();
    fakeApi(home);
    renderAt('/?q=jazz');
    await userEvent.click(await button('Save this search'));
    await waitFor(() => expect(window.location.pathname).toBe('/auth'));
    expect(new URLSearchParams(window.location.search).get('next')).toBe('/?q=jazz#save-search');
  });
});

describe('saved searches in the account', () => {
  test('each link to the home page with the search', async () => {
    fakeApi({ [LIST]: { items: [jazz, { ...jazz, id: 8, name: 'By a program', search: { organizer: '5' } }] } });
    renderAt('/account');
    const link = await screen.findByRole('link', { name: 'Jazz nearby' });
    expect(link.getAttribute('href')).toBe('/?q=jazz&when=weekend&near=Shaw');
    expect(screen.getByText('‘jazz’ · This weekend · Within 10 miles of Shaw')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'By a program' })).toBeNull();
    expect(screen.getByText('organizer: 5')).toBeTruthy();
  });

  test('get the focus if the URL names them, as the link of the toast does', async () => {
    fakeApi({ [LIST]: { items: [jazz] } });
    renderAt('/account#saved-searches');
    await waitFor(() => expect(document.activeElement?.id).toBe('saved-searches-title'));
  });

  test('are renamed', async () => {
    const calls = fakeApi({
      [LIST]: { items: [jazz] },
      'PATCH /api/me/saved-searches/7': () => ({ ...jazz, name: 'Jazz' }),
    });
    renderAt('/account');
    await userEvent.click(await button('Rename Jazz nearby'));
    const name = await screen.findByLabelText('Name');
    await userEvent.clear(name);
    await userEvent.type(name, 'Jazz{Enter}');
    expect(await screen.findByRole('link', { name: 'Jazz' })).toBeTruthy();
    expect(bodies(calls, 'PATCH')).toEqual([{ name: 'Jazz' }]);
  });

  test('are deleted; the focus stays with the list', async () => {
    const calls = fakeApi({ [LIST]: { items: [jazz] }, 'DELETE /api/me/saved-searches/7': () => undefined });
    renderAt('/account');
    await userEvent.click(await button('Delete Jazz nearby'));
    expect(await screen.findByText(/None yet\./)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Saved searches' }));
    expect(bodies(calls, 'DELETE')).toHaveLength(1);
  });

  test('stay when the deletion fails', async () => {
    fakeApi({ [LIST]: { items: [jazz] }, 'DELETE /api/me/saved-searches/7': () => problem(503, 'unavailable') });
    renderAt('/account');
    await userEvent.click(await button('Delete Jazz nearby'));
    expect(await screen.findByText('Not deleted')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Jazz nearby' })).toBeTruthy();
  });

  test('that cannot be loaded show an error with a retry', async () => {
    let isAway = true;
    fakeApi({ [LIST]: () => (isAway ? problem(503, 'unavailable') : { items: [] }) });
    renderAt('/account');
    const section = await screen.findByRole('region', { name: 'Saved searches' });
    const again = await within(section).findByRole('button', { name: /try again|retry/i });
    isAway = false;
    await userEvent.click(again);
    expect(await within(section).findByText(/None yet\./)).toBeTruthy();
  });
});
