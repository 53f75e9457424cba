import type { LeaderboardPage } from '@beltway/contracts/identity/points';
import { screen, within } from '@testing-library/react';
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

const BOARD = 'GET /api/leaderboard';
const row = (rank: number, userId: number, name: string, points: number) => ({
  ...{ rank, userId, name, points, level: 2 },
});
const page = (change: Partial<LeaderboardPage> = {}): LeaderboardPage => ({
  ...{ items: [], nextCursor: null, own: null },
  ...change,
});
const rows = async () => {
  const list = await screen.findByRole('list', { name: 'Leaderboard' });
  return within(list).getAllByRole('listitem');
};

test('lists public profiles page by page, and marks the user’s own row', async () => {
  fakeApi({
    [`${BOARD}?period=week`]: page({
      items: [row(1, 9, 'Bob', 60), row(2, 3, 'Ann', 40)],
      nextCursor: 'next',
      own: { rank: 2, points: 40 },
    }),
    [`${BOARD}?period=week&cursor=next`]: page({ items: [row(3, 10, 'Cid', 1)] }),
  });
  renderAt('/community/leaderboard');
  const [bob, ann] = await rows();
  expect(bob!.textContent).toBe('1Bob60 pointsLevel 2');
  expect(within(bob!).getByRole('link').getAttribute('href')).toBe('/u/9');
  expect(ann!.textContent).toBe('2AnnYou40 pointsLevel 2');
  expect([bob, ann].map((one) => one!.getAttribute('aria-current'))).toEqual([null, 'true']);
  expect(screen.getByText('You’re number 2 with 40 points.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Your profile' }).getAttribute('href')).toBe('/u/3');
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Cid')).toBeTruthy();
  expect((await rows()).at(-1)!.textContent).toBe('3Cid1 pointLevel 2');
});

test('period and place are in the URL; a place is requested by its full name', async () => {
  fakeApi({
    [`${BOARD}?period=week`]: page({ own: { rank: null, points: 0 } }),
    [`${BOARD}?period=all`]: page({ items: [row(1, 9, 'Bob', 160)], own: { rank: null, points: 20 } }),
    [`${BOARD}?period=all&place=Bethesda%2C+MD`]: page({ items: [row(1, 10, 'Cid', 20)] }),
  });
  renderAt('/community');
  const nav = within(await screen.findByRole('navigation', { name: 'Community' }));
  await userEvent.click(nav.getByRole('link', { name: 'Leaderboard' }));
  expect(await screen.findByText('No one here yet')).toBeTruthy();
  expect(screen.getByText('You don’t have points here yet.')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Time'), 'All time');
  expect((await rows())[0]!.textContent).toBe('1Bob160 pointsLevel 2');
  expect(screen.getByText('You have 20 points here. Others can’t see you.')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Location'), 'Bethesda');
  expect(await screen.findByText('Cid')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/community/leaderboard?period=all&place=bethesda-md');
});

test('a signed-out visitor can read it; a loading error can be retried', async () => {
  sessionStore.clear();
  let isBroken = true;
  fakeApi({ [BOARD]: () => (isBroken ? problem(500, 'broken') : page({ items: [row(1, 9, 'Bob', 60)] })) });
  renderAt('/community/leaderboard');
  expect(await screen.findByText('Couldn’t load leaders')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await rows()).toHaveLength(1);
  expect(screen.queryByRole('link', { name: 'Your profile' })).toBeNull();
});

test('all badges are listed with their requirements, with a link to the user’s own badges', async () => {
  const requirement = { measure: 'places', count: 5 };
  const explorer = { id: 'five-places', name: 'Explorer', description: 'Attend events in 5 places', icon: 'map' };
  fakeApi({ 'GET /api/badges': { items: [{ ...explorer, rarity: 'rare', requirement }], nextCursor: null } });
  renderAt('/community/badges');
  const card = within(await screen.findByRole('article', { name: 'Explorer' }));
  for (const text of ['Rare', 'Attend events in 5 places']) expect(card.getByText(text)).toBeTruthy();
  expect(card.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('link', { name: 'Your badges' }).getAttribute('href')).toBe('/u/3');
});
