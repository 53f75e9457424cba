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

test('stores codes and ticket details, but no email address', () => {
  keepTickets(ANN, [mine(1)], 1_000);
  expect(keptTickets(1_000)).toMatchObject({ asOf: 1_000, tickets: [{ ticket: { qrCode: 'signed-1' }, event }] });
  expect(stored()).not.toContain('ann@example.com');
});

test('the latest response replaces the stored tickets, so transferred and refunded tickets disappear', () => {
  keepTickets(ANN, [mine(1), mine(2)]);
  keepTickets(ANN, [mine(2, { status: 'refunded', qrCode: null })]);
  expect(keptTickets()?.tickets.map(({ ticket }) => [ticket.ticketCode, ticket.status, ticket.qrCode])).toEqual([
    ['CODE-2', 'refunded', null],
  ]);
  keepTickets(ANN, []);
  expect(keptTickets()?.tickets).toEqual([]);
});

test('signing out deletes the stored tickets, even if the server is unreachable', async () => {
  keepTickets(ANN, [mine(1)]);
  fakeApi({ 'POST /api/auth/logout': () => Promise.reject(new TypeError('Failed to fetch')) });
  await logout();
  expect(stored()).toBeNull();
});

test('an expired session deletes the stored tickets', () => {
  keepTickets(ANN, [mine(1)]);
  expireSession();
  expect(stored()).toBeNull();
});

test('when another account signs in, the stored tickets are deleted before that account sees anything', () => {
  keepTickets(ANN, [mine(1)]);
  sessionStore.set(ben);
  expect(stored()).toBeNull();
  expect(keptTickets()).toBeNull();
});

test('a new token of the same account keeps the stored tickets', () => {
  keepTickets(ANN, [mine(1)]);
  sessionStore.set({ ...sessionFixture(), token: 'token-2' });
  expect(keptTickets()?.tickets).toHaveLength(1);
});

test('signing out in another tab deletes the stored tickets', () => {
  keepTickets(ANN, [mine(1)]);
  localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(Object.assign(new Event('storage'), { key: TOKEN_KEY }));
  expect(stored()).toBeNull();
});

test('a browser that was killed between two accounts deletes the stored tickets at the next start', async () => {
  keepTickets(ANN, [mine(1)]);
  localStorage.setItem(USER_KEY, JSON.stringify(ben.user));
  // A different specifier loads the module again, like a new page load.
  const anew = '../storage/session-store.ts?new-page';
  const fresh = (await import(/* @vite-ignore */ anew)) as { sessionStore: typeof sessionStore };
  expect(fresh.sessionStore.get().user?.id).toBe(ben.user.id);
  expect(stored()).toBeNull();
});

test('a response that arrives after signing out is not stored', async () => {
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
  'a response for Ann that arrives after Ben signed in %s is not stored',
  async (where) => {
    let say: (tickets: MyTicket[]) => void = () => undefined;
    fakeApi({ 'GET /api/tickets/my-tickets': () => new Promise((resolve) => (say = resolve)) });
    const asked = createQueryClient().fetchQuery(myTicketsQuery());
    await waitFor(() => expect(say.length).toBe(1));
    if (where === 'in this tab') sessionStore.set(ben);
    // Another tab has signed in, and its storage event is still pending.
    else localStorage.setItem(USER_KEY, JSON.stringify(ben.user));
    say([mine(1)]);
    await asked;
    expect(stored()).toBeNull();
  },
);

test('stores at most a hundred tickets, the soonest events first, and no tickets of past events', () => {
  const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  const many = Array.from({ length: 150 }, (_, n) => mine(n, { ticketCode: `CODE-${n}` }, { eventDate: at(200 - n) }));
  keepTickets(ANN, [...many, mine(1, { ticketCode: 'OVER' }, { eventDate: at(-3) })]);
  const kept = keptTickets()!.tickets;
  expect(kept).toHaveLength(100);
  expect(kept[0]!.ticket.ticketCode).toBe('CODE-149');
  expect(stored()).not.toContain('OVER');
  expect(stored()!.length).toBeLessThan(200_000);
});

test('stored tickets are not shown after thirty days', () => {
  keepTickets(ANN, [mine(1)], 1_000);
  expect(keptTickets(1_000 + 30 * DAY)).not.toBeNull();
  expect(keptTickets(1_001 + 30 * DAY)).toBeNull();
});

test('invalid data, written by hand or by an older release, is ignored', () => {
  for (const text of ['{', 'null', '[]', '{"userId":3}', '{"userId":3,"asOf":1,"tickets":[{"ticket":1}]}']) {
    localStorage.setItem(KEPT_TICKETS_KEY, text);
    expect(keptTickets(1)).toBeNull();
  }
});

test('if the storage is full, stale tickets are deleted', () => {
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

test('tickets are refreshed in the background once an hour, and a refusal does not end the session', async () => {
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

test('nothing is requested while signed out', async () => {
  sessionStore.clear();
  const calls = fakeApi({});
  await refreshKeptTickets();
  expect(calls).toEqual([]);
});
