import type { MyTicket } from '@beltway/contracts/ticketing/tickets';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepTickets } from '../../lib/offline/kept-tickets.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { orderFixture, ticketFixture } from '../../testing/orders.ts';
import { renderAt } from '../../testing/render.tsx';

beforeEach(() => sessionStore.set(sessionFixture()));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const MINE = 'GET /api/tickets/my-tickets';
const OTHER = '7f1f9d0e-52c7-4a5b-9a53-0d6f0a7c1b11';
const { event } = orderFixture();
const mine = (at: number, ticket: Partial<MyTicket['ticket']> = {}, of: Partial<MyTicket['event']> = {}): MyTicket => ({
  ticket: ticketFixture(at, ticket),
  event: { ...event, ...of },
});
const open = (tickets: unknown) => {
  const calls = fakeApi({ [MINE]: tickets, 'GET /api/events': [], 'GET /api/events/featured': [] });
  renderAt('/my-tickets');
  return calls;
};

test('a signed-out visitor signs in first', async () => {
  sessionStore.clear();
  open([]);
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fmy-tickets'));
});

test('without tickets the page shows an empty state', async () => {
  open([]);
  expect(await screen.findByRole('heading', { name: 'No Tickets Yet' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Find something for tonight' }).getAttribute('href')).toBe('/');
});

test('a ticket shows its code, holder, type, price and status', async () => {
  open([mine(1)]);
  const card = within(await screen.findByRole('article', { name: 'Ticket 1 of 1' }));
  for (const words of ['CODE-1', 'Ann Buyer', 'general', '$25.00', '07/02/2030, 11:30 AM', 'Pending'])
    expect(card.getByText(words)).toBeTruthy();
  expect(card.getByText('Pending').parentElement?.textContent).toBe('Pending · valid for entry');
  expect(await card.findByRole('img', { name: 'QR code of ticket CODE-1' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Go-Go on the Roof' })).toBeTruthy();
  expect(screen.getByText('U Street, Washington, DC')).toBeTruthy();
});

test('an order shows its time, its place with a map link, and its number', async () => {
  // Noon in New York: the event is today and has not begun.
  vi.useFakeTimers({ now: Date.parse('2029-07-03T16:00:00.000Z'), toFake: ['Date'] });
  open([mine(1, {}, { eventDate: '2029-07-03T04:00:00.000Z', eventStartTime: '18:00', eventEndTime: null })]);
  expect(await screen.findByText('Today, 6 PM')).toBeTruthy();
  expect(screen.getByText('Order 4F7K-2M9Q')).toBeTruthy();
  const place = screen.getByRole('link', { name: /^U Street, Washington, DC/ });
  expect(new URL(place.getAttribute('href')!).searchParams.get('query')).toBe('U Street, Washington, DC');
});

test.each([1, 2, 10])(
  'a code is large enough to scan in an order of %i, and names its event when enlarged',
  async (count) => {
    open(Array.from({ length: count }, (_, at) => mine(at + 1, { id: `00000000-0000-4000-8000-00000000010${at}` })));
    const codes = await screen.findAllByRole('img', { name: /^QR code of ticket/ });
    expect(codes).toHaveLength(count);
    // 208 px (Tailwind's 52 steps of 4 px), if the card is wide enough.
    for (const code of codes)
      expect([...code.classList]).toEqual(expect.arrayContaining(['w-52', 'aspect-square', 'max-w-full']));
    await userEvent.click(screen.getAllByRole('button', { name: /Larger/ })[0]!);
    const dialog = within(await screen.findByRole('dialog', { name: `Ticket 1 of ${count}` }));
    expect(dialog.getByText('Go-Go on the Roof')).toBeTruthy();
  },
);

test('a ticket of a past event is not called valid', async () => {
  open([mine(1, {}, { eventDate: '2020-01-10T05:00:00.000Z' })]);
  const card = within(await screen.findByRole('article', { name: 'Ticket 1 of 1' }));
  expect(card.getByText('Pending').parentElement?.textContent).toBe('Pending');
});

test('a checked-in ticket shows the time', async () => {
  open([mine(1, { isCheckedIn: true, checkedInAt: '2030-07-12T23:45:00.000Z' })]);
  const card = within(await screen.findByRole('article', { name: 'Ticket 1 of 1' }));
  expect(card.getByText('Checked In')).toBeTruthy();
  expect(card.getByText('07/12/2030, 7:45 PM')).toBeTruthy();
  expect(card.queryByText('Pending')).toBeNull();
});

test('a refunded ticket has no code to show', async () => {
  open([mine(1, { status: 'refunded', qrCode: null })]);
  expect(await screen.findByText('Refunded')).toBeTruthy();
  expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Larger/ })).toBeNull();
});

test('void orders have their own section, refunded or not', async () => {
  const void_ = (n: number, status: MyTicket['ticket']['status'], of: Partial<MyTicket['event']> = {}) =>
    mine(n, { orderId: OTHER.replace('7f', `${n}f`), status, qrCode: null }, { id: n, title: `Void ${n}`, ...of });
  open([
    void_(1, 'canceled', { status: 'canceled' }),
    void_(2, 'refunding', { eventDate: '2031-07-12T04:00:00.000Z' }),
    void_(3, 'refunded', { eventDate: '2020-07-12T04:00:00.000Z' }),
    mine(4),
  ]);
  const section = within(await screen.findByRole('region', { name: 'Canceled and refunded' }));
  expect(section.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Void 2',
    'Void 1',
    'Void 3',
  ]);
  for (const words of ['Event canceled', 'Refund requested', 'Refunded']) expect(section.getByText(words)).toBeTruthy();
  expect(section.queryByRole('button', { name: /Tickets as PDF|Larger|Add to calendar/ })).toBeNull();
  expect(section.getAllByRole('button', { name: 'Remove from calendar' })).toHaveLength(2);
  const upcoming = within(screen.getByRole('region', { name: 'Upcoming' }));
  expect(upcoming.getAllByRole('heading', { level: 3 })).toHaveLength(1);
  expect(screen.queryByRole('region', { name: 'Past' })).toBeNull();
});

test('tickets are grouped by order, the soonest event first, and past events below', async () => {
  open([
    mine(1, { orderId: OTHER }, { id: 9, title: 'Last Winter', eventDate: '2020-01-10T05:00:00.000Z' }),
    mine(2, { orderId: OTHER.replace('7f', '8f') }, { id: 8, title: 'Later', eventDate: '2031-07-12T04:00:00.000Z' }),
    mine(3),
    mine(4),
  ]);
  await screen.findByRole('heading', { name: 'Later' });
  const headings = within(screen.getByRole('main'))
    .getAllByRole('heading')
    .map(({ textContent }) => textContent);
  expect(headings).toEqual(['My Tickets', 'Upcoming', 'Go-Go on the Roof', 'Later', 'Past', 'Last Winter']);
  expect(screen.getByRole('article', { name: 'Ticket 2 of 2' })).toBeTruthy();
});

test('an order of ten shows all its tickets', async () => {
  open(Array.from({ length: 10 }, (_, at) => mine(at + 1, { id: `00000000-0000-4000-8000-00000000010${at}` })));
  expect(await screen.findAllByRole('article')).toHaveLength(10);
});

test('an unreachable server can be retried', async () => {
  let asked = 0;
  open(() => (asked++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : [mine(1)]));
  expect(await screen.findByText('Back in a moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Ticket 1 of 1' })).toBeTruthy();
});

const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));

