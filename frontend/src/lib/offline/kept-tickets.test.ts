import { waitFor } from '@testing-library/react';
import type { MyTicket } from '@beltway/contracts/ticketing/tickets';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { orderFixture, ticketFixture } from '../../testing/orders.ts';
import { keepTickets, keptTickets, myTicketsQuery, refreshKeptTickets } from './kept-tickets.ts';
import { createQueryClient } from '../http/query.ts';
import { expireSession, KEPT_TICKETS_KEY, sessionStore, TOKEN_KEY, USER_KEY } from '../storage/session-store.ts';
import { logout } from '../session/session.ts';

const ANN = 3;
const ben = sessionFixture({ id: 4, name: 'Ben', email: 'ben@example.com' });
const { event } = orderFixture();
const mine = (at: number, ticket: Partial<MyTicket['ticket']> = {}, of: Partial<MyTicket['event']> = {}): MyTicket => ({
  ticket: ticketFixture(at, ticket),
  event: { ...event, ...of },
});
const stored = () => localStorage.getItem(KEPT_TICKETS_KEY);
const DAY = 86_400_000;

beforeEach(() => sessionStore.set(sessionFixture()));
afterEach(() => vi.unstubAllGlobals());

test('keeps codes and what is on them, and no address of a person', () => {
  keepTickets(ANN, [mine(1)], 1_000);
  expect(keptTickets(1_000)).toMatchObject({ asOf: 1_000, tickets: [{ ticket: { qrCode: 'signed-1' }, event }] });
  expect(stored()).not.toContain('ann@example.com');
});

test('the last answer takes the place of the one before: what was transferred or returned is gone', () => {
  keepTickets(ANN, [mine(1), mine(2)]);
  keepTickets(ANN, [mine(2, { status: 'refunded', qrCode: null })]);
  expect(keptTickets()?.tickets.map(({ ticket }) => [ticket.ticketCode, ticket.status, ticket.qrCode])).toEqual([
    ['CODE-2', 'refunded', null],
  ]);
  keepTickets(ANN, []);
  expect(keptTickets()?.tickets).toEqual([]);
});

test('signing out takes them away, also when the server cannot be reached', async () => {
  keepTickets(ANN, [mine(1)]);
  fakeApi({ 'POST /api/auth/logout': () => Promise.reject(new TypeError('Failed to fetch')) });
  await logout();
  expect(stored()).toBeNull();
});

test('a session that ends by itself takes them away', () => {
  keepTickets(ANN, [mine(1)]);
  expireSession();
  expect(stored()).toBeNull();
});

test('when another account signs in, they are gone before it sees anything', () => {
  keepTickets(ANN, [mine(1)]);
  sessionStore.set(ben);
  expect(stored()).toBeNull();
  expect(keptTickets()).toBeNull();
});

test('the same account with a new token keeps them', () => {
  keepTickets(ANN, [mine(1)]);
  sessionStore.set({ ...sessionFixture(), token: 'token-2' });
  expect(keptTickets()?.tickets).toHaveLength(1);
});

test('another tab signs out: they go here too', () => {
  keepTickets(ANN, [mine(1)]);
  localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(Object.assign(new Event('storage'), { key: TOKEN_KEY }));
  expect(stored()).toBeNull();
});

test('a browser that was ended between two accounts leaves nothing when it starts again', async () => {
  keepTickets(ANN, [mine(1)]);
  localStorage.setItem(USER_KEY, JSON.stringify(ben.user));
  // Another address: the module is loaded anew, as on a new page.
  const anew = '../storage/session-store.ts?new-page';
  const fresh = (await import(/* @vite-ignore */ anew)) as { sessionStore: typeof sessionStore };
  expect(fresh.sessionStore.get().user?.id).toBe(ben.user.id);
  expect(stored()).toBeNull();
});

test('an answer that comes after signing out is not kept', async () => {
  let say: (tickets: MyTicket[]) => void = () => undefined;
  fakeApi({ 'GET /api/tickets/my-tickets': () => new Promise((resolve) => (say = resolve)) });
  const asked = refreshKeptTickets();
  await waitFor(() => expect(say.length).toBe(1));
  sessionStore.clear();
  say([mine(1)]);
  await asked;
  expect(stored()).toBeNull();
});

test.each(['in this tab', 'in another tab'])(
  'an answer to Ann that comes when Ben has signed in %s is nobody’s',
  async (where) => {
    let say: (tickets: MyTicket[]) => void = () => undefined;
    fakeApi({ 'GET /api/tickets/my-tickets': () => new Promise((resolve) => (say = resolve)) });
    const asked = createQueryClient().fetchQuery(myTicketsQuery());
    await waitFor(() => expect(say.length).toBe(1));
    if (where === 'in this tab') sessionStore.set(ben);
    // Another tab wrote it, and its event is still on the way.
    else localStorage.setItem(USER_KEY, JSON.stringify(ben.user));
    say([mine(1)]);
    await asked;
    expect(stored()).toBeNull();
  },
);

test('at most a hundred are kept, the soonest first, and none of what is over', () => {
  const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  const many = Array.from({ length: 150 }, (_, n) => mine(n, { ticketCode: `CODE-${n}` }, { eventDate: at(200 - n) }));
  keepTickets(ANN, [...many, mine(1, { ticketCode: 'OVER' }, { eventDate: at(-3) })]);
  const kept = keptTickets()!.tickets;
  expect(kept).toHaveLength(100);
  expect(kept[0]!.ticket.ticketCode).toBe('CODE-149');
  expect(stored()).not.toContain('OVER');
  expect(stored()!.length).toBeLessThan(200_000);
});

test('after thirty days they are not shown any more', () => {
  keepTickets(ANN, [mine(1)], 1_000);
  expect(keptTickets(1_000 + 30 * DAY)).not.toBeNull();
  expect(keptTickets(1_001 + 30 * DAY)).toBeNull();
});

test('what somebody wrote there by hand, or an older Beltway, is no ticket', () => {
  for (const text of ['{', 'null', '[]', '{"userId":3}', '{"userId":3,"asOf":1,"tickets":[{"ticket":1}]}']) {
    localStorage.setItem(KEPT_TICKETS_KEY, text);
    expect(keptTickets(1)).toBeNull();
  }
});

test('a full storage keeps none rather than old ones', () => {
  const kept = new Map(Object.entries({ ...localStorage }));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem(key: string, value: string) {
      if (value.includes('CODE-2')) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
  });
  keepTickets(ANN, [mine(1)]);
  expect(stored()).toContain('CODE-1');
  keepTickets(ANN, [mine(2)]);
  expect(stored()).toBeNull();
});

test('in the background they are asked for once an hour, and a refusal ends no session', async () => {
  const calls = fakeApi({ 'GET /api/tickets/my-tickets': () => problem(401, 'unauthorized') });
  await refreshKeptTickets();
  expect(sessionStore.get().token).toBe('token-1');
  keepTickets(ANN, [mine(1)]);
  await refreshKeptTickets();
  expect(calls).toHaveLength(1);
  await refreshKeptTickets({ evenIfFresh: true });
  expect(calls).toHaveLength(2);
  keepTickets(ANN, [mine(1)], Date.now() - 2 * 3_600_000);
  await refreshKeptTickets();
  expect(calls).toHaveLength(3);
});

test('nobody asks while nobody is signed in', async () => {
  sessionStore.clear();
  const calls = fakeApi({});
  await refreshKeptTickets();
  expect(calls).toEqual([]);
});
