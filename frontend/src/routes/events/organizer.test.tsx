import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expireSession, sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
beforeEach(() => {
  sessionStore.clear();
  sessionStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

const HOSTILE = `</script><img src=x onerror=alert(1)> "Ann" & 'Söhne' مرحبا 🎷`;
const organizer = { id: 12, name: 'Wharf Nights', followers: 3 };
const events = {
  upcoming: [eventFixture({ userId: 12 })],
  upcomingCount: 130,
  past: [eventFixture({ id: 8, title: 'Long ago', userId: 12, eventDate: '2020-01-01T05:00:00.000Z' })],
  pastCount: 1,
};
/** A fake server that stores whether one reader follows the organizer. */
function server({ refuse = false } = {}) {
  let follows = false;
  const state = () => ({ following: follows, followers: organizer.followers + Number(follows) });
  const write = (next: boolean) => () => {
    if (refuse) return problem(503, 'unavailable', { detail: 'Back in a moment.' });
    follows = next;
    return state();
  };
  return fakeApi({
    'GET /api/organizers/12': () => ({ ...organizer, followers: state().followers }),
    'GET /api/organizers/12/events': events,
    'PUT /api/organizers/12/follow': write(true),
    'DELETE /api/organizers/12/follow': write(false),
    'GET /api/me/following': () => ({
      organizers: follows ? [{ id: 12, name: organizer.name }] : [],
      upcoming: follows ? events.upcoming : [],
    }),
    'POST /api/auth/login': sessionFixture(),
  });
}
const writes = (calls: FakeCall[]) => calls.filter(({ method }) => method === 'PUT' || method === 'DELETE');
const button = () => screen.findByRole('button', { name: 'Follow Wharf Nights' });

test('shows name, followers, upcoming and past events', async () => {
  server();
  renderAt('/organizer/12');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Wharf Nights');
  expect(screen.getByText('3 followers')).toBeTruthy();
  const upcoming = within(await screen.findByRole('region', { name: 'Upcoming' }));
  expect(upcoming.getByRole('link', { name: 'Go-Go on the Roof' })).toBeTruthy();
  expect(upcoming.getByText('The next 1 of 130 events.')).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'Past' })).getByText('Long ago')).toBeTruthy();
});

test('shows words, links, picture and cover, and the next show in a large card', async () => {
  fakeApi({
    'GET /api/organizers/12': {
      ...organizer,
      ...{ about: 'Concerts on the water.', links: ['https://www.wharf.test/shows/'] },
      ...{ pictureUrl: '/media/images/round-large.webp', coverUrl: '/media/images/wide-large.webp' },
    },
    'GET /api/organizers/12/events': events,
  });
  renderAt('/organizer/12');
  expect(await screen.findByText('Concerts on the water.')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'wharf.test/shows' });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://www.wharf.test/shows/',
    'noopener noreferrer nofollow ugc',
  ]);
  const sources = [...document.querySelectorAll('header img')].map((image) => image.getAttribute('src'));
  expect(sources).toEqual(['/media/images/wide-large.webp', '/media/images/round-large.webp']);
  const next = within(await screen.findByRole('article', { name: 'Go-Go on the Roof' }));
  expect(next.getByText('Next show')).toBeTruthy();
  expect(next.getByRole('link', { name: /^Buy Tickets/ })).toBeTruthy();
});

test('the organizer edits the profile; an invalid link gets an error at its field', async () => {
  sessionStore.set(sessionFixture({ id: 12 }));
  let profile: object = {};
  const calls = fakeApi({
    'GET /api/organizers/12': () => ({ ...organizer, ...profile }),
    'GET /api/organizers/12/events': events,
    'PUT /api/me/organizer': ({ body }: FakeCall) => ({ ...organizer, ...(profile = body as object) }),
  });
  renderAt('/organizer/12');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit your page' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit your page' }));
  await userEvent.type(dialog.getByLabelText(/^About you/), 'We play on Fridays.');
  await userEvent.type(dialog.getByLabelText(/^Links/), 'wharf');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/web address/)).toBeTruthy();
  await userEvent.clear(dialog.getByLabelText(/^Links/));
  await userEvent.type(dialog.getByLabelText(/^Links/), 'https://wharf.test');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText('We play on Fridays.')).toBeTruthy();
  expect(writes(calls)[0]?.body).toEqual({
    ...{ about: 'We play on Fridays.', links: ['https://wharf.test/'], pictureUrl: null, coverUrl: null },
  });
});

