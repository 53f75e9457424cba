import type { UserBadge, UserStats } from '@beltway/contracts/identity/points';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => {
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.unstubAllGlobals());

const stats = (change: Partial<UserStats> = {}): UserStats => ({
  ...{ userId: 3, name: 'Ann', totalPoints: 125, level: 2, levelFrom: 100, nextLevelAt: 300 },
  ...{ eventsAttended: 6, photosShared: 1, connectionsMade: 2, streak: 1, weeklyPoints: 20, isVisible: false },
  referralCode: 'K7Q29XWZ',
  ...change,
});
const badge = (id: string, change: Partial<UserBadge> = {}): UserBadge => ({
  ...{ id, name: id, description: `Earn ${id}`, icon: 'ticket', rarity: 'common' as const },
  ...{ requirement: { measure: 'eventsAttended' as const, count: 25 }, progress: 6, unlockedAt: null },
  ...change,
});
const entry = (eventId: number, reason: string, change = {}) => ({
  ...{ kind: 'attended', points: 20, reason, eventId, day: '2026-11-21', at: '2026-11-22T05:00:00.000Z' },
  ...{ basis: 'ticket-held', takenBack: null },
  ...change,
});
const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

test('users see their points with reasons, the progress to the next level, and badges', async () => {
  fakeApi({
    'GET /api/users/3/stats': stats(),
    'GET /api/users/3/badges': {
      items: [
        badge('Regular', { rarity: 'epic', progress: 25, unlockedAt: '2026-11-22T17:00:00.000Z' }),
        badge('Local legend', { rarity: 'legendary' }),
      ],
      nextCursor: null,
    },
    'GET /api/users/3/points': { items: [entry(41, 'Attended Go-Go on the Roof')], nextCursor: 'next' },
    'GET /api/users/3/points?cursor=next': {
      items: [entry(42, 'Shared a photo of Stoop Sale', { kind: 'photo', points: 5, basis: null })],
      nextCursor: null,
    },
  });
  renderAt('/u/3');
  expect(await screen.findByRole('heading', { level: 1, name: 'Ann' })).toBeTruthy();
  expect(screen.getByText('Only you can see this profile.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Posts' }).getAttribute('href')).toBe('/community?author=3');
  const level = within(screen.getByRole('region', { name: 'Level' }));
  for (const text of ['Level 2', '125 points', '175 more to level 3']) expect(level.getByText(text)).toBeTruthy();
  const bar = level.getByRole('progressbar', { name: 'Progress to level 3' });
  expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['25', '200']);
  const figures = ['Points this week', 'Streak', 'Events attended', 'Photos shared', 'Connections made'].map(figure);
  expect(figures).toEqual(['20', '1 week', '6', '1', '2']);

  const regular = within(await screen.findByRole('article', { name: 'Regular' }));
  for (const text of ['Epic', 'Earn Regular', 'Unlocked 11/22/2026']) expect(regular.getByText(text)).toBeTruthy();
  expect(regular.queryByRole('progressbar')).toBeNull();
  const legend = within(screen.getByRole('article', { name: 'Local legend' }));
  for (const text of ['Legendary', '6 of 25']) expect(legend.getByText(text)).toBeTruthy();

  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByRole('link', { name: 'Shared a photo of Stoop Sale' });
  const rows = within(screen.getByRole('list', { name: 'Points' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    '+20Attended Go-Go on the Roof11/21/2026 · counted because you kept your ticket',
    '+5Shared a photo of Stoop Sale11/21/2026',
  ]);
  expect(within(rows[0]!).getByRole('link').getAttribute('href')).toBe('/event/41');
});

