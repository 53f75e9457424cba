import type { Attendee } from '@beltway/contracts/ticketing/tickets';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pointsOf } from '../../features/dashboard/sales-line.tsx';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { ORDER_ID, orderFixture, ticketFixture } from '../../testing/orders.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
beforeEach(() => sessionStore.set(sessionFixture({ id: 3, role: 'business' })));
afterEach(() => vi.unstubAllGlobals());

const address = () => screen.getByTestId('address').textContent;
const sales = [{ eventId: 7, orders: 2, tickets: 3, revenue: 75, fee: 3.75, share: 71.25 }];

describe('the organizer’s events', () => {
  const open = (events: unknown) => {
    fakeApi({ 'GET /api/users/3/events': events, 'GET /api/tickets/sales': sales });
    renderAt('/dashboard');
  };
  test('are all listed, soonest first, page by page, each with a link to its attendees', async () => {
    open(Array.from({ length: 30 }, (_, at) => eventFixture({ id: at + 1, title: `Event ${at + 1}` })));
    expect(await screen.findByRole('heading', { name: 'Your events' })).toBeTruthy();
    const rows = () => within(screen.getByRole('tabpanel')).getAllByRole('article');
    await screen.findByRole('tab', { name: 'Upcoming (30)' });
    expect(rows()).toHaveLength(24);
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    // All events except the next show, which is listed separately.
    expect(rows()).toHaveLength(29);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(within(rows()[0]!).getByRole('heading', { level: 2, name: 'Event 2' })).toBeTruthy();
    await waitFor(() => expect(screen.getByText('Ticket sales').nextSibling?.textContent).toBe('$75.00'));
    await userEvent.click(screen.getByRole('link', { name: 'Attendees of Event 7' }));
    await waitFor(() => expect(address()).toBe('/dashboard/events/7'));
  });
  test('begin with the next show: the tickets sold, and the organizer’s tasks before the show', async () => {
    open([
      eventFixture({ id: 8, title: 'Later', eventDate: '2030-08-12T04:00:00.000Z' }),
      eventFixture({ id: 7, title: 'Soon' }),
    ]);
    const next = within(await screen.findByRole('article', { name: 'Soon' }));
    expect(next.getByText('Next show')).toBeTruthy();
    expect(next.getByText('42 of 100 sold')).toBeTruthy();
    expect(await next.findByText('58 left · $75.00')).toBeTruthy();
    expect(next.getByRole('link', { name: 'Attendees of Soon' }).getAttribute('href')).toBe('/dashboard/events/7');
    expect(next.getByRole('link', { name: 'Edit Soon' }).getAttribute('href')).toBe('/event/7#edit');
    await userEvent.click(next.getByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('menuitem', { name: 'Copy Link' })).toBeTruthy();
  });
  test('are divided into upcoming and past, and searched by title and place', async () => {
    open([
      eventFixture({ id: 1, title: 'Soon' }),
      eventFixture({ id: 2, title: 'Later', location: 'The Wharf', eventDate: '2030-08-12T04:00:00.000Z' }),
      eventFixture({ id: 3, title: 'Long ago', eventDate: '2020-01-01T05:00:00.000Z' }),
      eventFixture({ id: 4, title: 'Off', status: 'canceled' }),
    ]);
    const titles = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    await userEvent.click(await screen.findByRole('tab', { name: 'Past (2)' }));
    expect(titles()).toEqual(expect.arrayContaining(['Long ago', 'Off']));
    expect(titles()).not.toContain('Later');
    await userEvent.click(screen.getByRole('tab', { name: 'Upcoming (2)' }));
    await userEvent.type(screen.getByLabelText('Search your events'), 'wharf');
    expect(within(screen.getByRole('tabpanel')).getAllByRole('article')).toHaveLength(1);
    await userEvent.type(screen.getByLabelText('Search your events'), 'x');
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
  });
  test('show no sales, views or marks that are zero', async () => {
    fakeApi({
      'GET /api/users/3/events': [eventFixture({ soldTickets: 0 }), eventFixture({ id: 8, soldTickets: 0 })],
      'GET /api/tickets/sales': [],
      'GET /api/me/sales': { days: [{ day: '2030-07-01', revenue: 0, payments: 0 }] },
    });
    renderAt('/dashboard');
    await screen.findByRole('tab', { name: 'Upcoming (2)' });
    expect(screen.getByText('Events').nextSibling?.textContent).toBe('2');
    for (const name of ['Tickets sold', 'Ticket sales', 'Your share, 95%', 'Views', 'Likes', 'Engagement'])
      await waitFor(() => expect(screen.queryByText(name)).toBeNull());
    expect(screen.queryByText(/\$0\.00/)).toBeNull();
    expect(screen.queryByText(/^Ticket sales of the last/)).toBeNull();
  });
  test('show the sales of two weeks as a line, with a table for screen readers', async () => {
    const days = [
      { day: '2030-07-01', revenue: 25, payments: 1 },
      { day: '2030-07-02', revenue: 50.5, payments: 2 },
    ];
    fakeApi({
      ...{ 'GET /api/users/3/events': [eventFixture()], 'GET /api/tickets/sales': sales },
      'GET /api/me/sales': { days },
    });
    renderAt('/dashboard');
    expect((await screen.findByText('Ticket sales in the last 2 days')).nextSibling?.textContent).toBe('$75.50');
    expect(within(screen.getByRole('table', { name: 'Ticket sales by day' })).getAllByRole('row')).toHaveLength(2);
    expect(pointsOf(days)).toBe('0,24 20,0');
  });
  test('link to the studio if they have a live stream', async () => {
    open([eventFixture({ id: 7, title: 'Event 7', isLivestream: true }), eventFixture({ id: 8, title: 'Event 8' })]);
    const link = await screen.findByRole('link', { name: 'Studio of Event 7' });
    expect(link.getAttribute('href')).toBe('/studio/7');
    expect(screen.getAllByRole('link', { name: /^Studio of/ })).toEqual([link]);
  });
  test('can be embedded in the organizer’s site, with options and a preview', async () => {
    open([eventFixture()]);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Show on your website' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Your events on your website' }));
    await user.selectOptions(dialog.getByLabelText('Theme'), 'Dark');
    await user.selectOptions(dialog.getByLabelText('Show up to'), '3');
    const frame = dialog.getByTitle<HTMLIFrameElement>('Preview of the list');
    expect(frame.getAttribute('src')).toBe('/embed?organizer=3&theme=dark&limit=3');
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await dialog.findByText('Copied. Paste it into your page.')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(
      '<script async src="http://localhost:3000/embed.js" data-search="organizer=3&amp;theme=dark&amp;limit=3"></script>',
    );
    const tell = (height: unknown, origin: string, source: Window | null) =>
      act(() => {
        const message = new Event('message');
        Object.assign(message, { origin, source, data: { type: 'beltway-embed-height', height } });
        window.dispatchEvent(message);
      });
    tell(612, window.location.origin, frame.contentWindow);
    expect(frame.getAttribute('height')).toBe('612');
    tell(9_000, 'https://evil.test', frame.contentWindow);
    tell(9_000, window.location.origin, window);
    tell('9000px', window.location.origin, frame.contentWindow);
    expect(frame.getAttribute('height')).toBe('612');
  });
  test('without events show an empty state', async () => {
    open([]);
    expect(await screen.findByRole('heading', { name: 'No events yet' })).toBeTruthy();
  });
  test('require a sign-in', async () => {
    sessionStore.clear();
    open([]);
    await waitFor(() => expect(address()).toBe('/auth?next=%2Fdashboard'));
  });
});

