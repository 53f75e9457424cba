import type { MoneyAnalytics, PlatformRevenue } from '@beltway/contracts/payments/platform';
import { daysAfter } from '@beltway/contracts/common/times';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { waitingAd } from '../../testing/ads.ts';
import { fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
beforeEach(() => {
  sessionStore.set(sessionFixture({ id: 3, role: 'business' }));
  // Charts need a width, which happy-dom does not compute.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      say: (entries: Array<{ contentRect: { width: number } }>) => void;
      constructor(say: (entries: Array<{ contentRect: { width: number } }>) => void) {
        this.say = say;
      }
      observe = () => this.say([{ contentRect: { width: 600 } }]);
      disconnect = () => undefined;
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const revenue: PlatformRevenue = {
  ...{ totalRevenue: 1_250.5, monthlyRevenue: 300, todayRevenue: -25.5, totalTicketsSold: 1_042 },
  ...{ platformFee: 62.53, organizerShare: 1_187.97, platformSales: null },
};
const money = (count: number): MoneyAnalytics => ({
  days: Array.from({ length: count }, (_, at) => ({
    day: daysAfter('2030-06-01', at),
    revenue: at === 2 ? -25.5 : at * 10,
    payments: at,
  })),
  topEvents: [
    { eventId: 7, title: 'Go-Go Night', revenue: 900, payments: 30 },
    { eventId: 8, title: '', revenue: 350.5, payments: 12 },
  ],
  promotions: [{ level: 'featured', payments: 2, revenue: 59.98 }],
  ads: [{ packageId: 'banner-7d', payments: 1, revenue: 49.99 }],
});
const open = (answers: Record<string, unknown> = {}, path = '/admin') => {
  const calls = fakeApi({
    'GET /api/platform/revenue': revenue,
    'GET /api/platform/analytics/money': ({ path: asked }: FakeCall) => money(Number(asked.split('=')[1])),
    'GET /api/platform/analytics/orders': { holds: 400, paid: 100 },
    'GET /api/platform/analytics/views': { views: 2_000 },
    ...answers,
  });
  renderAt(path);
  return calls;
};
const figure = (name: string) => screen.getByText(name).nextSibling?.textContent;

test('shows the figures of the specification, with fee and share from the ledger', async () => {
  open();
  await screen.findByText('Total revenue');
  expect(['Total revenue', 'This month', 'Today', 'Tickets sold'].map(figure)).toEqual([
    '$1,250.50',
    '$300.00',
    '-$25.50',
    '1,042',
  ]);
  const shares = within(screen.getByRole('table', { name: 'Revenue split' }));
  expect(within(shares.getByRole('row', { name: /Platform fee \(5%\)/ })).getByText('$62.53')).toBeTruthy();
  expect(within(shares.getByRole('row', { name: /Organizer share \(95%\)/ })).getByText('$1,187.97')).toBeTruthy();
  expect(shares.queryByText(/Promotions, live streams and ads/)).toBeNull();
  expect(screen.getByText('Your events')).toBeTruthy();
});

test('a chart has a summary, and a table with all values', async () => {
  open();
  const chart = await screen.findByRole('img', { name: /^Revenue from Jun 1 to Jun 30: \$4,304\.50 total$/ });
  expect(chart.querySelectorAll('title')).toHaveLength(30);
  expect(chart.textContent).toContain('Jun 3: -$25.50, 2 paid');
  await userEvent.click(screen.getByText('View as table'));
  const table = within(screen.getByRole('table', { name: 'Revenue as a table' }));
  expect(table.getAllByRole('row')).toHaveLength(31);
  expect(within(table.getByRole('row', { name: /^Jun 3 / })).getByText('-$25.50')).toBeTruthy();
});

test('without sales the page shows an empty state instead of zeros', async () => {
  const none = { totalRevenue: 0, monthlyRevenue: 0, todayRevenue: 0, platformFee: 0, organizerShare: 0 };
  open({ 'GET /api/platform/revenue': { ...none, totalTicketsSold: 0, platformSales: null } });
  expect(await screen.findByRole('heading', { name: 'No revenue data available' })).toBeTruthy();
  expect(screen.queryByText('Total revenue')).toBeNull();
});

test('a loading error can be retried', async () => {
  let tries = 0;
  open({
    'GET /api/platform/revenue': () =>
      tries++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : revenue,
  });
  expect(await screen.findByText('Back in a moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('$1,250.50')).toBeTruthy();
});

test('the figures refresh every 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let totalRevenue = 1_250.5;
    const calls = open({ 'GET /api/platform/revenue': () => ({ ...revenue, totalRevenue }) });
    const asked = () => calls.filter(({ path }) => path === '/api/platform/revenue').length;
    expect(await screen.findByText('$1,250.50')).toBeTruthy();
    const before = asked();
    totalRevenue = 1_300;
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(asked()).toBe(before);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByText('$1,300.00')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('analytics: time series, best events, funnel from view to ticket, promotions and ads; the tab is in the URL', async () => {
  const calls = open();
  await userEvent.click(await screen.findByRole('tab', { name: 'Analytics' }));
  expect(screen.getByTestId('address').textContent).toBe('/admin?tab=analytics');
  expect(await screen.findByRole('link', { name: 'Go-Go Night' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Event 8' }).getAttribute('href')).toBe('/event/8');
  await screen.findByText('Views of events with tickets');
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(steps).toEqual(
    expect.arrayContaining([
      'Views of events with tickets2,000',
      'Orders started400 · 20% of previous step',
      'Orders paid100 · 25% of previous step',
    ]),
  );
  expect(screen.getByText('Featured promotion')).toBeTruthy();
  expect(screen.getByText('Ad: banner-7d')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Time'), 'The last year');
  await screen.findByRole('img', { name: /^Revenue from Jun 2030 to Jun 2031/ });
  expect(calls.some(({ path }) => path === '/api/platform/analytics/money?days=366')).toBe(true);
});

test('only admins request and see impressions and clicks of ads', async () => {
  const asked = (calls: FakeCall[]) => calls.some(({ path }) => path.startsWith('/api/platform/analytics/ads'));
  const reached = {
    packages: [
      { packageId: 'banner-7d', ads: 2, impressions: 12_000, clicks: 180 },
      { packageId: 'basic', ads: 1, impressions: 0, clicks: 0 },
    ],
  };
  const business = open({}, '/admin?tab=analytics');
  await screen.findByRole('link', { name: 'Go-Go Night' });
  expect(asked(business)).toBe(false);
  cleanup();
  sessionStore.set(sessionFixture({ id: 1, role: 'admin' }));
  const calls = open({ 'GET /api/platform/analytics/ads': reached }, '/admin?tab=analytics');
  const table = within(await screen.findByRole('table', { name: 'Ad impressions and clicks' }));
  const cells = (name: RegExp) =>
    within(table.getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells(/^banner-7d/)).toEqual(['2', '12,000', '180', '1.5%']);
  expect(cells(/^basic/)).toEqual(['1', '0', '0', '–']);
  expect(calls.some(({ path }) => path === '/api/platform/analytics/ads?days=30')).toBe(true);
});

test('one section of the analytics can fail alone', async () => {
  open({ 'GET /api/platform/analytics/views': () => problem(503, 'unavailable') }, '/admin?tab=analytics');
  expect(await screen.findByRole('heading', { name: 'Couldn’t load these numbers' })).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Go-Go Night' })).toBeTruthy();
});

test('payouts and banking have a tab with its own error', async () => {
  open({ 'GET /api/payouts': () => problem(503, 'unavailable') });
  await userEvent.click(await screen.findByRole('tab', { name: 'Payouts & Banking' }));
  expect(await screen.findByRole('heading', { name: 'Couldn’t load payouts' })).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/admin?tab=payouts');
});

test('customers have their own page', async () => {
  open({}, '/admin?tab=customers');
  expect((await screen.findByRole('link', { name: 'View Customers' })).getAttribute('href')).toBe('/customers');
});

test('business accounts see no links to admin pages', async () => {
  open();
  await screen.findByText('Total revenue');
  expect(screen.queryByRole('navigation', { name: 'For admins' })).toBeNull();
});
test('an admin sees the figures of the whole platform and the platform’s own sales', async () => {
  sessionStore.set(sessionFixture({ role: 'admin' }));
  open({ 'GET /api/platform/revenue': { ...revenue, platformSales: 109.97 } });
  const links = within(await screen.findByRole('navigation', { name: 'For admins' }));
  expect(links.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/moderation',
    '/reported-comments',
    '/admin/gallery',
    '/admin/top-picks',
    '/admin/ads',
    '/contact-messages',
    '/disputes',
    '/customers',
    '/admin/referrals',
    '/ops',
  ]);
  for (const name of ['Inbox', 'People', 'Operations', 'Money'])
    expect(screen.getByRole('heading', { level: 2, name })).toBeTruthy();
  expect(screen.getByText('All events')).toBeTruthy();
  expect(await screen.findByText('$109.97')).toBeTruthy();
});
test('the inbox and the menu show how much work waits; a first page that is full counts as “or more”', async () => {
  sessionStore.set(sessionFixture({ role: 'admin' }));
  const page = (items: unknown[], nextCursor: string | null = null) => ({ items, nextCursor });
  const message = { phone: null, comments: 'Hi', createdAt: '2030-07-01T12:00:00.000Z', answeredAt: null };
  const messageOf = (email: string) => ({ ...message, id: crypto.randomUUID(), email });
  const calls = open({
    'GET /api/moderation': page([]),
    'GET /api/comments/reported': page([]),
    'GET /api/gallery/moderation': page([]),
    'GET /api/gallery/verifications': { items: [] },
    'GET /api/top-picks/moderation': problem(503, 'unavailable'),
    'GET /api/admin/ads': page([waitingAd()], 'next'),
    'GET /api/contact-messages': page(['ann@example.test', 'bob@example.test'].map(messageOf)),
    'GET /api/platform/alerts': { alerts: [], next: null },
  });
  const inbox = within(await screen.findByRole('region', { name: 'Inbox' }));
  expect(await inbox.findByRole('link', { name: 'Contact messages 2 waiting' })).toBeTruthy();
  expect(await inbox.findByRole('link', { name: 'Ads 1+ waiting' })).toBeTruthy();
  expect(await inbox.findByRole('link', { name: 'Photos Nothing waiting' })).toBeTruthy();
  // A queue that could not be loaded is not shown as empty.
  expect(inbox.getByRole('link', { name: 'Videos' })).toBeTruthy();
  const menu = within(screen.getByRole('navigation', { name: 'Main' }));
  expect((await menu.findByText('3+')).textContent).toBe('3+ waiting');
  expect(calls.filter(({ path }) => path.startsWith('/api/admin/ads'))).toHaveLength(1);
});

test('a user account sees that the page is for business accounts, and requests nothing', async () => {
  sessionStore.set(sessionFixture({ role: 'user' }));
  const calls = open();
  expect(await screen.findByRole('heading', { name: 'This page is for organizers' })).toBeTruthy();
  expect(calls.filter(({ path }) => path.startsWith('/api/platform'))).toEqual([]);
});
test('a signed-out visitor signs in first', async () => {
  sessionStore.clear();
  open();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fadmin'));
});
