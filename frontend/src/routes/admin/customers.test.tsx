import type { Customer } from '@beltway/contracts/ticketing/customers';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { orderFixture, ticketFixture } from '../../testing/orders.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
beforeEach(() => sessionStore.set(sessionFixture({ id: 3, role: 'business' })));
afterEach(() => vi.unstubAllGlobals());

const LIST = 'GET /api/tickets/customers';
const TOTALS = 'GET /api/tickets/customers/totals';
const totals = { uniqueBuyers: 1_234, totalRevenue: 5_432.1, totalTickets: 2_345, averageOrderValue: 25.5 };
let made = 0;
const customer = (customerName: string, changes: Partial<Customer> = {}): Customer => ({
  id: `0b9e6f2c-5d0a-4f53-9c1e-${String(++made).padStart(12, '0')}`,
  ...{ orderNumber: '4F7K-2M9Q', customerName, customerEmail: `${customerName.toLowerCase()}@example.test` },
  ...{
    eventTitle: 'Go-Go Night',
    ticketPrice: 25.5,
    quantity: 2,
    totalAmount: 51,
    refund: null,
    ticketId: null,
    returnedTickets: 0,
  },
  ...{ purchaseDate: '2030-07-02T15:30:00.000Z', paymentStatus: 'completed', eventLocation: '9:30 Club' },
  ...{ eventDate: '2030-07-12T04:00:00.000Z', ...changes },
});
const page = (items: Customer[], nextCursor: string | null = null) => ({ items, nextCursor });
const open = (answers: Record<string, unknown> = {}) => {
  const calls = fakeApi({ [LIST]: page([customer('Ann')]), [TOTALS]: totals, ...answers });
  renderAt('/customers');
  return calls;
};
const row = (name: RegExp) => screen.findByRole('row', { name });
const asked = (calls: FakeCall[]) =>
  calls.filter(({ path }) => path.startsWith('/api/tickets/customers?')).at(-1)?.path;

test('shows totals, and rows with Paid for completed orders, else Pending, with refunds beside it', async () => {
  open({
    [LIST]: page([
      customer('Dee', { paymentStatus: 'pending' }),
      customer('Ann'),
      customer('Bob', { refund: 'refunding' }),
      customer('Cid', { returnedTickets: 1 }),
      customer('', { customerEmail: '' }),
    ]),
  });
  const ann = within(await row(/^Ann/));
  for (const words of ['ann@example.test', 'Go-Go Night', '2 × $25.50', '$51.00', 'Paid', '07/02/2030, 11:30 AM'])
    expect(ann.getByText(words)).toBeTruthy();
  expect(within(await row(/^Dee/)).getByText('Pending', { selector: 'span' })).toBeTruthy();
  const bob = within(await row(/^Bob/));
  expect([bob.getByText('Paid'), bob.getByText('Refund requested')]).toHaveLength(2);
  expect(within(await row(/^Cid/)).getByText('1 of 2 refunded')).toBeTruthy();
  expect(await row(/^Name erased/)).toBeTruthy();
  const figure = (name: string) => screen.getByText(name).nextSibling?.textContent;
  await waitFor(() => expect(figure('Unique buyers')).toBe('1,234'));
  expect([figure('Total revenue'), figure('Total tickets'), figure('Average order value')]).toEqual([
    '$5,432.10',
    '2,345',
    '$25.50',
  ]);
});

test('the server searches, filters and pages', async () => {
  const calls = open({
    [LIST]: ({ path }: FakeCall) =>
      path.includes('cursor=two')
        ? page([customer('Zed')])
        : path.includes('q=')
          ? page([])
          : page([customer('Ann')], 'two'),
  });
  await row(/^Ann/);
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));
  await row(/^Zed/);
  expect(asked(calls)).toBe('/api/tickets/customers?status=all&cursor=two');
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Pending' }));
  await waitFor(() => expect(asked(calls)).toBe('/api/tickets/customers?status=pending'));
  expect(screen.getByRole('button', { name: 'Pending' }).getAttribute('aria-pressed')).toBe('true');
  await userEvent.type(screen.getByLabelText('Search'), '50% & "x"');
  expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
  await waitFor(() => expect(asked(calls)).toBe('/api/tickets/customers?status=pending&q=50%25+%26+%22x%22'));
  expect(document.activeElement).toBe(screen.getByLabelText('Search'));
});

