import type { Challenge } from '@beltway/contracts/identity/challenges';
import { act, screen, within } from '@testing-library/react';
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
  vi.useFakeTimers({ now: new Date('2026-11-25T17:00:00Z'), toFake: ['Date'] });
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const CHALLENGES = 'GET /api/challenges';
const challenge = (change: Partial<Challenge>): Challenge => ({
  ...{
    id: '2026-11-22-town',
    title: 'A night in Bethesda, MD',
    description: 'Attend an event in Bethesda, MD this week',
  },
  ...{ type: 'town', place: 'Bethesda, MD', reward: 30, maxProgress: 1, places: 20, placesLeft: 3, isActive: true },
  ...{ expiresAt: '2026-11-29T05:00:00.000Z', createdAt: '2026-11-22T05:00:00.000Z' },
  own: { progress: 0, isRewarded: false },
  ...change,
});
const twoEvents = challenge({
  ...{ id: '2026-11-22-two-events', type: 'two-events', place: null, reward: 50, maxProgress: 2 },
  ...{ places: null, placesLeft: null, own: { progress: 1, isRewarded: false } },
});
const page = (items: Challenge[], nextCursor: string | null = null) => ({ items, nextCursor });
const card = async (name: string) => within(await screen.findByRole('article', { name }));

test('lists challenges with progress, time and rewards left, page by page', async () => {
  fakeApi({
    [CHALLENGES]: page([twoEvents, challenge({})], 'next'),
    [`${CHALLENGES}?cursor=next`]: page([
      challenge({
        ...{ id: '2026-11-15-photo', type: 'photo', place: null, reward: 15, places: null, placesLeft: null },
        ...{ isActive: false, own: { progress: 1, isRewarded: true } },
      }),
    ]),
  });
  renderAt('/community');
  const nav = within(await screen.findByRole('navigation', { name: 'Community' }));
  await userEvent.click(nav.getByRole('link', { name: 'Challenges' }));
  const two = await card('Two nights out');
  const bar = two.getByRole('progressbar', { name: 'Progress of Two nights out' });
  expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['1', '2']);
  for (const text of ['+50 points', '1 of 2', 'Attend two events this week']) expect(two.getByText(text)).toBeTruthy();
  expect(two.getByText(/^Until .*Nov 29/)).toBeTruthy();
  expect(two.queryByText(/spots left/)).toBeNull();
  expect((await card('A night in Bethesda, MD')).getByText('3 of 20 spots left')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Your points' }).getAttribute('href')).toBe('/u/3');
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  const photo = await card('Show how it was');
  for (const text of ['Over', 'Done! Points added.']) expect(photo.getByText(text)).toBeTruthy();
});

test('an open page shows when a challenge ends', async () => {
  fakeApi({ [CHALLENGES]: page([challenge({})]) });
  renderAt('/community/challenges');
  expect((await card('A night in Bethesda, MD')).getByText(/^Until/)).toBeTruthy();
  vi.setSystemTime(new Date('2026-11-29T05:00:00Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect((await card('A night in Bethesda, MD')).getByText('Over')).toBeTruthy();
});

test('shows when a challenge was completed too late for a reward, and when no rewards are left', async () => {
  const late = { id: '2026-11-15-town', place: 'Rockville, MD', placesLeft: 0 };
  fakeApi({
    [CHALLENGES]: page([
      challenge({ placesLeft: 0, own: { progress: 1, isRewarded: false } }),
      challenge(late),
      challenge({ ...late, id: '2026-11-08-town', place: 'Arlington, VA', own: { progress: 1, isRewarded: true } }),
    ]),
  });
  renderAt('/community/challenges');
  expect((await card('A night in Bethesda, MD')).getByText(/^You did it, but all spots were taken/)).toBeTruthy();
  expect((await card('A night in Rockville, MD')).getByText('All spots are taken')).toBeTruthy();
  // A winner does not see that no rewards are left.
  expect((await card('A night in Arlington, VA')).queryByText('All spots are taken')).toBeNull();
});

test('a signed-out visitor sees no progress; errors and an empty list are shown', async () => {
  sessionStore.clear();
  let turn = 0;
  fakeApi({
    [CHALLENGES]: () => [problem(500, 'broken'), page([])][turn++] ?? page([challenge({ own: null })]),
  });
  const { unmount } = renderAt('/community/challenges');
  expect(await screen.findByText('Couldn’t load challenges')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No challenges yet')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign in to see your progress' }).getAttribute('href')).toBe(
    '/auth?next=%2Fcommunity%2Fchallenges',
  );
  unmount();
  renderAt('/community/challenges');
  expect((await card('A night in Bethesda, MD')).queryByRole('progressbar')).toBeNull();
});