test('other accounts have no button to edit the profile', async () => {
  sessionStore.set(sessionFixture());
  server();
  renderAt('/organizer/12');
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('button', { name: 'Edit your page' })).toBeNull();
});

test('a hostile name is shown as plain text', async () => {
  fakeApi({ 'GET /api/organizers/12': { ...organizer, name: HOSTILE }, 'GET /api/organizers/12/events': events });
  renderAt('/organizer/12');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(HOSTILE);
  expect(document.querySelector('h1 img')).toBeNull();
});

test.each(['/organizer/13', '/organizer/x'])('%s is not found', async (path) => {
  server();
  renderAt(path);
  expect(await screen.findByRole('heading', { name: 'Organizer not found' })).toBeTruthy();
});

test('an unreachable server can be retried', async () => {
  let asked = 0;
  fakeApi({
    'GET /api/organizers/12': () =>
      asked++ === 0 ? problem(503, 'unavailable', { detail: 'In a moment.' }) : organizer,
    'GET /api/organizers/12/events': events,
  });
  renderAt('/organizer/12');
  expect(await screen.findByText('In a moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Wharf Nights');
});

describe('following', () => {
  test('changes the count immediately, and unfollowing too', async () => {
    sessionStore.set(sessionFixture());
    const calls = server();
    renderAt('/organizer/12');
    const follow = await button();
    expect(follow.getAttribute('aria-pressed')).toBe('false');
    await waitFor(() => expect((follow as HTMLButtonElement).disabled).toBe(false));
    await userEvent.click(follow);
    expect(await screen.findByText('4 followers')).toBeTruthy();
    expect((await button()).getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(await button());
    expect(await screen.findByText('3 followers')).toBeTruthy();
    expect(writes(calls).map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
  });

  test('is undone when the server refuses', async () => {
    sessionStore.set(sessionFixture());
    server({ refuse: true });
    renderAt('/organizer/12');
    const follow = await button();
    await waitFor(() => expect((follow as HTMLButtonElement).disabled).toBe(false));
    await userEvent.click(follow);
    expect(await screen.findByText('Back in a moment.')).toBeTruthy();
    expect((await button()).getAttribute('aria-pressed')).toBe('false');
    expect(screen.getByText('3 followers')).toBeTruthy();
  });

  test('is not shown after the session has ended in place', async () => {
    sessionStore.set(sessionFixture());
    const calls = server();
    renderAt('/organizer/12');
    const follow = await button();
    await waitFor(() => expect((follow as HTMLButtonElement).disabled).toBe(false));
    await userEvent.click(follow);
    await waitFor(() => expect(writes(calls)).toHaveLength(1));
    await waitFor(async () => expect((await button()).getAttribute('aria-pressed')).toBe('true'));
    act(() => expireSession({ redirect: false }));
    expect((await button()).getAttribute('aria-pressed')).toBe('false');
  });

  test('signed out: signs in first, then follows once', async () => {
    const calls = server();
    const { navigate } = renderAt('/organizer/12');
    await userEvent.click(await button());
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Forganizer%2F12'));
    sessionStore.set(sessionFixture());
    expect(await screen.findByText('4 followers')).toBeTruthy();
    expect(writes(calls)).toHaveLength(1);
    navigate('/following');
    navigate('/organizer/12');
    await button();
    expect(writes(calls)).toHaveLength(1);
  });

  test('a visit alone does not follow, even if the URL requests it', async () => {
    sessionStore.set(sessionFixture());
    const calls = server();
    renderAt('/organizer/12?follow=1#follow');
    await button();
    expect(writes(calls)).toEqual([]);
  });

  test('has no button on the organizer’s own page', async () => {
    sessionStore.set(sessionFixture({ id: 12 }));
    server();
    renderAt('/organizer/12');
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull();
  });

  test('/following lists followed organizers and their next events', async () => {
    sessionStore.set(sessionFixture());
    server();
    const { navigate } = renderAt('/following');
    expect(await screen.findByText('You’re not following anyone yet')).toBeTruthy();
    navigate('/organizer/12');
    const follow = await button();
    await waitFor(() => expect((follow as HTMLButtonElement).disabled).toBe(false));
    await userEvent.click(follow);
    await screen.findByText('4 followers');
    navigate('/following');
    expect(
      within(await screen.findByRole('region', { name: 'Coming up' })).getByText('Go-Go on the Roof'),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Wharf Nights' }).getAttribute('href')).toBe('/organizer/12');
  });
});