test('withdrawn points are struck through, with date and reason', async () => {
  const at = '2026-11-24T17:00:00.000Z';
  fakeApi({
    'GET /api/users/3/stats': stats(),
    'GET /api/users/3/badges': { items: [], nextCursor: null },
    'GET /api/users/3/points': {
      items: [
        entry(41, 'Attended Go-Go on the Roof', { takenBack: { at, why: 'refunded' } }),
        entry(42, 'Attended Stoop Sale'),
        {
          ...entry(43, 'Challenge: Two nights out', { kind: 'challenge', points: 50, basis: null }),
          ...{ eventId: null, takenBack: { at, why: 'not-met' } },
        },
      ],
      nextCursor: null,
    },
  });
  renderAt('/u/3');
  const rows = within(await screen.findByRole('list', { name: 'Points' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    '+20Attended Go-Go on the Roof11/21/2026Taken back 11/24/2026: the tickets were refunded',
    '+20Attended Stoop Sale11/21/2026 · counted because you kept your ticket',
    '+50Challenge: Two nights out11/21/2026Taken back 11/24/2026: you no longer meet it, or someone earlier got your spot',
  ]);
  const struck = rows.map((row) =>
    within(row)
      .queryAllByRole('deletion')
      .map(({ textContent }) => textContent),
  );
  expect(struck).toEqual([['+20', 'Attended Go-Go on the Roof'], [], ['+50', 'Challenge: Two nights out']]);
});

test('a profile can be made public; a refusal is shown and the switch stays off', async () => {
  let isBroken = true;
  const calls = fakeApi({
    'GET /api/users/3/stats': stats(),
    'GET /api/users/3/badges': { items: [], nextCursor: null },
    'GET /api/users/3/points': { items: [], nextCursor: null },
    'PATCH /api/users/me/engagement': () => (isBroken ? problem(500, 'broken') : { isVisible: true }),
  });
  renderAt('/u/3');
  expect(await screen.findByText(/^No points yet/)).toBeTruthy();
  const toggle = screen.getByRole('switch', { name: 'Show my profile' });
  await userEvent.click(toggle);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(toggle.getAttribute('aria-checked')).toBe('false');
  isBroken = false;
  await userEvent.click(toggle);
  expect(await screen.findByText('Your profile is public.')).toBeTruthy();
  expect(toggle.getAttribute('aria-checked')).toBe('true');
  expect(screen.getByText('Others can see this profile.')).toBeTruthy();
  const sent = calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(sent).toEqual([{ isVisible: true }, { isVisible: true }]);
});

test('another person’s public profile shows neither reasons nor the switch', async () => {
  const calls = fakeApi({
    'GET /api/users/9/stats': stats({ userId: 9, name: 'Bob', isVisible: true }),
    'GET /api/users/9/badges': { items: [badge('Regular')], nextCursor: null },
  });
  renderAt('/u/9');
  expect(await screen.findByRole('article', { name: 'Regular' })).toBeTruthy();
  expect(screen.queryByRole('switch')).toBeNull();
  expect(calls.some(({ path }) => path.endsWith('/points'))).toBe(false);
  await waitFor(() => expect(document.title).toContain('Bob'));
});

test('profiles of people met offer to connect; others do not', async () => {
  let isAsked = false;
  const met = { userId: 9, name: 'Bob', isVisible: true, eventId: 41, eventTitle: 'Go-Go', day: '2026-11-21' };
  const now = () => ({ ...met, state: isAsked ? 'asked' : 'none', at: null });
  const profile = {
    'GET /api/users/9/stats': stats({ userId: 9, name: 'Bob', isVisible: true }),
    'GET /api/users/9/badges': { items: [badge('Regular')], nextCursor: null },
  };
  fakeApi({
    ...profile,
    'GET /api/connections/9': now,
    'PUT /api/connections/9': () => {
      isAsked = true;
      return now();
    },
  });
  const { unmount } = renderAt('/u/9');
  await userEvent.click(await screen.findByRole('button', { name: 'Connect with Bob' }));
  expect(await screen.findByRole('button', { name: 'Withdraw your request to Bob' })).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('You sent Bob a request.'));
  unmount();
  const calls = fakeApi(profile);
  renderAt('/u/9');
  await screen.findByRole('article', { name: 'Regular' });
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/connections/9')).toBe(true));
  expect(screen.queryByRole('region', { name: 'Connections' })).toBeNull();
});

test.each(['/u/9', '/u/nobody'])('%s is shown as private, whether or not the account exists', async (path) => {
  sessionStore.clear();
  fakeApi({ 'GET /api/users/9/stats': problem(404, 'not-found') });
  renderAt(path);
  expect(await screen.findByRole('heading', { level: 1, name: 'This profile is private' })).toBeTruthy();
  const main = within(screen.getByRole('main'));
  const signIn = main.getByRole('link', { name: 'Sign in' });
  expect(signIn.getAttribute('href')).toBe(`/auth?next=${encodeURIComponent(path)}`);
});

test('shows a loading error with a retry', async () => {
  let isBroken = true;
  fakeApi({
    'GET /api/users/9/stats': () => (isBroken ? problem(500, 'broken') : stats({ userId: 9, name: 'Bob' })),
    'GET /api/users/9/badges': problem(500, 'broken'),
  });
  renderAt('/u/9');
  expect(await screen.findByText('Couldn’t load this profile')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Bob' })).toBeTruthy();
  expect(await screen.findByText('Couldn’t load the badges')).toBeTruthy();
});
