import type { Connection } from '@beltway/contracts/identity/connections';
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

const MET = 'GET /api/people-met';
const listOf = (state: string) => `GET /api/connections?state=${state}`;
const person = (userId: number, name: string, change: Partial<Connection> = {}): Connection => ({
  ...{ userId, name, isVisible: true, state: 'none', at: null },
  ...{ eventId: 41, eventTitle: 'Go-Go on the Roof', day: '2026-11-21' },
  ...change,
});
const page = (...items: Connection[]) => ({ items, nextCursor: null as string | null });
const nobody = {
  [listOf('asks-you')]: page(),
  [listOf('asked')]: page(),
  [listOf('connected')]: page(),
  [MET]: page(),
};
const rows = (title: string) =>
  within(screen.getByRole('list', { name: title }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const sent = (calls: ReturnType<typeof fakeApi>) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

test('lists received requests, people met page by page, sent requests and connections', async () => {
  fakeApi({
    [listOf('asks-you')]: page(person(9, 'Bob', { state: 'asks-you', isVisible: false })),
    [MET]: { ...page(person(10, 'Cid')), nextCursor: '10' },
    'GET /api/people-met?cursor=10': page(person(8, 'Eve', { eventTitle: '' })),
    [listOf('asked')]: page(person(11, 'Dee', { state: 'asked' })),
    [listOf('connected')]: page(person(12, 'Fay', { state: 'connected' })),
  });
  renderAt('/community/connections');
  const met = 'You were both at Go-Go on the Roof, 11/21/2026';
  await waitFor(() => expect(rows('Requests')).toEqual([`Bob${met}AcceptDecline`]));
  await waitFor(() => expect(rows('Your connections')).toEqual([`Fay${met}Remove`]));
  expect(rows('Sent requests')).toEqual([`Dee${met}Withdraw`]);
  await userEvent.click(screen.getByRole('button', { name: 'More people you met' }));
  await waitFor(() =>
    expect(rows('People you met')).toEqual([
      `Cid${met}Connect`,
      'EveYou were both at the same event, 11/21/2026Connect',
    ]),
  );
  expect(screen.getByRole('link', { name: 'Cid' }).getAttribute('href')).toBe('/u/10');
  // Bob's profile is private, so there is no link.
  expect(screen.queryByRole('link', { name: 'Bob' })).toBeNull();
});

test('connecting and accepting updates the lists and keeps the focus in the list', async () => {
  let [isAsked, isConnected] = [false, false];
  const calls = fakeApi({
    [listOf('asks-you')]: () => (isConnected ? page() : page(person(9, 'Bob', { state: 'asks-you' }))),
    [MET]: () => (isAsked ? page() : page(person(10, 'Cid'))),
    [listOf('asked')]: () => (isAsked ? page(person(10, 'Cid', { state: 'asked' })) : page()),
    [listOf('connected')]: () => (isConnected ? page(person(9, 'Bob', { state: 'connected' })) : page()),
    'PUT /api/connections/10': () => ((isAsked = true), person(10, 'Cid', { state: 'asked' })),
    'PUT /api/connections/9': () => ((isConnected = true), person(9, 'Bob', { state: 'connected' })),
  });
  renderAt('/community/connections');
  await userEvent.click(await screen.findByRole('button', { name: 'Connect with Cid' }));
  await screen.findByRole('list', { name: 'Sent requests' });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('People you met'));
  await userEvent.click(screen.getByRole('button', { name: 'Accept Bob' }));
  await waitFor(() => expect(rows('Your connections')).toHaveLength(1));
  expect(screen.getByText('No requests right now.')).toBeTruthy();
  expect(sent(calls)).toEqual(['PUT /api/connections/10', 'PUT /api/connections/9']);
});

test.each([
  ['asks-you', 'Decline Bob', 'Decline Bob?', 'Decline'],
  ['asked', 'Withdraw your request to Bob', 'Withdraw your request to Bob?', 'Withdraw'],
  ['connected', 'Remove Bob from your connections', 'Remove Bob from your connections?', 'Remove'],
] as const)('%s is undone after a confirmation, which shows a refusal', async (state, open, title, yes) => {
  let [isBroken, isGone] = [true, false];
  const calls = fakeApi({
    ...nobody,
    [listOf(state)]: () => (isGone ? page() : page(person(9, 'Bob', { state }))),
    'DELETE /api/connections/9': () => {
      if (isBroken) return problem(503, 'unavailable');
      isGone = true;
      return '';
    },
  });
  renderAt('/community/connections');
  await userEvent.click(await screen.findByRole('button', { name: open }));
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: 'Cancel' }),
  );
  expect(sent(calls)).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: open }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await userEvent.click(dialog.getByRole('button', { name: yes }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  isBroken = false;
  await userEvent.click(dialog.getByRole('button', { name: yes }));
  await waitFor(() => expect(screen.queryByRole('button', { name: open })).toBeNull());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refused request is shown, and a list that failed to load can be retried', async () => {
  let isBroken = true;
  fakeApi({
    ...nobody,
    [MET]: page(person(10, 'Cid')),
    [listOf('connected')]: () =>
      isBroken ? problem(503, 'unavailable') : page(person(9, 'Bob', { state: 'connected' })),
    'PUT /api/connections/10': problem(409, 'too-many-connections', { detail: 'You want 1000 people.' }),
  });
  renderAt('/community/connections');
  await userEvent.click(await screen.findByRole('button', { name: 'Connect with Cid' }));
  expect(await screen.findByText('You want 1000 people.')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(rows('Your connections')).toHaveLength(1));
});

test('a signed-out visitor signs in first', async () => {
  sessionStore.clear();
  fakeApi({});
  renderAt('/community/connections');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fcommunity%2Fconnections'));
});
