import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { AD_ID, servedAd } from '../../testing/ads.ts';
import { fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const jazz = eventFixture({ id: 1, title: 'Jazz Night', tags: ['#free'] });
const market = eventFixture({ id: 2, title: 'Market', tags: ['#food'] });
const nothing = {
  'GET /api/events': fakeEvents([]),
  'GET /api/events/featured': [],
  'GET /api/tickets/stats': stats(0),
};
const something = { ...nothing, 'GET /api/events': fakeEvents([jazz, market]) };

afterEach(() => void vi.useRealTimers());

function stats(totalTicketsSold: number) {
  return { totalTicketsSold, totalRevenue: 1250.5, totalEvents: 3 };
}
const feed = () => screen.findByRole('region', { name: 'Events' });
const titles = async () =>
  within(await feed())
    .queryAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);

describe('the ticket stats banner', () => {
  test('shows real sales', async () => {
    fakeApi({ ...nothing, 'GET /api/tickets/stats': stats(1284) });
    renderAt('/');
    const banner = await screen.findByRole('region', { name: 'Ticket sales so far' });
    expect(banner.textContent).toContain('1,284');
    expect(banner.textContent).toContain('$1,250.50');
    // The statistics count only events that sell tickets.
    expect(banner.textContent).toContain('events with tickets');
  });
  test.each([
    ['nothing was sold', stats(0)],
    ['there is no data', () => problem(503, 'unavailable')],
  ])('is hidden when %s', async (_name, answer) => {
    fakeApi({ ...nothing, 'GET /api/tickets/stats': answer });
    renderAt('/');
    await screen.findByText('No events yet');
    expect(screen.queryByRole('region', { name: 'Ticket sales so far' })).toBeNull();
  });
});

test('the ticket stats refresh every 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let sold = 5;
  fakeApi({ ...nothing, 'GET /api/tickets/stats': () => stats(sold) });
  renderAt('/');
  const banner = await screen.findByRole('region', { name: 'Ticket sales so far' });
  sold = 1_284;
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(banner.textContent).not.toContain('1,284');
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  await waitFor(() => expect(banner.textContent).toContain('1,284'));
});

describe('featured events', () => {
  test('shows five skeletons while loading', async () => {
    fakeApi({ ...nothing, 'GET /api/events/featured': () => new Promise(() => undefined) });
    renderAt('/');
    expect(await screen.findAllByTestId('featured-skeleton')).toHaveLength(5);
  });
  test('shows at most five cards with at most two tags each', async () => {
    const tags = ['#one', '#two', '#three'];
    const many = Array.from({ length: 7 }, (_, at) => eventFixture({ id: at + 1, title: `Event ${at + 1}`, tags }));
    fakeApi({ ...nothing, 'GET /api/events/featured': many });
    renderAt('/');
    const strip = await screen.findByRole('list', { name: 'Featured events' });
    expect(within(strip).getAllByRole('heading', { level: 3 })).toHaveLength(5);
    expect(within(strip).getAllByText('FEATURED')).toHaveLength(5);
    expect(within(strip).getAllByText('#two')).toHaveLength(5);
    expect(within(strip).queryByText('#three')).toBeNull();
    expect(within(strip).getAllByRole('link', { name: 'Get Tickets' })).toHaveLength(5);
  });
  test('without a featured event, invites visitors to submit one; anonymous visitors sign in first', async () => {
    fakeApi(nothing);
    renderAt('/');
    expect(await screen.findByText('Be the First Featured Event!')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Submit Featured Event' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2F%23launch'));
  });
  test('can be reloaded after an error', async () => {
    let isDown = true;
    fakeApi({ ...nothing, 'GET /api/events/featured': () => (isDown ? problem(503, 'unavailable') : [jazz]) });
    renderAt('/');
    await screen.findByText('Couldn’t load the featured events');
    isDown = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Jazz Night')).toBeTruthy();
  });
});