test('without a network stored tickets open with their codes and their age', async () => {
  keepTickets(sessionFixture().user.id, [mine(1), mine(2)], Date.parse('2029-07-02T15:30:00.000Z'));
  vi.useFakeTimers({ now: Date.parse('2029-07-03T15:30:00.000Z'), toFake: ['Date'] });
  try {
    let isBack = false;
    open(() => (isBack ? [mine(2)] : noNetwork()));
    expect(await screen.findByText('As of 07/02/2029, 11:30 AM')).toBeTruthy();
    expect(await screen.findAllByRole('img', { name: /^QR code of ticket/ })).toHaveLength(2);
    // Actions that need the server are hidden.
    expect(screen.queryByRole('button', { name: 'Tickets as PDF' })).toBeNull();
    await userEvent.click(screen.getAllByRole('button', { name: /Larger/ })[0]!);
    expect(await screen.findByRole('dialog', { name: 'Ticket 1 of 2' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');

    isBack = true;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article', { name: 'Ticket 1 of 1' })).toBeTruthy();
    expect(screen.queryByText(/^As of/)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('a stored void ticket has no code without a network either', async () => {
  keepTickets(sessionFixture().user.id, [mine(1, { status: 'refunded', qrCode: null })]);
  open(noNetwork);
  expect(await screen.findByText('Refunded')).toBeTruthy();
  expect(screen.getByText(/^As of/)).toBeTruthy();
  expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull();
});

test('a refusal by the server is shown instead of stored tickets', async () => {
  keepTickets(sessionFixture().user.id, [mine(1)]);
  open(() => problem(403, 'forbidden', { detail: 'This account is closed.' }));
  expect(await screen.findByText('This account is closed.')).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
});

test('without a network and stored tickets the page shows an error', async () => {
  open(noNetwork);
  expect(await screen.findByText(/^We can’t reach Beltway/)).toBeTruthy();
});

test('tickets of a postponed event stay valid, are listed after events with a date, and can be removed from the calendar', async () => {
  const off = { status: 'postponed', eventDate: '2020-01-10T05:00:00.000Z', title: 'No Date Yet', id: 9 } as const;
  open([mine(1, { orderId: OTHER }, off), mine(2)]);
  const upcoming = within(await screen.findByRole('region', { name: 'Upcoming' }));
  expect(upcoming.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Go-Go on the Roof',
    'No Date Yet',
  ]);
  expect(upcoming.getByText('Postponed, new date to be announced')).toBeTruthy();
  expect(upcoming.getByText(/^Your tickets stay valid for the new date/)).toBeTruthy();
  expect(upcoming.getAllByRole('img', { name: /^QR code/ })).toHaveLength(2);
  expect(upcoming.getByRole('button', { name: 'Remove from calendar' })).toBeTruthy();
});

test('a page of an older release shows a ticket with an unknown status, and the other tickets as usual', async () => {
  const later = { ...mine(2), ticket: { ...ticketFixture(2), status: 'transferred', qrCode: null } };
  open([mine(1), later]);
  const cards = await screen.findAllByRole('article');
  expect(cards.map((card) => within(card).queryByText('Unknown: reload this page') !== null)).toEqual([false, true]);
  expect(await within(cards[0]!).findByRole('img', { name: 'QR code of ticket CODE-1' })).toBeTruthy();
  expect(within(cards[1]!).queryByRole('img')).toBeNull();
  expect(within(cards[1]!).getByText('CODE-2')).toBeTruthy();
});