test('rows and totals refresh every 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let more: Customer[] = [];
    const calls = open({
      [LIST]: () => page([...more, customer('Ann')]),
      [TOTALS]: () => ({ ...totals, uniqueBuyers: 1_234 + more.length }),
    });
    await row(/^Ann/);
    await screen.findByText('1,234');
    const before = calls.length;
    more = [customer('Zed')];
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(calls).toHaveLength(before);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await row(/^Zed/)).toBeTruthy();
    expect(await screen.findByText('1,235')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('the export applies the list’s filters, and its URL contains no token', async () => {
  const calls = open({ 'GET /api/tickets/customers.csv': () => answer(200, 'Order number\r\n') });
  await row(/^Ann/);
  await userEvent.click(screen.getByRole('button', { name: 'Paid' }));
  await userEvent.type(screen.getByLabelText('Search'), 'ann');
  URL.createObjectURL = vi.fn(() => 'blob:x');
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await waitFor(() => expect(asked(calls)).toContain('q=ann'));
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(clicks).toHaveBeenCalled());
  const file = calls.find(({ path }) => path.includes('.csv'));
  expect([file?.path, file?.headers.get('authorization')]).toEqual([
    '/api/tickets/customers.csv?status=paid&q=ann',
    'Bearer token-1',
  ]);
  clicks.mockRestore();
});

test('a failed export shows an error, and the list stays', async () => {
  open({ 'GET /api/tickets/customers.csv': () => problem(503, 'unavailable') });
  await row(/^Ann/);
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('Not saved')).toBeTruthy();
  expect(await row(/^Ann/)).toBeTruthy();
});

