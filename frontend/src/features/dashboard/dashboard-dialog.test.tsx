import type { EventSales } from '@beltway/contracts/ticketing/tickets';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { DashboardDialog } from './dashboard-dialog.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
const onClose = vi.fn();
const onLaunch = vi.fn();
beforeEach(() => sessionStore.set(sessionFixture({ id: 3, role: 'business' })));
afterEach(() => {
  vi.unstubAllGlobals();
  onClose.mockClear();
  onLaunch.mockClear();
});

const SALES = 'GET /api/tickets/sales';
const sold = (eventId: number, tickets: number, revenue: number): EventSales => ({
  ...{ eventId, orders: 1, tickets, revenue },
  ...{ fee: revenue * 0.05, share: Math.round(revenue * 95) / 100 },
});
const show = (events: unknown, sales: unknown = []) => {
  const calls = fakeApi({ 'GET /api/users/3/events': events, [SALES]: sales });
  renderAt('/', <DashboardDialog onClose={onClose} onLaunch={onLaunch} />);
  return calls;
};
const made = (day: number, changes = {}) =>
  eventFixture({ id: day, title: `Event ${day}`, createdAt: `2030-07-0${day}T12:00:00.000Z`, ...changes });

test('counts all events and shows the three most recent; the sums are the money paid, not today’s price', async () => {
  show(
    [
      made(2),
      made(5, { soldTickets: 0, ticketPrice: '10.50' }),
      made(1, { hasTickets: false, ticketPrice: null, totalTickets: null, soldTickets: 0 }),
      made(4, { status: 'canceled', soldTickets: 0 }),
      made(3, { soldTickets: 8, ticketPrice: '12.50' }),
    ],
    [sold(2, 42, 1000), sold(3, 8, 90.1)],
  );
  const figure = async (name: string) => (await screen.findByText(name)).nextSibling?.textContent;
  await waitFor(async () => expect(await figure('Ticket sales')).toBe('$1,090.10'));
  expect(await figure('Events')).toBe('5');
  expect(await figure('Tickets sold')).toBe('50');
  expect(await figure('Your share, 95%')).toBe('$1,035.60');
  expect(screen.getByText(/Your share is sales minus our 5% fee/)).toBeTruthy();
  const events = screen.getAllByRole('article');
  expect(events.map((item) => within(item).getByText(/^Event \d$/).textContent)).toEqual([
    'Event 5',
    'Event 4',
    'Event 3',
  ]);
  expect(within(events[1] as HTMLElement).getByText('Canceled')).toBeTruthy();
  expect(within(events[2] as HTMLElement).getByText('8 of 100 sold')).toBeTruthy();
  expect(within(events[2] as HTMLElement).getByText('92 left · $90.10')).toBeTruthy();
});

test('views and engagement are counted for each event and in total', async () => {
  const counts = { likes: 56, comments: 3, interested: 12, going: 8, shares: 1, views: 1234 };
  show([made(1, { counts }), made(2, { counts: { ...counts, views: 1 } }), made(3)]);
  const figure = async (name: string) => (await screen.findByText(name)).nextSibling?.textContent;
  expect(await figure('Engagement')).toBe('160');
  const [sums, ...each] = screen.getAllByText('Views').map(({ nextSibling }) => nextSibling?.textContent);
  expect(sums).toBe('1,235');
  // An event without views shows no count of views.
  expect(each).toEqual(['1', '1,234']);
  const [first] = screen.getAllByRole('article').slice(-1);
  const shown = ['Likes', 'Comments', 'Interested', 'Going', 'Shares'].map(
    (name) => within(first!).getByText(name).nextSibling?.textContent,
  );
  expect(shown).toEqual(['56', '3', '12', '8', '1']);
});

test('the organizer of a promoted event sees its impressions and its share of the slot', async () => {
  show([made(1, { promotionShown: [{ place: 'premium', impressions: 1_234, ofPlace: 4_936 }] }), made(2)]);
  const seen = await screen.findByText('Views at the top of Happening Now');
  expect(seen.nextSibling?.textContent).toBe('1,234 (25% of all views there)');
  expect(screen.queryByText('Views in featured events')).toBeNull();
});

test('sums that cannot be loaded are left out, not shown as zero', async () => {
  show([made(1)], () => problem(503, 'unavailable'));
  expect(await screen.findByText(/Couldn’t load the totals/)).toBeTruthy();
  expect((await screen.findByText('Ticket sales')).nextSibling?.textContent).toBe('–');
});

test.each([
  ['Attendees of Event 1', '/dashboard/events/1'],
  ['All your events (1)', '/dashboard'],
])('a link opens its page and closes the dialog: %s', async (name, path) => {
  show([made(1)]);
  await userEvent.click(await screen.findByRole('link', { name }));
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path));
});

test('an event’s link opens it and closes the dialog', async () => {
  show([made(1)]);
  await userEvent.click(await screen.findByRole('link', { name: 'Event 1' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.getByTestId('address').textContent).toBe('/event/1');
});

test('an account without events sees a message and can launch an event', async () => {
  show([]);
  expect(await screen.findByRole('heading', { name: 'No events yet' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Launch My Event' }));
  expect(onLaunch).toHaveBeenCalledOnce();
});

test('a request can be retried after the server was unreachable', async () => {
  let asked = 0;
  show(() => (asked++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : [made(1)]));
  expect(await screen.findByText('Back in a moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Event 1')).toBeTruthy();
});