describe('attendees', () => {
  const LIST = 'GET /api/events/7/attendees';
  const attendee = (name: string, changes: Partial<Attendee> = {}): Attendee => ({
    ...{ orderId: ORDER_ID.replace('6f', name.length.toString(16).padStart(2, '0')), orderNumber: '4F7K-2M9Q', name },
    ...{ quantity: 2, status: 'valid', amount: 50, orderedAt: '2030-07-02T15:30:00.000Z', ...changes },
  });
  const open = (answers: Record<string, unknown>) => {
    const calls = fakeApi({ 'GET /api/events/7': eventFixture(), 'GET /api/tickets/sales': sales, ...answers });
    renderAt('/dashboard/events/7');
    return calls;
  };

  test('are listed with tickets, status, order number and price, page by page', async () => {
    open({
      [LIST]: ({ path }: { path: string }) =>
        path.includes('after=two')
          ? { attendees: [attendee('Bob B', { status: 'refunded', quantity: 1 })], next: null }
          : { attendees: [attendee('Ann')], next: 'two' },
    });
    const row = within(await screen.findByRole('row', { name: /^Ann/ }));
    for (const words of ['Valid', '4F7K-2M9Q', '$50.00', '07/02/2030, 11:30 AM'])
      expect(row.getByText(words)).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Attendees of Go-Go on the Roof' })).toBeTruthy();
    await waitFor(() => expect(screen.getByText('Tickets sold').nextSibling?.textContent).toBe('3'));
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(within(await screen.findByRole('row', { name: /^Bob B/ })).getByText('Refunded')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
  test('totals that cannot be loaded are not shown as zero', async () => {
    open({
      [LIST]: { attendees: [attendee('Ann')], next: null },
      'GET /api/tickets/sales': () => problem(503, 'unavailable'),
    });
    await screen.findByText(/Couldn’t load the totals/);
    expect(screen.getByText('Tickets sold').nextSibling?.textContent).toBe('–');
  });
  test('the link in a mail about a buyer’s message opens the order, and the organizer answers the buyer', async () => {
    const ann = attendee('Ann');
    const { tickets: _tickets, claimable: _claimable, extendable: _extendable, ...order } = orderFixture();
    const calls = fakeApi({
      ...{ 'GET /api/events/7': eventFixture(), 'GET /api/tickets/sales': sales },
      [LIST]: { attendees: [ann], next: null },
      [`GET /api/orders/${ann.orderId}/managed`]: {
        ...{ order: { ...order, orderId: ann.orderId }, tickets: [], payment: null, paymentUnavailable: false },
        ...{ refunds: [], history: [], mails: [] },
      },
      [`POST /api/orders/${ann.orderId}/messages`]: () => answer(204),
    });
    renderAt(`/dashboard/events/7?message=${ann.orderId}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Message the buyer' }));
    await userEvent.type(await screen.findByLabelText('Your message'), 'Behind the hall.');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeTruthy();
    expect(calls.find(({ path }) => path.endsWith('/messages'))?.body).toEqual({ text: 'Behind the hall.' });
  });
  test('an order is loaded only for a refund; the organizer sees the amount, gives a reason, and the list reloads', async () => {
    const ann = attendee('Ann');
    const { tickets: _tickets, claimable: _claimable, extendable: _extendable, ...order } = orderFixture();
    const managed = [ticketFixture(1, { status: 'refunded' }), ticketFixture(2)].map(
      ({ ticketCode: _code, qrCode: _qr, ...ticket }) => ticket,
    );
    const calls = open({
      [LIST]: { attendees: [ann, attendee('Bo', { status: 'refunded' })], next: null },
      [`GET /api/orders/${ann.orderId}/managed`]: {
        ...{ order, tickets: managed, payment: null, paymentUnavailable: false, refunds: [], history: [], mails: [] },
      },
      [`POST /api/orders/${ann.orderId}/refund`]: {
        ...{ orderId: ann.orderId, status: 'refunding' },
        refund: {
          ...{ id: ann.orderId, cause: 'refunded-by-organizer', reason: 'Rain', ticketIds: [], amount: 2500 },
          ...{ state: 'requested', requestedAt: '2030-07-03T15:30:00.000Z', refundedAt: null },
        },
      },
    });
    const press = await screen.findByRole('button', { name: /^Refund Ann, order 4F7K-2M9Q$/ });
    expect(screen.queryByRole('button', { name: /^Refund Bo/ })).toBeNull();
    expect(calls.some(({ path }) => path.endsWith('/managed'))).toBe(false);
    await userEvent.click(press);
    const dialog = within(await screen.findByRole('dialog', { name: 'Refund tickets' }));
    expect(await dialog.findByRole('checkbox', { name: /^Ticket 1/ })).toHaveProperty('disabled', true);
    await userEvent.type(dialog.getByLabelText(/^Reason/), 'Rain');
    await userEvent.click(dialog.getByRole('button', { name: 'Refund 1 ticket · $25.00' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const sent = calls.find(({ path }) => path.endsWith('/refund'));
    expect(sent?.body).toEqual({ ticketIds: [ticketFixture(2).id], reason: 'Rain' });
    await waitFor(() => expect(calls.filter(({ path }) => path.includes('/attendees'))).toHaveLength(2));
    expect(calls.filter(({ path }) => path.endsWith('/managed'))).toHaveLength(1);
  });
  test('can be searched by name or order number', async () => {
    const calls = open({
      [LIST]: ({ path }: { path: string }) => ({
        attendees: path.includes('search') ? [] : [attendee('Ann')],
        next: null,
      }),
    });
    await screen.findByRole('row', { name: /^Ann/ });
    await userEvent.type(screen.getByLabelText('Name or order number'), 'zed');
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
    expect(calls.at(-1)?.path).toBe('/api/events/7/attendees?search=zed');
  });
  test('a search that the server refuses keeps the page and the search field', async () => {
    open({
      [LIST]: ({ path }: { path: string }) =>
        path.includes('search')
          ? problem(400, 'invalid', { detail: 'search: no control characters' })
          : { attendees: [attendee('Ann')], next: null },
    });
    await screen.findByRole('row', { name: /^Ann/ });
    await userEvent.type(screen.getByLabelText('Name or order number'), 'x');
    expect(await screen.findByText('search: no control characters')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Name or order number'));
  });
  test('can be exported without a token in the URL', async () => {
    const calls = open({
      [LIST]: { attendees: [attendee('Ann')], next: null },
      'GET /api/events/7/attendees.csv': () => answer(200, 'Order number\r\n'),
    });
    URL.createObjectURL = vi.fn(() => 'blob:x');
    const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await userEvent.click(await screen.findByRole('button', { name: 'Download all as CSV' }));
    await waitFor(() => expect(clicks).toHaveBeenCalled());
    const file = calls.find(({ path }) => path.endsWith('.csv'));
    expect([file?.path, file?.headers.get('authorization')]).toEqual(['/api/events/7/attendees.csv', 'Bearer token-1']);
    clicks.mockRestore();
  });
  test('without sales show an empty state', async () => {
    open({ [LIST]: { attendees: [], next: null } });
    expect(await screen.findByRole('heading', { name: 'No tickets sold yet' })).toBeTruthy();
  });
  test('of another organizer’s event are not shown', async () => {
    open({ [LIST]: () => problem(403, 'forbidden') });
    expect(await screen.findByRole('heading', { name: 'Not your event' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Your events' }).getAttribute('href')).toBe('/dashboard');
  });
  test('an unreachable server can be retried', async () => {
    let tries = 0;
    open({
      [LIST]: () =>
        tries++ === 0
          ? problem(503, 'unavailable', { detail: 'Back in a moment.' })
          : { attendees: [attendee('Ann')], next: null },
    });
    expect(await screen.findByText('Back in a moment.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('row', { name: /^Ann/ })).toBeTruthy();
  });
});