test('details of an order open in a dialog, which escapes names', async () => {
  const name = '<img src=x onerror=alert(1)> \u05d3\u05e0\u05d4';
  const one = customer(name, { orderNumber: null });
  const { tickets: _tickets, claimable: _claimable, extendable: _extendable, ...order } = orderFixture();
  const { ticketCode: _code, qrCode: _qr, ...ticket } = ticketFixture(1, { isCheckedIn: true });
  const calls = open({
    [LIST]: page([one]),
    [`GET /api/orders/${one.id}/managed`]: {
      ...{ order, tickets: [ticket], paymentUnavailable: false, mails: [] },
      payment: {
        ...{ paymentId: 'pi_1', status: 'succeeded', amountCents: 5100, feeCents: 255, organizerCents: 4845 },
        ...{ returnedCents: 2550, succeededAt: '2030-07-02T15:30:00.000Z', disputes: [] },
      },
      refunds: [
        {
          ...{ id: one.id, cause: 'refunded-by-organizer', reason: 'One is ill', ticketIds: [one.id], amount: 2550 },
          ...{ state: 'requested', requestedAt: '2030-07-03T15:30:00.000Z', refundedAt: null },
        },
      ],
      history: [{ at: '2030-07-02T15:30:00.000Z', type: 'TicketsSold', text: '2 tickets sold.' }],
    },
  });
  await screen.findByRole('button', { name: `View Details of ${name}` });
  expect(calls.some(({ path }) => path.includes('/managed'))).toBe(false);
  await userEvent.click(await screen.findByRole('button', { name: `View Details of ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name }));
  for (const words of ['No number yet', '9:30 Club', 'Friday, July 12, 2030', '2 × $25.50'])
    expect(dialog.getByText(words)).toBeTruthy();
  expect(document.querySelector('img[src="x"]')).toBeNull();
  for (const words of [
    '$51.00 paid 07/02/2030, 11:30 AM: $48.45 for the organizer, $2.55 platform fee. $25.50 returned.',
    'Ticket 1: $25.00, valid, checked in',
    '07/03/2030, 11:30 AM: $25.50, requested (One is ill)',
    '07/02/2030, 11:30 AM: 2 tickets sold.',
  ])
    expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toContain(words);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an order that cannot be loaded still shows its row, with a retry', async () => {
  const one = customer('Ann');
  open({ [LIST]: page([one]), [`GET /api/orders/${one.id}/managed`]: () => problem(503, 'unavailable') });
  await userEvent.click(await screen.findByRole('button', { name: 'View Details of Ann' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann' }));
  expect(await dialog.findByRole('button', { name: 'Retry' })).toBeTruthy();
  expect(dialog.getByText('9:30 Club')).toBeTruthy();
});

test('a failure shows Retry and no sample rows; unavailable totals are not shown as zero', async () => {
  let tries = 0;
  open({
    [LIST]: () =>
      tries++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : page([customer('Ann')]),
    [TOTALS]: () => problem(503, 'unavailable'),
  });
  expect(await screen.findByText('Back in a moment.')).toBeTruthy();
  expect(screen.queryByRole('row')).toBeNull();
  await waitFor(() => expect(screen.getByText('Unique buyers').nextSibling?.textContent).toBe('–'));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await row(/^Ann/)).toBeTruthy();
});

test('without customers the page shows an empty state', async () => {
  open({ [LIST]: page([]) });
  expect(await screen.findByRole('heading', { name: 'No customers yet' })).toBeTruthy();
});

test('a user account sees that the page is for business accounts, and requests nothing', async () => {
  sessionStore.set(sessionFixture({ role: 'user' }));
  const calls = open();
  expect(await screen.findByRole('heading', { name: 'This page is for organizers' })).toBeTruthy();
  expect(calls.filter(({ path }) => path.includes('customers'))).toEqual([]);
});
test('an account that lost its role sees that the page is for business accounts', async () => {
  open({ [LIST]: () => problem(403, 'forbidden') });
  expect(await screen.findByRole('heading', { name: 'This page is for organizers' })).toBeTruthy();
});
test('a signed-out visitor signs in first', async () => {
  sessionStore.clear();
  open();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fcustomers'));
});

test('a mistyped email address is corrected without loading the order again; the tickets are mailed again', async () => {
  const one = customer('Ann');
  const { tickets: _tickets, claimable: _claimable, extendable: _extendable, ...order } = orderFixture();
  const { ticketCode: _code, qrCode: _qr, ...ticket } = ticketFixture(1);
  const calls = open({
    [LIST]: page([one]),
    [`GET /api/orders/${one.id}/managed`]: {
      ...{ order: { ...order, orderId: one.id }, tickets: [ticket], payment: null, paymentUnavailable: false },
      ...{ refunds: [], history: [], mails: [] },
    },
    [`PUT /api/orders/${one.id}/address`]: () => answer(204),
    [`POST /api/orders/${one.id}/mail`]: () => answer(204),
  });
  await userEvent.click(within(await row(/^Ann/)).getByRole('button', { name: /^View Details/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Correct the email address' }));
  const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Correct and send the tickets' });
  expect(send.disabled).toBe(true);
  const field = screen.getByLabelText('The buyer’s email');
  await userEvent.clear(field);
  await userEvent.type(field, 'anne@');
  await userEvent.click(send);
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.type(field, 'example.com');
  await userEvent.click(send);
  expect(await screen.findByText('The tickets are on their way to anne@example.com.')).toBeTruthy();
  expect(await screen.findByText('We send emails about this order to anne@example.com.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText('On its way')).toBeTruthy();
  const made = calls.filter(({ path }) => path.startsWith('/api/orders/')).map(({ method, path }) => [method, path]);
  expect(made).toEqual([
    ['GET', `/api/orders/${one.id}/managed`],
    ['PUT', `/api/orders/${one.id}/address`],
    ['POST', `/api/orders/${one.id}/mail`],
  ]);
});