describe('the first screen', () => {
  const today = eventFixture({ id: 3, title: 'Next Up Tonight', eventDate: '2030-07-01T04:00:00.000Z' });
  test('shows the next event, and Find an event focuses the search', async () => {
    fakeApi({ ...nothing, 'GET /api/events': fakeEvents([jazz, today]) });
    renderAt('/');
    expect((await screen.findByTestId('next-up')).textContent).toContain('Next Up Tonight');
    await userEvent.click(screen.getByRole('button', { name: 'Find an event' }));
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Quick search' }));
  });
  test('marks an event as on when it begins, and shows the next event when it has ended', async () => {
    vi.useFakeTimers({ now: new Date('2030-07-01T22:59:59Z'), toFake: ['Date'] });
    try {
      // 7 PM in New York.
      const second = { ...today, id: 4, title: 'Second Set', eventStartTime: '20:00', eventEndTime: '23:45' };
      fakeApi({ ...nothing, 'GET /api/events': fakeEvents([second, { ...today, eventStartTime: '19:00' }]) });
      renderAt('/');
      expect((await screen.findByTestId('next-up')).textContent).toContain('Next Up Tonight');
      vi.setSystemTime(new Date('2030-07-01T23:00:00Z'));
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
      expect(screen.getByTestId('next-up').textContent).toContain('On now, until 11:30 PM');
      vi.setSystemTime(new Date('2030-07-02T03:30:00Z'));
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
      expect(screen.getByTestId('next-up').textContent).toContain('Second Set');
    } finally {
      vi.useRealTimers();
    }
  });
  test('typing searches, and the focus moves to the search below', async () => {
    fakeApi(something);
    renderAt('/');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Quick search' }), 'j');
    const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search events' });
    await waitFor(() => expect(document.activeElement).toBe(search()));
    await userEvent.keyboard('az');
    expect(search().value).toBe('jaz');
    expect(screen.getByTestId('address').textContent).toBe('/?q=jaz');
    expect(screen.queryByRole('searchbox', { name: 'Quick search' })).toBeNull();
  });
  test('is hidden while filtering; the featured strip stays', async () => {
    fakeApi({ ...something, 'GET /api/events/featured': [today] });
    renderAt('/');
    await screen.findByTestId('next-up');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search events' }), 'jaz');
    await waitFor(() => expect(screen.queryByTestId('next-up')).toBeNull());
    expect(within(screen.getByRole('list', { name: 'Featured events' })).getByText('Next Up Tonight')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search events' }).value).toBe('jaz');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search events' }));
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Search events' }));
    expect(await screen.findByTestId('next-up')).toBeTruthy();
  });
});

