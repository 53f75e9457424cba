import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Session } from '@beltway/contracts/identity/accounts';
import { describe, expect, test, vi } from 'vitest';
import { expireSession, sessionStore } from '../lib/storage/session-store.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { sessionFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const api = { 'GET /api/events': [], 'GET /api/events/featured': [], 'GET /api/live-streams': [] };
const open = (role: Session['user']['role'] | null, path = '/terms') => {
  if (role) sessionStore.set(sessionFixture({ role }));
  fakeApi(api);
  renderAt(path);
};
const namesIn = (element: HTMLElement) =>
  [...element.querySelectorAll('a, button')].map(({ textContent }) => textContent);

describe('the bar at the bottom', () => {
  const bar = () => screen.getByRole('navigation', { name: 'Bottom' });
  test('has Home, Discover, Sell Tickets, Live, My Tickets and Profile', () => {
    open(null);
    expect(namesIn(bar())).toEqual(['Home', 'Discover', 'Sell Tickets', 'Live', 'My Tickets', 'Profile']);
  });
  test('Discover opens the home page and focuses the search box', async () => {
    open(null);
    await userEvent.click(within(bar()).getByRole('button', { name: 'Discover' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Quick search' })));
  });
  test.each(['/terms', '/?q=jazz'])(
    'Live leads from %s to the live streams, or to a note that there are none',
    async (path) => {
      open(null, path);
      await userEvent.click(within(bar()).getByRole('button', { name: 'Live' }));
      const none = await screen.findByRole('heading', { name: 'No live streams right now' });
      await waitFor(() => expect(document.activeElement?.contains(none)).toBe(true));
      expect(screen.getByTestId('address').textContent).toBe('/');
    },
  );
  test('Sell Tickets requires a sign-in', async () => {
    open(null);
    await userEvent.click(within(bar()).getByRole('button', { name: 'Sell Tickets' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fterms%23launch'));
  });
  test.each([
    ['user', ['Saved', 'Account', 'Sign out']],
    ['business', ['Saved', 'Dashboard', 'Admin Revenue', 'Account', 'Sign out']],
    ['admin', ['Saved', 'Dashboard', 'Admin Revenue', 'Account', 'Sign out']],
  ] as const)('Profile of a %s has %s', async (role, names) => {
    open(role);
    await userEvent.click(within(bar()).getByRole('button', { name: 'Profile' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(names);
  });
});

describe('the menu that slides in', () => {
  test.each([
    [null, ['Feed', 'My Tickets', 'Saved', 'Community', 'Launch My Event', 'Contact Us', 'Sign in']],
    ['user', ['Feed', 'My Tickets', 'Saved', 'Community', 'Launch My Event', 'Contact Us', 'Account', 'Sign Out']],
    [
      'business',
      [
        'Feed',
        'My Tickets',
        'Saved',
        'Community',
        'Dashboard',
        'Admin Revenue',
        'Launch My Event',
        'Contact Us',
        'Account',
        'Sign Out',
      ],
    ],
    [
      'admin',
      [
        'Feed',
        'My Tickets',
        'Saved',
        'Community',
        'Dashboard',
        'Admin Revenue',
        'Launch My Event',
        'Contact messages',
        'Reported comments',
        'Ads',
        'Contact Us',
        'Account',
        'Sign Out',
      ],
    ],
  ] as const)('of %s has %s', async (role, names) => {
    open(role, '/terms#menu');
    expect(namesIn(await screen.findByRole('navigation', { name: 'Menu' }))).toEqual(names);
  });
  test.each(['user', 'business'] as const)('of a %s that launched an event has Your events', async (role) => {
    sessionStore.set(sessionFixture({ role }));
    fakeApi({ ...api, 'GET /api/me/organizer': { events: 1 } });
    renderAt('/terms#menu');
    const menu = within(await screen.findByRole('navigation', { name: 'Menu' }));
    expect((await menu.findByRole('link', { name: 'Your events' })).getAttribute('href')).toBe('/dashboard');
  });
  test('Contact Us opens the form in place of the menu', async () => {
    open(null, '/terms#menu');
    const menu = within(await screen.findByRole('navigation', { name: 'Menu' }));
    await userEvent.click(menu.getByRole('button', { name: 'Contact Us' }));
    expect(await screen.findByRole('dialog', { name: 'Contact Us' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
  });
});

describe('the header', () => {
  const header = async () => within(await screen.findByRole('navigation', { name: 'Main' }));
  const launched = (events: number, role: Session['user']['role']) => {
    sessionStore.set(sessionFixture({ role }));
    fakeApi({ ...api, 'GET /api/me/organizer': { events } });
    renderAt('/terms');
  };
  test('has Your events once the account has launched one', async () => {
    launched(1, 'user');
    expect((await (await header()).findByRole('link', { name: 'Your events' })).getAttribute('href')).toBe(
      '/dashboard',
    );
  });
  test('no longer has Your events after the session has ended in place', async () => {
    launched(1, 'user');
    await (await header()).findByRole('link', { name: 'Your events' });
    act(() => expireSession({ redirect: false }));
    expect((await header()).queryByRole('link', { name: 'Your events' })).toBeNull();
    expect(screen.getByTestId('address').textContent).toBe('/terms');
  });
  test('does not have Your events before the first launch', async () => {
    launched(0, 'user');
    await header();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Your events' })).toBeNull());
  });
  test('of business accounts has the Dashboard instead of Your events', async () => {
    launched(1, 'business');
    expect(await screen.findByRole('button', { name: 'Dashboard' })).toBeTruthy();
    expect((await header()).queryByRole('link', { name: 'Your events' })).toBeNull();
  });
});