describe('the blocks around the events', () => {
  const config = {
    mode: 'engines',
    payments: { publishableKey: 'pk', apiBase: 'https://api.stripe.com', sandbox: false },
    ...{ demo: null, googleMapsKey: null, supportEmail: 'help@example.com', ticketDiscountUrl: null },
  };
  const counts = { activeUsers: 1234, eventsToday: 0, newVenues: 12 };
  const all = { ...something, 'GET /api/config': config, 'GET /api/stats': counts };

  test('are in the order of the specification', async () => {
    fakeApi({
      ...all,
      'GET /api/tickets/stats': stats(5),
      'GET /api/config': { ...config, ticketDiscountUrl: 'https://x.test' },
    });
    renderAt('/');
    await screen.findByText('1,234');
    await screen.findByRole('region', { name: '15% off tickets elsewhere' });
    await screen.findByRole('region', { name: 'Live chat' });
    const names = within(screen.getByRole('main'))
      .getAllByRole('region')
      .map((one) => one.getAttribute('aria-label') ?? one.querySelector('h2')?.textContent);
    expect(names).toEqual([
      'Ticket sales so far',
      'Welcome',
      'Featured Events',
      'Reach people who are going out tonight',
      '15% off tickets elsewhere',
      'Live chat',
      'Canceled? You get your money back automatically',
      'Launch an event or contact us',
      'Beltway in numbers',
      'Events',
      'Nothing to pay until you sell',
    ]);
  });
  test('the discount opens in a new tab without referrer or opener', async () => {
    const address = 'https://tickets.example.test/?from=beltway';
    fakeApi({ ...all, 'GET /api/config': { ...config, ticketDiscountUrl: address } });
    renderAt('/');
    const link = await screen.findByRole('link', { name: /^Get 15% off/ });
    expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([
      address,
      '_blank',
      'noopener noreferrer sponsored',
    ]);
  });
  test('without a configured discount a house ad fills the slot', async () => {
    fakeApi(all);
    renderAt('/');
    expect(await screen.findByRole('region', { name: 'The price on the card is what you pay' })).toBeTruthy();
    expect(screen.queryByText(/15%/)).toBeNull();
  });
  test('the tiles omit unknown figures and are hidden without a response', async () => {
    fakeApi({ ...all, 'GET /api/stats': { ...counts, activeUsers: null } });
    const { unmount } = renderAt('/');
    const tiles = await screen.findByRole('region', { name: 'Beltway in numbers' });
    expect(tiles.textContent).toContain('around the region0');
    expect(tiles.textContent).not.toContain('active users');
    unmount();
    fakeApi({ ...all, 'GET /api/stats': () => problem(503, 'unavailable') });
    renderAt('/');
    await screen.findAllByText('Jazz Night');
    expect(screen.queryByRole('region', { name: 'Beltway in numbers' })).toBeNull();
  });
  test('businesses see the catalog’s lowest ad price, with links to packages and sales', async () => {
    fakeApi(all);
    renderAt('/');
    const promo = within(await screen.findByRole('region', { name: 'Reach people who are going out tonight' }));
    expect(promo.getByText(/Ad packages start at \$49\.99 per week\./)).toBeTruthy();
    expect(promo.getByRole('link', { name: 'View Packages' }).getAttribute('href')).toBe('/ad-pricing');
    await userEvent.click(promo.getByRole('button', { name: 'Contact Sales' }));
    expect(await screen.findByRole('dialog', { name: 'Contact Us' })).toBeTruthy();
  });
  test('are hidden while filtering', async () => {
    fakeApi(all);
    renderAt('/?q=jazz');
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night']));
    expect(screen.queryByRole('button', { name: 'Contact Sales' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Beltway in numbers' })).toBeNull();
  });
  test('all links lead to existing pages', async () => {
    fakeApi(all);
    renderAt('/');
    await screen.findByText('help@example.com');
    const inside = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
    const known =
      /^(\/(\?lang=es)?|\/auth(\?.*)?|\/my-tickets|\/saved|\/event\/\d+(#comments)?|\/ticket-checkout\?eventId=\d+|\/(privacy|terms|refunds|accessibility|gallery|top-picks|community)|\/ad-pricing|\/\?(when=(tonight|tomorrow|weekend)|free=1)|#(main|event-cards)|mailto:help@example\.com)$/;
    expect(inside.filter((href) => !known.test(href))).toEqual([]);
  });
});

describe('the buttons of those who sell', () => {
  test.each(['business', 'admin'] as const)('lead a %s to revenue and customers', async (role) => {
    sessionStore.set(sessionFixture({ role }));
    fakeApi(nothing);
    renderAt('/');
    const buttons = within(await screen.findByRole('navigation', { name: 'Your sales' })).getAllByRole('link');
    expect(buttons.map((button) => [button.textContent, button.getAttribute('href')])).toEqual([
      ['Check Revenue', '/admin'],
      ['Admin Dashboard', '/admin'],
      ['View Customers', '/customers'],
    ]);
    // On a phone one button opens the links.
    await userEvent.click(screen.getByRole('button', { name: 'Your sales' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Check Revenue', 'Admin Dashboard', 'View Customers']);
    await userEvent.click(items[2]!);
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/customers'));
  });
  test.each([
    ['visitors', () => undefined],
    ['those who only buy', () => sessionStore.set(sessionFixture({ role: 'user' }))],
  ])('are hidden for %s', async (_who, signIn) => {
    signIn();
    fakeApi(nothing);
    renderAt('/');
    await screen.findByText('No events yet');
    expect(screen.queryByRole('navigation', { name: 'Your sales' })).toBeNull();
  });
});

describe('Happening Now', () => {
  // 7 PM in New York, on the day of the fixtures.
  const setClock = () => vi.setSystemTime(new Date('2030-07-12T23:00:00Z'));
  const namesIn = (region: { getAllByRole: typeof screen.getAllByRole }) =>
    region.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  test('shows current events, first the premium promotions with their badge', async () => {
    setClock();
    const promoted = eventFixture({ id: 4, title: 'Promoted', promotionLevel: 'premium', eventStartTime: '20:00' });
    fakeApi({
      ...nothing,
      'GET /api/events': fakeEvents([jazz, promoted]),
      'GET /api/events/premium': [promoted],
    });
    renderAt('/');
    const now = within(await screen.findByRole('region', { name: 'Happening Now' }));
    await waitFor(() => expect(namesIn(now)).toEqual(['Promoted', 'Jazz Night']));
    expect(now.getAllByText('PREMIUM')).toHaveLength(1);
  });
  test('shows three premium events of any date, in their rotation, above three current events', async () => {
    setClock();
    const premium = (id: number) =>
      eventFixture({ id, title: `Premium ${id}`, promotionLevel: 'premium', eventDate: '2031-01-10T05:00:00.000Z' });
    const on = [1, 2, 3, 4].map((id) => eventFixture({ id, title: `On ${id}` }));
    fakeApi({
      ...nothing,
      'GET /api/events': fakeEvents(on),
      'GET /api/events/premium': [14, 15, 11, 12, 13].map(premium),
    });
    renderAt('/');
    const now = within(await screen.findByRole('region', { name: 'Happening Now' }));
    const names = ['Premium 14', 'Premium 15', 'Premium 11', 'On 1', 'On 2', 'On 3'];
    await waitFor(() => expect(namesIn(now)).toEqual(names));
    expect(now.getAllByText('PREMIUM')).toHaveLength(3);
  });
  test('is shown for a premium event alone, and without premium events if they cannot be loaded', async () => {
    setClock();
    const later = { promotionLevel: 'premium', eventDate: '2031-01-10T05:00:00.000Z' } as const;
    fakeApi({ ...nothing, 'GET /api/events/premium': [eventFixture({ id: 9, title: 'Alone', ...later })] });
    const { unmount } = renderAt('/');
    const alone = within(await screen.findByRole('region', { name: 'Happening Now' }));
    expect(alone.getByRole('heading', { level: 3 }).textContent).toBe('Alone');
    unmount();
    fakeApi({
      ...nothing,
      'GET /api/events': fakeEvents([jazz]),
      'GET /api/events/premium': () => problem(503, 'unavailable'),
    });
    renderAt('/');
    const now = within(await screen.findByRole('region', { name: 'Happening Now' }));
    expect(now.getByRole('heading', { level: 3 }).textContent).toBe('Jazz Night');
  });
  test('is hidden when nothing is on', async () => {
    fakeApi(something);
    renderAt('/');
    await waitFor(async () => expect(await titles()).toHaveLength(2));
    expect(screen.queryByRole('region', { name: 'Happening Now' })).toBeNull();
  });
});

describe('the calendar', () => {
  test('weeks begin on Sunday, arrow keys move between days, and a day shows its events', async () => {
    vi.setSystemTime(new Date('2030-07-11T16:00:00Z'));
    fakeApi(something);
    renderAt('/');
    const tabs = within(await screen.findByRole('tablist', { name: 'Event view' }));
    tabs.getByRole('tab', { name: 'List' }).focus();
    // Moves from the first tab to the last one.
    await userEvent.keyboard('{ArrowLeft}');
    expect(screen.getByTestId('address').textContent).toBe('/?view=calendar');
    expect(document.activeElement).toBe(tabs.getByRole('tab', { name: 'Calendar' }));
    const grid = within(await screen.findByRole('grid', { name: 'July 2030' }));
    const [first] = grid.getAllByRole('columnheader', { hidden: true });
    expect(first?.getAttribute('aria-label')).toBe('Sunday');
    const day = grid.getByRole('button', { name: /^Today, Thursday, July 11, 2030, no events/ });
    day.focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(grid.getByRole('button', { name: /^Friday, July 12, 2030, 2 events/ }));
    await userEvent.keyboard('{Enter}');
    const chosen = within(screen.getByRole('region', { name: 'Friday, July 12, 2030' }));
    expect(chosen.getByText('Jazz Night')).toBeTruthy();
    expect(chosen.getByText('Market')).toBeTruthy();
  });
  test('loads the days of the visible month, and the days of the next month on demand', async () => {
    vi.setSystemTime(new Date('2030-07-11T16:00:00Z'));
    const concert = eventFixture({ id: 5, title: 'August Night', eventDate: '2030-08-20T04:00:00.000Z' });
    const calls = fakeApi({ ...something, 'GET /api/events': fakeEvents([concert]) });
    renderAt('/?view=calendar');
    const asked = () =>
      calls.flatMap(({ path }) => {
        const { searchParams } = new URL(path, 'http://beltway.test');
        return searchParams.has('from') ? [[searchParams.get('from'), searchParams.get('to')]] : [];
      });
    expect(await screen.findByRole('button', { name: /^Today, Thursday, July 11, 2030, no events/ })).toBeTruthy();
    expect(asked()).toEqual([['2030-06-30T04:00:00.000Z', '2030-08-04T04:00:00.000Z']]);
    await userEvent.click(screen.getByRole('button', { name: /next month/i }));
    expect(await screen.findByRole('button', { name: /^Tuesday, August 20, 2030, 1 event/ })).toBeTruthy();
    expect(asked().at(-1)).toEqual(['2030-07-28T04:00:00.000Z', '2030-09-01T04:00:00.000Z']);
    expect(screen.getByRole('region', { name: 'Thursday, August 1, 2030' })).toBeTruthy();
  });
  test('loads a month page by page, and marks days as not loaded yet', async () => {
    vi.setSystemTime(new Date('2030-07-11T16:00:00Z'));
    const many = Array.from({ length: 620 }, (_, at) =>
      eventFixture({
        id: at + 1,
        title: `Event ${at}`,
        eventDate: `2030-07-${12 + Math.floor(at / 100)}T04:00:00.000Z`,
      }),
    );
    const last = eventFixture({ id: 999, title: 'The last one', eventDate: '2030-07-30T04:00:00.000Z' });
    fakeApi({ ...something, 'GET /api/events': fakeEvents([...many, last]) });
    renderAt('/?view=calendar');
    expect(await screen.findByRole('button', { name: /^Friday, July 12, 2030, 100 events/ })).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: /^Tuesday, July 30, 2030, not loaded yet/ }));
    const day = within(screen.getByRole('region', { name: 'Tuesday, July 30, 2030' }));
    expect(day.getByText('There are more events this month. Load more to see them.')).toBeTruthy();
    expect(day.queryByText('No events on this day.')).toBeNull();
    await userEvent.click(day.getByRole('button', { name: 'Load More Events' }));
    await userEvent.click(await day.findByRole('button', { name: 'Load More Events' }));
    expect(await day.findByText('The last one')).toBeTruthy();
  });
  test('shows an event of several days on each of its days', async () => {
    vi.setSystemTime(new Date('2030-07-11T16:00:00Z'));
    const festival = eventFixture({ id: 5, title: 'Festival', eventLastDate: '2030-07-14T04:00:00.000Z' });
    fakeApi({ ...something, 'GET /api/events': fakeEvents([festival]) });
    renderAt('/?view=calendar');
    for (const day of ['Friday, July 12', 'Saturday, July 13', 'Sunday, July 14']) {
      await userEvent.click(await screen.findByRole('button', { name: new RegExp(`^${day}, 2030, 1 event`) }));
      expect(within(screen.getByRole('region', { name: `${day}, 2030` })).getByText('Festival')).toBeTruthy();
    }
    expect(screen.getByRole('button', { name: /^Monday, July 15, 2030, no events/ })).toBeTruthy();
  });
  test('applies the filters', async () => {
    vi.setSystemTime(new Date('2030-07-12T16:00:00Z'));
    fakeApi(something);
    renderAt('/?view=calendar&q=jazz');
    expect(
      await screen.findByRole('button', { name: /^Today, Friday, July 12, 2030, 1 event, selected/ }),
    ).toBeTruthy();
    expect(screen.queryByText('Market')).toBeNull();
  });
});

describe('the feed', () => {
  test('has a heading for each day only when sorted by time', async () => {
    vi.setSystemTime(new Date('2030-07-12T14:00:00Z'));
    const later = eventFixture({ id: 3, title: 'Later', eventDate: '2030-07-14T04:00:00.000Z', tags: ['#free'] });
    fakeApi({ ...nothing, 'GET /api/events': fakeEvents([jazz, later]) });
    const { navigate } = renderAt('/');
    const headings = async () =>
      within(await feed())
        .getAllByRole('heading')
        .slice(1)
        .map(({ textContent }) => textContent);
    await waitFor(async () =>
      expect(await headings()).toEqual(['Today', 'Jazz Night', 'Sunday, July 14, 2030', 'Later']),
    );
    navigate('/?sort=popular');
    await waitFor(async () => expect(await headings()).toEqual(['Jazz Night', 'Later']));
  });
  test('omits events shown in Happening Now, except in a search', async () => {
    vi.setSystemTime(new Date('2030-07-12T23:00:00Z'));
    const later = eventFixture({ id: 3, title: 'Later', eventDate: '2030-07-14T04:00:00.000Z' });
    fakeApi({ ...nothing, 'GET /api/events': fakeEvents([jazz, later]) });
    const { navigate } = renderAt('/');
    await screen.findByRole('region', { name: 'Happening Now' });
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night', 'Later']));
    navigate('/?q=jazz');
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night']));
    expect(screen.queryByRole('region', { name: 'Happening Now' })).toBeNull();
  });
  test('filters by words and by tag, both in the URL', async () => {
    fakeApi(something);
    renderAt('/');
    await waitFor(async () => expect(await titles()).toHaveLength(2));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search events' }), 'jaz');
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night']));
    expect(screen.getByTestId('address').textContent).toBe('/?q=jaz');
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Search events' }));
    await userEvent.click(screen.getByRole('button', { name: '#free' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/?tag=%23free'));
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night']));
    expect(screen.getByRole('button', { name: '#free' }).getAttribute('aria-pressed')).toBe('true');
  });
  test('offers to clear the filters when nothing matches', async () => {
    fakeApi(something);
    renderAt('/?q=zebra');
    await userEvent.click(await screen.findByRole('button', { name: 'Clear Filters' }));
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night', 'Market']));
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search events' }).value).toBe('');
    expect(screen.getByTestId('address').textContent).toBe('/');
  });
  test('Subscribe offers feeds of the current filters', async () => {
    fakeApi(something);
    renderAt('/?q=jazz&when=tonight&sort=popular');
    await userEvent.click(await screen.findByRole('button', { name: 'Subscribe' }));
    const address = async (name: string) =>
      (await screen.findByRole('menuitem', { name })).getAttribute('href')?.replace('localhost:3000', 'here');
    expect(await address('Calendar app')).toBe('webcal://here/api/events.ics?q=tonight+jazz');
    expect(await address('RSS feed')).toBe('http://here/api/events.rss?q=tonight+jazz');
    expect(await address('Google Calendar')).toContain(
      `cid=${encodeURIComponent('webcal://localhost:3000/api/events.ics?q=')}`,
    );
  });
  test('invites visitors to submit an event when there is no event', async () => {
    fakeApi(nothing);
    renderAt('/');
    expect(await screen.findByRole('button', { name: 'Submit your event' })).toBeTruthy();
  });
  test('shows the error and retries', async () => {
    let isDown = true;
    fakeApi({
      ...something,
      'GET /api/events': (call: FakeCall) =>
        isDown ? problem(503, 'unavailable', { detail: 'The catalog is down.' }) : fakeEvents([jazz])(call),
    });
    renderAt('/');
    const alert = within(await feed()).findByRole('alert');
    expect((await alert).textContent).toContain('The catalog is down.');
    isDown = false;
    await userEvent.click(within(await feed()).getByRole('button', { name: 'Retry' }));
    expect(await within(await feed()).findByText('Jazz Night')).toBeTruthy();
  });
  test('shows one page, and more on demand, without duplicates', async () => {
    const many = Array.from({ length: 30 }, (_, at) => eventFixture({ id: at + 1 }));
    const calls = fakeApi({ ...nothing, 'GET /api/events': fakeEvents(many) });
    renderAt('/');
    const more = await screen.findByRole('button', { name: 'Load More Events' });
    await waitFor(async () => expect(await titles()).toHaveLength(16));
    await userEvent.click(more);
    await waitFor(async () => expect(await titles()).toHaveLength(30));
    expect(screen.queryByRole('button', { name: 'Load More Events' })).toBeNull();
    expect(calls.map(({ path }) => path)).toContain('/api/events?limit=16&cursor=16');
  });
  test('keeps the last results until new ones arrive', async () => {
    let answer: (() => void) | undefined;
    fakeApi({
      ...something,
      'GET /api/events': async (call: FakeCall) => {
        if (call.path.includes('q=')) await new Promise<void>((resolve) => (answer = resolve));
        return fakeEvents([jazz, market])(call);
      },
    });
    renderAt('/');
    await waitFor(async () => expect(await titles()).toHaveLength(2));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search events' }), 'jazz');
    await waitFor(() => expect(answer).toBeDefined());
    expect(await titles()).toEqual(['Jazz Night', 'Market']);
    expect(within(await feed()).getByText('Searching …')).toBeTruthy();
    answer!();
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night']));
  });
  test('Back undoes the whole typed search, not its last character', async () => {
    const calls = fakeApi(something);
    const { navigate } = renderAt('/');
    navigate('/?tag=%23free');
    await waitFor(async () => expect(await titles()).toEqual(['Jazz Night']));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search events' }), 'night');
    await waitFor(() => expect(calls.some(({ path }) => path.includes('q=night'))).toBe(true));
    window.history.back();
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/?tag=%23free'));
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search events' }).value).toBe(''),
    );
  });
});

describe('the filters', () => {
  const asked = (calls: FakeCall[]) =>
    new URLSearchParams(calls.findLast(({ path }) => path.startsWith('/api/events?'))?.path.split('?')[1]);
  const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

  test('combine: pressing several requests all of them', async () => {
    vi.setSystemTime(new Date('2030-07-12T16:00:00Z'));
    const calls = fakeApi(something);
    renderAt('/');
    await waitFor(async () => expect(await titles()).toHaveLength(2));
    await press('Tonight');
    await press('Free');
    await press('Music');
    await waitFor(() => expect(asked(calls).get('category')).toBe('music'));
    expect(Object.fromEntries(asked(calls))).toEqual({
      category: 'music',
      from: '2030-07-12T21:00:00.000Z',
      to: '2030-07-13T09:00:00.000Z',
      free: '1',
      limit: '16',
    });
    expect(screen.getByTestId('address').textContent).toBe('/?when=tonight&free=1&category=music');
    await press('Tonight');
    expect(screen.getByTestId('address').textContent).toBe('/?free=1&category=music');
    await press('Clear all');
    expect(screen.getByTestId('address').textContent).toBe('/');
  });

  test('filter by a date, and by a Metro line from the URL', async () => {
    const calls = fakeApi(something);
    renderAt('/?line=yellow');
    await waitFor(() => expect(asked(calls).get('category')).toBe('family,community,other'));
    expect(screen.getByRole('button', { name: 'Community' }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.change(screen.getByLabelText('Pick a date'), { target: { value: '2030-12-24' } });
    await waitFor(() => expect(asked(calls).get('from')).toBe('2030-12-24T05:00:00.000Z'));
  });

  test('price, place, sale and order are set in a dialog, by keyboard', async () => {
    const calls = fakeApi(something);
    renderAt('/');
    screen.getByRole('button', { name: /^Filters/ }).focus();
    await userEvent.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Filters' }));
    await userEvent.selectOptions(dialog.getByLabelText('Price'), 'Up to $20');
    await userEvent.type(dialog.getByLabelText('Near'), 'Atlantis{Enter}');
    expect(dialog.getByText(/We couldn’t find that place/)).toBeTruthy();
    await userEvent.clear(dialog.getByLabelText('Near'));
    await userEvent.type(dialog.getByLabelText('Near'), 'bethesda{Enter}');
    await userEvent.selectOptions(await dialog.findByLabelText('Distance'), 'Within 5 miles');
    await userEvent.selectOptions(dialog.getByLabelText('Order'), 'Nearest first');
    await userEvent.click(dialog.getByRole('switch', { name: 'On sale' }));
    await waitFor(() => expect(asked(calls).get('onSale')).toBe('1'));
    expect(Object.fromEntries(asked(calls))).toEqual({
      maxPrice: '20',
      onSale: '1',
      near: 'Bethesda, MD',
      radius: '5',
      sort: 'nearest',
      limit: '16',
    });
    await userEvent.keyboard('{Escape}');
    await press('Within 5 miles of Bethesda, MD');
    expect(screen.getByTestId('address').textContent).toBe('/?maxPrice=20&onSale=1');
  });

  describe('the position of the device', () => {
    const geolocation = (answer: (found: PositionCallback, failed: PositionErrorCallback) => void) =>
      Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition: answer }, configurable: true });

    test('is read on demand and is not in the URL', async () => {
      geolocation((found) => found({ coords: { latitude: 38.91234, longitude: -77.03456 } } as GeolocationPosition));
      const calls = fakeApi(something);
      renderAt('/');
      await press(/^Filters/);
      await userEvent.click(await screen.findByRole('button', { name: 'Use my location' }));
      await waitFor(() => expect(asked(calls).get('near')).toBe('38.91,-77.03'));
      expect(screen.getByTestId('address').textContent).toBe('/?near=me');
    });
    test('a refused position shows a notice and all events', async () => {
      geolocation((_found, failed) => failed({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError));
      const calls = fakeApi(something);
      renderAt('/?near=me&sort=nearest');
      expect(await screen.findByText(/Location is blocked/)).toBeTruthy();
      await waitFor(async () => expect(await titles()).toHaveLength(2));
      expect(asked(calls).has('near')).toBe(false);
    });
  });
});

describe('ads', () => {
  const publicConfig = {
    mode: 'engines',
    payments: { publishableKey: 'pk', apiBase: 'https://api.stripe.com', sandbox: false },
    ...{ demo: null, googleMapsKey: null, supportEmail: null },
  };
  const adId = (letter: string) => AD_ID.slice(0, -1) + letter;
  const served = (...ids: string[]) => ({ items: ids.map((id) => servedAd({ id: adId(id), title: `Ad ${id}` })) });

  test('appear in the banner and below the events, labeled as sponsored, with links through the redirect', async () => {
    fakeApi({
      ...nothing,
      'GET /api/ads?slot=banner': served('a', 'e'),
      'GET /api/ads?slot=block': served('b', 'c', 'd'),
    });
    renderAt('/');
    for (const id of ['a', 'b']) {
      const place = await screen.findByRole('region', { name: `Sponsored: Ad ${id}` });
      expect(place.textContent).toContain('Sponsored');
      const link = within(place).getByRole('link');
      expect([link.getAttribute('href'), link.getAttribute('rel'), link.getAttribute('target')]).toEqual([
        `/api/ads/${adId(id)}/click`,
        'noopener sponsored nofollow',
        '_blank',
      ]);
    }
    // The banner is the only ad above the events.
    expect(screen.queryByText(/^Ad [cd]$/)).toBeNull();
    expect(screen.getByText('The price on the card is what you pay').closest('.invisible')).toBeNull();
    // Hidden house ads behind the served ads give the slots their size.
    expect(screen.getByText('Canceled? You get your money back automatically').closest('.invisible')).not.toBeNull();
  });

  test('without a banner ad, one block is above the events and one below', async () => {
    fakeApi({ ...nothing, 'GET /api/ads?slot=banner': served(), 'GET /api/ads?slot=block': served('b', 'c', 'd') });
    renderAt('/');
    const [above, below] = [
      await screen.findByRole('region', { name: 'Sponsored: Ad b' }),
      await screen.findByRole('region', { name: 'Sponsored: Ad c' }),
    ];
    const events = await feed();
    expect(above.compareDocumentPosition(events)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(below.compareDocumentPosition(events)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
    expect(screen.queryByText('Ad d')).toBeNull();
  });

  test('slots without a sold ad show house ads, and so do all slots when ads are unavailable', async () => {
    fakeApi({
      ...nothing,
      'GET /api/ads?slot=banner': () => problem(503, 'unavailable'),
      'GET /api/ads?slot=block': served('b'),
    });
    renderAt('/');
    await screen.findByRole('region', { name: 'Sponsored: Ad b' });
    for (const title of ['Canceled? You get your money back automatically', 'Nothing to pay until you sell'])
      expect((await screen.findByText(title)).closest('.invisible')).toBeNull();
    expect(screen.getByText('The price on the card is what you pay').closest('.invisible')).not.toBeNull();
  });

  test('a configured discount keeps its slot, and the block below shows the first ad', async () => {
    fakeApi({
      ...nothing,
      'GET /api/config': { ...publicConfig, ticketDiscountUrl: 'https://tickets.test/' },
      'GET /api/ads?slot=banner': served(),
      'GET /api/ads?slot=block': served('b', 'c'),
    });
    renderAt('/');
    await screen.findByText('15% off tickets elsewhere');
    await screen.findByRole('region', { name: 'Sponsored: Ad b' });
    expect(screen.queryByText('Ad c')).toBeNull();
  });
});
