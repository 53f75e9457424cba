import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { orderMemory } from '../../features/checkout/order-memory.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { traceShare } from '../../lib/http/trace.ts';
import { noteServerTime } from '../../lib/time/server-clock.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';
import { Hold } from '@beltway/contracts/ticketing/tickets';
import { SandboxElements } from '../../sandbox-stripe/elements.ts';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { inMinutes, intentFixture, ORDER_ID, orderFixture } from '../../testing/orders.ts';
import {
  challenged,
  CONFIRM_CARD,
  configFixture,
  declined,
  intentOf,
  PAYMENT_ID,
  RETRIEVE_INTENT,
  typeCard,
} from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));

const INTENT = 'POST /api/create-ticket-payment-intent';
const HOLD = 'POST /api/holds';
const IDENTICAL = `GET /api/orders/${ORDER_ID}/identical`;
const PROCESS = 'POST /api/process-ticket-purchase';
const around = () => ({
  [HOLD]: held(),
  'GET /api/config': configFixture(),
  'GET /api/events/7': eventFixture(),
  'GET /api/events': [],
  'POST /api/order-keys': { key: 'guest-key' },
  [INTENT]: intentFixture(),
  [`GET /api/orders/${ORDER_ID}`]: orderFixture(),
  [IDENTICAL]: { order: null },
});
const bought = { orderId: ORDER_ID, status: 'fulfilled', eventId: 7, eventTitle: 'Go-Go on the Roof', quantity: 2 };
/** Stores an order as an earlier page of this tab did. */
const remember = (isPaying = true) => {
  orderMemory.set(7, { order: Hold.parse(intentFixture()), isPaying });
  orderMemory.setHolder({ name: 'Ann Buyer', email: 'ann@example.com' });
};
/** Returns a hold of the requested quantity, as order ORDER_ID. */
const held =
  (changes: Partial<Hold> = {}) =>
  ({ body }: FakeCall) =>
    answer(201, Hold.parse(intentFixture({ quantity: (body as { quantity: number }).quantity, ...changes })));

fakeClock();
let user: UserEvent;
beforeEach(() => void (user = userEvent.setup({ delay: null })));
beforeEach(() => {
  sessionStorage.clear();
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  tabStorage.remove('beltway.holder'); // in memory when the storage was full
  document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
});

let app: ReturnType<typeof renderAt>;
const open = (answers: Record<string, unknown> = {}) => {
  const calls = fakeApi({ ...around(), ...answers });
  app = renderAt('/ticket-checkout?eventId=7');
  return { calls, to: (path: string) => calls.filter((call) => call.path === path) };
};
const name = () => screen.findByLabelText<HTMLInputElement>('Name on the tickets');
const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const quantity = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Number of tickets' });
const address = () => screen.getByTestId('address').textContent;
const press = (label: string | RegExp) => user.click(screen.getByRole('button', { name: label }));

async function fillDetails() {
  await user.type(await name(), 'Ann Buyer');
  await user.type(email(), 'ann@example.com');
  await press('One more');
  await press(/^Continue to payment/);
}
async function payWith(number?: string) {
  await typeCard(user, number);
  await press('Pay $50.00');
}

describe('an event whose tickets cannot be bought', () => {
  test('an unknown event is not found', async () => {
    open({ 'GET /api/events/7': () => problem(404, 'not-found') });
    expect(await screen.findByRole('heading', { name: 'Event Not Found' })).toBeTruthy();
  });
  test('a URL without an event number makes no request', async () => {
    const calls = fakeApi(around());
    renderAt('/ticket-checkout?eventId=abc');
    expect(await screen.findByRole('heading', { name: 'Event Not Found' })).toBeTruthy();
    expect(calls.filter(({ path }) => path.startsWith('/api/events/'))).toEqual([]);
  });
  test.for([
    ['no tickets', { hasTickets: false }, 'Tickets Not Available'],
    ['sales are over', { ticketSalesEndTime: '2020-01-01T00:00:00.000Z' }, 'Tickets Not Available'],
    ['sales have not begun', { ticketSalesStartTime: '2030-07-01T16:00:00.000Z' }, 'Tickets Not Available'],
    ['canceled', { status: 'canceled' }, 'Tickets Not Available'],
    ['sold out', { soldTickets: 100 }, 'Sold Out'],
  ] as const)('%s', async ([, changes, title]) => {
    open({ 'GET /api/events/7': eventFixture(changes) });
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    const words = screen.queryByText('Ticket sales are not currently available for this event.');
    expect(words).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the event' }).getAttribute('href')).toBe('/event/7');
  });
  test('shows other options: date, directions, calendar, share, and events whose tickets can be bought', async () => {
    const other = eventFixture({ id: 9, title: 'Another Roof' });
    const unsold = eventFixture({ hasTickets: false });
    open({
      'GET /api/events/7': unsold,
      'GET /api/events': [unsold, eventFixture({ id: 8, soldTickets: 100 }), other],
    });
    const about = within(await screen.findByRole('region', { name: 'Go-Go on the Roof' }));
    expect(about.getByText(/Fri, Jul 12.*, 7 PM$/)).toBeTruthy();
    expect(about.getByText('U Street, Washington, DC')).toBeTruthy();
    expect(about.getByRole('link', { name: /^Directions/ }).getAttribute('href')).toContain('destination=U+Street');
    expect(await about.findByRole('button', { name: 'Add to calendar' })).toBeTruthy();
    expect(about.getByRole('button', { name: 'Share' })).toBeTruthy();
    expect(about.queryByText('Free entry, no ticket needed')).toBeNull();
    const others = within(await screen.findByRole('region', { name: 'Tickets you can still get' }));
    expect(others.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/event/9']);
  });
  test('free entry is shown if the organizer stated it', async () => {
    open({ 'GET /api/events/7': eventFixture({ hasTickets: false, freeEntry: true }) });
    expect(await screen.findByText('Free entry, no ticket needed')).toBeTruthy();
  });
  test('an event that is over leads to other events, not to its place', async () => {
    const over = eventFixture({ eventDate: '2020-07-12T04:00:00.000Z' });
    open({ 'GET /api/events/7': over, 'GET /api/events': [eventFixture({ id: 9 })] });
    expect(await screen.findByRole('region', { name: 'Tickets you can still get' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^Directions/ })).toBeNull();
  });
  test('shows when sales begin', async () => {
    open({ 'GET /api/events/7': eventFixture({ ticketSalesStartTime: '2030-07-01T16:00:00.000Z' }) });
    expect(await screen.findByText('Sales start on 07/01/2030, 12:00 PM.')).toBeTruthy();
  });
});

describe('the details step', () => {
  test.each([
    [{}, 'Full refund until Thu, Jul 11, 2030, 7 PM ET.'],
    [{ refundDeadlineHours: 72 }, 'Full refund until Tue, Jul 9, 2030, 7 PM ET.'],
    [{ refundDeadlineHours: 0 }, 'Full refund until Fri, Jul 12, 2030, 7 PM ET.'],
    [{ refundDeadlineHours: null }, 'These tickets are non-refundable.'],
  ])('shows the refund deadline before payment: %o', async (changes, words) => {
    open({ 'GET /api/events/7': eventFixture(changes) });
    await name();
    expect(within(screen.getByRole('complementary', { name: 'Order summary' })).getByText(words)).toBeTruthy();
  });
  test('after the refund deadline, the summary and the text beside the button show that it has passed', async () => {
    vi.setSystemTime('2030-07-12T16:00:00.000Z');
    open({ 'GET /api/events/7': eventFixture() });
    await name();
    const passed = 'The refund deadline (Thu, Jul 11, 2030, 7 PM ET) has passed.';
    const summary = within(screen.getByRole('complementary', { name: 'Order summary' }));
    expect(summary.getByText(passed)).toBeTruthy();
    const button = screen.getByRole('button', { name: /^Continue to payment/ });
    expect(button.parentElement?.textContent).toContain(passed);
    await fillDetails();
    const pay = await screen.findByRole('button', { name: 'Pay $50.00' });
    expect(pay.closest('form')?.textContent).toContain(passed);
  });
  test('only the brand and Back are around the form', async () => {
    open();
    await name();
    const header = within(screen.getAllByRole('banner')[0]!);
    await header.findByRole('link', { name: 'Back' });
    expect(header.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Beltway', 'Back']);
    expect(header.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('navigation', { name: 'Bottom' })).toBeNull();
    expect(screen.queryByRole('contentinfo')).toBeNull();
    await user.click(header.getByRole('link', { name: 'Back' }));
    await waitFor(() => expect(address()).toBe('/event/7'));
  });
  test('Back leads to the page before the checkout', async () => {
    fakeApi(around());
    const { navigate } = renderAt('/terms');
    act(() => navigate('/ticket-checkout?eventId=7'));
    await name();
    await user.click(await screen.findByRole('link', { name: 'Back' }));
    await waitFor(() => expect(address()).toBe('/terms'));
  });
  test('name and email are filled in from the account', async () => {
    sessionStore.set(sessionFixture());
    open();
    expect((await name()).value).toBe('Ann');
    expect(email().value).toBe('ann@example.com');
  });
  test('details of one account are not filled in for the next one on the same device', async () => {
    sessionStore.set(sessionFixture());
    orderMemory.setHolder({ name: 'Ann Buyer', email: 'ann@example.com' });
    sessionStore.set(sessionFixture({ id: 9, name: 'Bob', email: 'bob@example.com' }));
    open();
    expect((await name()).value).toBe('Bob');
    expect(email().value).toBe('bob@example.com');
  });
  test('a buyer can enter details and hold tickets in a tab whose storage is full', async () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => null,
      removeItem: () => undefined,
      setItem() {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    open();
    await fillDetails();
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
    expect(screen.getByText('Ann Buyer')).toBeTruthy();
    await press('Edit details');
    cleanup();
    open({ [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'held', holdUntil: inMinutes(6) }) });
    expect(await screen.findByText('Ann Buyer')).toBeTruthy();
  });
  test('the quantity is at least 1 and at most what is left', async () => {
    open({ 'GET /api/events/7': eventFixture({ totalTickets: 45, soldTickets: 42 }) });
    await name();
    expect(screen.getByText('Only 3 available')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'One less' })).toHaveProperty('disabled', true);
    await user.clear(quantity());
    await user.type(quantity(), '25{Enter}');
    expect(quantity().value).toBe('3');
    expect(screen.getByRole('button', { name: 'One more' })).toHaveProperty('disabled', true);
    expect(screen.getByText('$75.00', { selector: 'dd.text-title' })).toBeTruthy();
  });
  test('the quantity is at most 10', async () => {
    open();
    await name();
    await user.clear(quantity());
    await user.type(quantity(), '99');
    await user.tab();
    expect(quantity().value).toBe('10');
  });
  test('a fractional quantity is refused, not rounded', async () => {
    const { to } = open();
    await user.type(await name(), 'Ann Buyer');
    await user.type(email(), 'ann@example.com');
    await user.clear(quantity());
    await user.type(quantity(), '2.7');
    await press(/^Continue/);
    expect(await screen.findByText('Enter a whole number from 1 to 10')).toBeTruthy();
    expect(to('/api/create-ticket-payment-intent')).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(quantity()));
    await user.clear(quantity());
    await user.type(quantity(), '2');
    await press(/^Continue/);
    await waitFor(() =>
      expect(to('/api/create-ticket-payment-intent').map(({ body }) => body)).toMatchObject([{ quantity: 2 }]),
    );
  });
  test('the payment step needs a name and a valid email', async () => {
    const { to } = open();
    await name();
    await press(/^Continue to payment/);
    expect(await screen.findByText('Enter a name for the tickets.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name on the tickets')));
    await user.type(await name(), '  Ann ');
    await user.type(email(), 'ann');
    await press(/^Continue to payment/);
    expect(await screen.findByText('Enter a valid email. We’ll send your tickets there.')).toBeTruthy();
    expect(to('/api/create-ticket-payment-intent')).toEqual([]);
    await user.type(email(), '@example.com');
    await press(/^Continue to payment/);
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
    expect(to('/api/create-ticket-payment-intent')[0]?.body).toEqual({
      eventId: 7,
      quantity: 1,
      ticketHolderName: 'Ann',
      ticketHolderEmail: 'ann@example.com',
      orderId: ORDER_ID,
      accessKey: 'key-1',
    });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payment' }));
  });
  test('a field error of the server is shown at its field, which gets the focus', async () => {
    const errors = [{ field: 'ticketHolderEmail', message: 'Please enter a valid email address' }];
    open({ [INTENT]: () => problem(400, 'invalid', { errors }) });
    await fillDetails();
    expect(await screen.findByText('Please enter a valid email address')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(email()));
    expect(screen.queryByText('Setup Error')).toBeNull();
  });
  test.for([
    ['not-enough-left', /^Only 1 ticket is left/],
    ['too-many-holds', /^Only 1 ticket is left/],
    ['sales-ended', /^Ticket sales for this event have ended/],
  ] as const)('a hold that is refused as %s shows the reason and no Setup Error', async ([code, words]) => {
    let isRefused = true;
    const { to } = open({
      [HOLD]: (call: FakeCall) => (isRefused ? problem(409, code, { detail: 'Only 1 ticket is left.' }) : held()(call)),
    });
    expect((await screen.findByRole('alert')).textContent).toMatch(words);
    expect(screen.queryByRole('timer')).toBeNull();
    expect(screen.queryByText('Setup Error')).toBeNull();
    await press('One more');
    expect(screen.queryByRole('alert')).toBeNull();
    // Tickets were released, so the next try succeeds.
    isRefused = false;
    await user.type(await name(), 'Ann Buyer');
    await user.type(email(), 'ann@example.com');
    await press(/^Continue to payment/);
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
    expect(to('/api/holds').map(({ body }) => body)).toEqual([
      { eventId: 7, quantity: 1 },
      { eventId: 7, quantity: 2 },
    ]);
  });
  test('all tickets held by others: the buttons are disabled with the reason, and Try again requests a new hold', async () => {
    let tries = 0;
    const { to } = open({ [HOLD]: (call: FakeCall) => (tries++ === 0 ? problem(409, 'all-held') : held()(call)) });
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The last tickets are in other people’s carts/);
    expect(screen.getByText('All in other carts right now')).toBeTruthy();
    for (const label of ['One more', 'One less', 'All in other carts'])
      expect(screen.getByRole('button', { name: label })).toHaveProperty('disabled', true);
    expect(quantity().disabled).toBe(true);
    expect(screen.queryByRole('button', { name: /^Continue to payment/ })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('timer')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    const keys = to('/api/holds').map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
  });
  test('a hold that is refused with the code sold-out shows Sold Out', async () => {
    let isGone = false;
    open({
      'GET /api/events/7': () => eventFixture({ soldTickets: isGone ? 100 : 42 }),
      [HOLD]: () => {
        isGone = true;
        return problem(409, 'sold-out');
      },
    });
    expect(await screen.findByRole('heading', { name: 'Sold Out' })).toBeTruthy();
    expect(screen.getByText('Ticket sales are not currently available for this event.')).toBeTruthy();
  });
  test('a payment that cannot be set up is a Setup Error, and nothing typed is lost', async () => {
    open({ [INTENT]: () => problem(503, 'payments-unavailable', { detail: 'Payments cannot be reached.' }) });
    await fillDetails();
    expect(await screen.findByText('Setup Error')).toBeTruthy();
    expect(screen.getByText('Unable to initialize payment. Please try again.')).toBeTruthy();
    expect((await name()).value).toBe('Ann Buyer');
    expect(quantity().value).toBe('2');
  });
});

describe('the payment step', () => {
  test('requests the provider’s wallets before cards', async () => {
    const create = vi.spyOn(SandboxElements.prototype, 'create');
    open();
    await fillDetails();
    await screen.findByLabelText('Card number');
    expect(create.mock.calls[0]?.[1]?.paymentMethodOrder?.slice(0, 2)).toEqual(['apple_pay', 'google_pay']);
    create.mockRestore();
  });
  test('a payment leads to the tickets, with a toast', async () => {
    const { to } = open({ [CONFIRM_CARD]: intentOf('succeeded'), [PROCESS]: bought });
    await fillDetails();
    await payWith();
    expect(await screen.findByText('Tickets Purchased Successfully!')).toBeTruthy();
    expect(screen.getByText('2 tickets for Go-Go on the Roof')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`));
    expect(to('/api/process-ticket-purchase')[0]?.body).toEqual({ paymentIntentId: PAYMENT_ID });
    expect(localStorage.getItem('beltway.order.7')).toBeNull();
    expect(await screen.findAllByRole('img', { name: /^QR code of ticket/ })).toHaveLength(2);
  });
  test('when processing fails after the card was charged, the success page waits for the tickets', async () => {
    let asked = 0;
    open({
      [CONFIRM_CARD]: intentOf('succeeded'),
      [PROCESS]: () => problem(503, 'unavailable'),
      [`GET /api/orders/${ORDER_ID}`]: () =>
        asked++ === 0 ? orderFixture({ status: 'held', tickets: [] }) : orderFixture(),
    });
    await fillDetails();
    await payWith();
    expect(await screen.findByRole('heading', { name: 'Making your tickets…' })).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
    expect(await screen.findByText('Tickets Purchased Successfully!')).toBeTruthy();
  });
  test('a declined card shows the provider’s message, keeps the form, and shows the extended hold', async () => {
    const until = inMinutes(17);
    open({
      [CONFIRM_CARD]: declined,
      [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'held', holdUntil: until }),
    });
    await fillDetails();
    await payWith('4000000000000002');
    expect(await screen.findByText('Payment Failed')).toBeTruthy();
    const notice = await screen.findByRole('alert');
    expect(within(notice).getByText('Your card was declined.')).toBeTruthy();
    expect(within(notice).getByText(/^You weren’t charged\. .* try another card/)).toBeTruthy();
    expect(document.activeElement).toBe(notice);
    expect(screen.getByLabelText('Security code')).toHaveProperty('value', '123');
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^1[67]:/));
    expect(screen.getByText('You have more time now.')).toBeTruthy();
  });
  test('a card that is declined twice with the same message focuses the message again', async () => {
    open({ [CONFIRM_CARD]: declined });
    await fillDetails();
    await payWith('4000000000000002');
    await screen.findByRole('alert');
    await press('Pay $50.00');
    await waitFor(() => expect(document.activeElement).toBe(screen.queryByRole('alert') ?? 'none'));
  });
  test('the toast of a declined card is dismissed by the next try and never shown beside the tickets', async () => {
    let tries = 0;
    const next = Promise.withResolvers<unknown>();
    open({
      [CONFIRM_CARD]: () => (tries++ === 0 ? declined() : next.promise),
      // The payment succeeds but processing fails, so no other toast replaces the first one.
      [PROCESS]: () => problem(503, 'unavailable'),
    });
    await fillDetails();
    await payWith('4000000000000002');
    expect(await screen.findByText('Payment Failed')).toBeTruthy();
    await press('Pay $50.00');
    await waitFor(() => expect(screen.queryByText('Payment Failed')).toBeNull());
    next.resolve(intentOf('succeeded'));
    await waitFor(() => expect(address()).toContain('/ticket-success'));
    expect(screen.queryByText('Payment Failed')).toBeNull();
  });
  test('tickets that arrive after the page was left show a toast and do not navigate; the checkout then leads to them', async () => {
    const late = Promise.withResolvers<unknown>();
    const { to } = open({ [CONFIRM_CARD]: intentOf('succeeded'), [PROCESS]: () => late.promise });
    await fillDetails();
    await payWith();
    await waitFor(() => expect(to('/api/process-ticket-purchase')).toHaveLength(1));
    act(() => void app.navigate('/event/7'));
    await screen.findByRole('heading', { level: 1, name: 'Go-Go on the Roof' });
    await act(async () => late.resolve(bought));
    expect(await screen.findByText('Tickets Purchased Successfully!')).toBeTruthy();
    expect(address()).toBe('/event/7');
    act(() => void app.navigate('/ticket-checkout?eventId=7'));
    await waitFor(() => expect(address()).toContain(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`));
  });
  test('is traced if the server records traces, although no footer loaded the configuration', async () => {
    onTestFinished(() => traceShare(0));
    const { to } = open({
      'GET /api/config': configFixture({ tracesRatio: 1 }),
      'POST /api/client-spans': answer(204),
      [CONFIRM_CARD]: intentOf('succeeded'),
      [PROCESS]: bought,
    });
    await fillDetails();
    await payWith();
    await waitFor(() => expect(address()).toContain('/ticket-success'));
    for (const { path, headers } of [...to('/api/create-ticket-payment-intent'), ...to('/api/process-ticket-purchase')])
      expect(headers.get('traceparent'), path).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(to('/api/client-spans').map(({ body }) => (body as { name: string }).name)).toContain('buy tickets');
  });
  test('is traced from the payment intent on, even if the page before left while it loaded the configuration', async () => {
    onTestFinished(() => traceShare(0));
    let asked = 0;
    const calls = fakeApi({
      ...around(),
      'GET /api/config': () => (asked++ === 0 ? new Promise(() => undefined) : configFixture({ tracesRatio: 1 })),
      'POST /api/client-spans': answer(204),
    });
    app = renderAt('/ticket-checkout?eventId=abc');
    const { queryKey } = configQuery();
    const left = app.queries.fetchQuery(configQuery()).catch(() => undefined);
    await app.queries.cancelQueries({ queryKey });
    await left;
    act(() => void app.navigate('/ticket-checkout?eventId=7'));
    await fillDetails();
    await screen.findByLabelText('Card number');
    const intent = calls.find(({ path }) => path === '/api/create-ticket-payment-intent')!;
    expect(intent.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
  test('a decline that arrives after the page was left shows no toast on the next page', async () => {
    const late = Promise.withResolvers<unknown>();
    const { to } = open({ [CONFIRM_CARD]: () => late.promise });
    await fillDetails();
    await payWith();
    await waitFor(() => expect(to(CONFIRM_CARD.split(' ')[1]!)).toHaveLength(1));
    act(() => void app.navigate(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`));
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
    await act(async () => late.resolve(declined()));
    expect(screen.queryByText('Payment Failed')).toBeNull();
  });
  test.for([
    [
      'the provider cannot be reached',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
    ['the provider is broken', () => answer(500, { error: { type: 'api_error', message: 'Internal error' } })],
  ] as const)('without a clear response from the provider, the server reports the payment: %s', async ([, confirm]) => {
    let asked = 0;
    const { to } = open({
      [CONFIRM_CARD]: confirm,
      [PROCESS]: () => (asked++ === 0 ? problem(503, 'unavailable') : bought),
    });
    await fillDetails();
    await payWith();
    expect(await screen.findByText(/^Don’t pay again yet/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Checking your payment…' })).toHaveProperty('disabled', true);
    expect(screen.queryByText(/You weren’t charged/)).toBeNull();
    await waitFor(() => expect(address()).toContain('/ticket-success'));
    expect(to('/api/process-ticket-purchase')).toHaveLength(2);
    expect(screen.queryByText('Payment Failed')).toBeNull();
  });
  test('without a clear response from the provider, the server reports no payment: nothing was charged', async () => {
    open({
      [CONFIRM_CARD]: () => {
        throw new TypeError('Failed to fetch');
      },
      [PROCESS]: { ...bought, status: 'held' },
    });
    await fillDetails();
    await payWith();
    expect(await screen.findByText(/^You weren’t charged\./)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Pay $50.00' })).toHaveProperty('disabled', false);
  });
  test('an intent that has already succeeded leads to the tickets', async () => {
    open({
      [CONFIRM_CARD]: () =>
        answer(400, {
          error: {
            type: 'invalid_request_error',
            code: 'payment_intent_unexpected_state',
            message: 'already succeeded',
            payment_intent: intentOf('succeeded'),
          },
        }),
      [PROCESS]: bought,
    });
    await fillDetails();
    await payWith();
    await waitFor(() => expect(address()).toContain('/ticket-success'));
    expect(screen.queryByText('Payment Failed')).toBeNull();
  });
  test('a 3-D Secure challenge is shown, and its success leads to the tickets', async () => {
    open({
      [CONFIRM_CARD]: challenged(),
      [RETRIEVE_INTENT]: intentOf('succeeded'),
      [PROCESS]: bought,
    });
    await fillDetails();
    await payWith('4000002500003155');
    const frame = await waitFor(
      () => document.querySelector('dialog iframe') ?? Promise.reject(new Error('no dialog')),
    );
    Object.defineProperty(frame, 'contentWindow', { value: window });
    const data = { type: 'sbx-3ds', source: 'src_1', outcome: 'succeeded' };
    act(() => void window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin, source: window })));
    await waitFor(() => expect(address()).toContain('/ticket-success'));
  });
  test('a card form that cannot be loaded can be loaded again', async () => {
    let isDown = true;
    open({ 'GET /api/config': () => (isDown ? answer(500) : around()['GET /api/config']) });
    await fillDetails();
    expect(await screen.findByText('Unable to initialize payment')).toBeTruthy();
    isDown = false;
    await press('Retry');
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
  });
});

describe('the hold', () => {
  const keysOf = (calls: FakeCall[]) => calls.map(({ headers }) => headers.get('idempotency-key'));

  test('is requested when the page opens, before anything is typed and before the payment intent', async () => {
    const { calls, to } = open();
    expect(await screen.findByRole('timer')).toBeTruthy();
    expect(to('/api/holds').map(({ body }) => body)).toEqual([{ eventId: 7, quantity: 1 }]);
    expect(to('/api/create-ticket-payment-intent')).toEqual([]);
    await user.type(await name(), 'Ann Buyer');
    await user.type(email(), 'ann@example.com');
    await press(/^Continue to payment/);
    await screen.findByLabelText('Card number');
    expect(to('/api/holds')).toHaveLength(1);
    expect(to('/api/create-ticket-payment-intent')[0]?.body).toMatchObject({ orderId: ORDER_ID, accessKey: 'key-1' });
    const paths = calls.map(({ path }) => path);
    expect(paths.indexOf('/api/holds')).toBeLessThan(paths.indexOf('/api/create-ticket-payment-intent'));
  });
  test('is requested again with the same key when a reload loses the response', async () => {
    orderMemory.set(7, { asked: { key: 'asked-before', quantity: 3 } });
    const { to } = open();
    expect(await screen.findByRole('timer')).toBeTruthy();
    expect(quantity().value).toBe('3');
    expect(keysOf(to('/api/holds'))).toEqual(['guest-key.asked-before']);
    expect(to('/api/holds')[0]?.body).toEqual({ eventId: 7, quantity: 3 });
  });
  test('is requested when the sale opens, with a guest key requested in advance', async () => {
    const { to } = open({ 'GET /api/events/7': eventFixture({ ticketSalesStartTime: inMinutes(0.02) }) });
    expect(await screen.findByText(/Stay here and we’ll hold a ticket/)).toBeTruthy();
    await waitFor(() => expect(to('/api/order-keys')).toHaveLength(1));
    expect(to('/api/holds')).toEqual([]);
    expect(await screen.findByText('Held for you:', { exact: false })).toBeTruthy();
    expect(to('/api/holds')).toHaveLength(1);
  });
  test('is requested when the server’s clock reaches the start of sales, on a device that is 15 minutes behind', async () => {
    noteServerTime(answer(200, '', { date: new Date(Date.now() + 15 * 60_000).toUTCString() }), 'POST');
    const { to } = open({
      'GET /api/events/7': eventFixture({ ticketSalesStartTime: inMinutes(5) }),
      [HOLD]: held({ holdUntil: inMinutes(25) }),
    });
    expect(await screen.findByText('Held for you:', { exact: false })).toBeTruthy();
    expect(to('/api/holds')).toHaveLength(1);
    noteServerTime(answer(200, '', { date: new Date().toUTCString() }), 'POST');
  });
  test('is exchanged when the quantity changes, once for several presses', async () => {
    const { to } = open();
    await screen.findByRole('timer');
    await press('One more');
    await press('One more');
    await waitFor(() => expect(to('/api/holds')).toHaveLength(2));
    expect(to('/api/holds')[1]?.body).toEqual({
      eventId: 7,
      quantity: 3,
      replaces: { orderId: ORDER_ID, accessKey: 'key-1' },
    });
    await waitFor(() => expect(orderMemory.get(7)?.order?.quantity).toBe(3));
  });
  test('is shared by all tabs: a second tab continues with it and shows an exchange in another tab', async () => {
    orderMemory.set(7, { order: Hold.parse(intentFixture()) });
    const { to } = open({ [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'held', holdUntil: inMinutes(6) }) });
    expect((await screen.findByRole('timer')).textContent).toMatch(/^[56]:/);
    expect(quantity().value).toBe('2');
    const OTHER_ID = '7f1f9d0e-52c7-4a5b-9a53-0d6f0a7c1b11';
    orderMemory.set(7, { order: Hold.parse(intentFixture({ orderId: OTHER_ID, quantity: 4 })) });
    act(() => void window.dispatchEvent(Object.assign(new Event('storage'), { key: 'beltway.order.7' })));
    await waitFor(() => expect(quantity().value).toBe('4'));
    expect(to('/api/holds')).toEqual([]);
  });
  test('is exchanged when the quantity is changed after the payment step', async () => {
    const OTHER_ID = '7f1f9d0e-52c7-4a5b-9a53-0d6f0a7c1b11';
    const { to } = open({
      [HOLD]: (call: FakeCall) =>
        held((call.body as { quantity: number }).quantity === 3 ? { orderId: OTHER_ID } : {})(call),
    });
    await fillDetails();
    await screen.findByLabelText('Card number');
    await press('Edit details');
    expect((await name()).value).toBe('Ann Buyer');
    await press('One more');
    await press(/^Continue to payment/);
    await screen.findByLabelText('Card number');
    expect(to('/api/holds').at(-1)?.body).toEqual({
      eventId: 7,
      quantity: 3,
      replaces: { orderId: ORDER_ID, accessKey: 'key-1' },
    });
    expect(to('/api/create-ticket-payment-intent')[1]?.body).toMatchObject({ quantity: 3, orderId: OTHER_ID });
  });
  test('can be extended once, in its last three minutes', async () => {
    const { to } = open({
      [INTENT]: intentFixture({ holdUntil: inMinutes(2) }),
      [`POST /api/holds/${ORDER_ID}/extension`]: intentFixture({ holdUntil: inMinutes(12), extendable: false }),
    });
    await fillDetails();
    await user.click(await screen.findByRole('button', { name: 'Give me 10 more minutes' }));
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^1[12]:/));
    expect(screen.queryByRole('button', { name: 'Give me 10 more minutes' })).toBeNull();
    expect(to(`/api/holds/${ORDER_ID}/extension`)[0]?.headers.get('x-order-key')).toBe('key-1');
  });
  test('cannot be extended before its last three minutes', async () => {
    open();
    await fillDetails();
    expect((await screen.findByRole('timer')).textContent).toMatch(/^(10|[4-9]):\d\d/);
    expect(screen.queryByRole('button', { name: 'Give me 10 more minutes' })).toBeNull();
  });
  test('can be extended when a device wakes in the last three minutes', async () => {
    open({ [HOLD]: held({ holdUntil: inMinutes(10) }) });
    await screen.findByRole('timer');
    expect(screen.queryByRole('button', { name: 'Give me 10 more minutes' })).toBeNull();
    vi.setSystemTime(Date.now() + 8 * 60_000);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(screen.getByRole('button', { name: 'Give me 10 more minutes' })).toBeTruthy();
    expect(screen.getByRole('timer').textContent).toMatch(/^[12]:/);
  });
  test('that lapses on the details step shows a note, and Try again keeps the details', async () => {
    const { to } = open({
      [INTENT]: intentFixture({ holdUntil: inMinutes(0.05) }),
      [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'expired', tickets: [] }),
    });
    await fillDetails();
    await user.click(await screen.findByRole('button', { name: 'Edit details' }));
    expect(await screen.findByRole('heading', { name: 'Your time is up' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your time is up' }));
    await press('Try again');
    expect((await name()).value).toBe('Ann Buyer');
    expect((await screen.findByRole('timer')).textContent).toMatch(/^(10|9):/);
    expect(to('/api/holds').at(-1)?.body).toEqual({ eventId: 7, quantity: 2 });
  });
  test('has a countdown based on the server’s clock, on a device that is 15 minutes ahead', async () => {
    const now = Date.now();
    open({
      [HOLD]: () =>
        answer(201, Hold.parse(intentFixture({ quantity: 1, holdUntil: new Date(now - 5 * 60_000).toISOString() })), {
          date: new Date(now - 15 * 60_000).toUTCString(),
        }),
    });
    expect((await screen.findByRole('timer')).textContent).toMatch(/^(10|9):/);
    expect(screen.queryByText(/your time is up/i)).toBeNull();
    noteServerTime(answer(200, '', { date: new Date().toUTCString() }), 'POST');
  });
  test('that lapsed only on the device’s clock is kept until the server ends it, even without a Date header', async () => {
    const past = () => new Date(Date.now() - 5 * 60_000).toISOString();
    let status: 'held' | 'fulfilled' = 'held';
    const { to } = open({
      [HOLD]: held({ holdUntil: past() }),
      [`GET /api/orders/${ORDER_ID}`]: () =>
        status === 'held' ? orderFixture({ status, holdUntil: past(), tickets: [] }) : orderFixture(),
    });
    expect(await screen.findByText(/^Checking your tickets/)).toBeTruthy();
    await waitFor(() => expect(to(`/api/orders/${ORDER_ID}`).length).toBeGreaterThan(1));
    expect(screen.queryByText(/you weren’t charged/i)).toBeNull();
    expect(screen.getByRole('heading', { name: 'Get your tickets' })).toBeTruthy();
    expect(orderMemory.get(7)?.order?.orderId).toBe(ORDER_ID);
    status = 'fulfilled';
    await waitFor(() => expect(address()).toContain('/ticket-success'));
  });
  test('that has lapsed while the server is unreachable is remembered until the server responds', async () => {
    let tries = 0;
    const { to } = open({
      [HOLD]: held({ holdUntil: inMinutes(0.01) }),
      [`GET /api/orders/${ORDER_ID}`]: () => {
        if (tries++ === 0) throw new TypeError('Failed to fetch');
        if (tries === 2) return problem(503, 'unavailable');
        return orderFixture({ status: 'expired', tickets: [] });
      },
    });
    expect(await screen.findByText(/^Still checking/)).toBeTruthy();
    expect(screen.queryByText(/you weren’t charged/i)).toBeNull();
    expect(orderMemory.get(7)?.order?.orderId).toBe(ORDER_ID);
    expect(await screen.findByRole('heading', { name: 'Your time is up' })).toBeTruthy();
    expect(to(`/api/orders/${ORDER_ID}`).length).toBeGreaterThan(2);
    expect(screen.getByText(/you weren’t charged/i)).toBeTruthy();
  });
  test('unknown to the server: the page makes no claim about a charge', async () => {
    open({
      [HOLD]: (call: FakeCall) => held({ holdUntil: inMinutes(0.01) })(call),
      [`GET /api/orders/${ORDER_ID}`]: () => problem(404, 'not-found'),
    });
    expect(await screen.findByRole('heading', { name: 'We can’t find this order' })).toBeTruthy();
    expect(screen.queryByText(/you weren’t charged/i)).toBeNull();
    await press('Start a new order');
    expect((await screen.findByRole('timer')).textContent).toMatch(/^0:/);
  });
});

describe('a reloaded checkout', () => {
  test('resumes the same order at the payment step', async () => {
    remember();
    const { to } = open({ [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'held', holdUntil: inMinutes(6) }) });
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
    expect(to('/api/create-ticket-payment-intent')).toHaveLength(1);
    expect(to('/api/create-ticket-payment-intent')[0]?.body).toMatchObject({ orderId: ORDER_ID, accessKey: 'key-1' });
    expect(screen.getByText('Ann Buyer')).toBeTruthy();
  });
  test('stays at the details step before name and email were sent', async () => {
    remember(false);
    const { to } = open({ [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'held', holdUntil: inMinutes(6) }) });
    expect((await name()).value).toBe('Ann Buyer');
    expect(screen.getByRole('timer').textContent).toMatch(/^[56]:/);
    expect([to('/api/holds'), to('/api/create-ticket-payment-intent')]).toEqual([[], []]);
  });
  test('resumes even if the other tickets are sold out', async () => {
    remember();
    open({
      'GET /api/events/7': eventFixture({ soldTickets: 100 }),
      [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'held', holdUntil: inMinutes(6) }),
    });
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
  });
  test('leads to the tickets after the payment', async () => {
    remember();
    open();
    await waitFor(() => expect(address()).toContain(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`));
  });
  test('shows that the hold lapsed and starts over', async () => {
    remember();
    open({ [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'expired', tickets: [] }) });
    expect(await screen.findByText(/went back on sale\. You weren’t charged/)).toBeTruthy();
    expect((await name()).value).toBe('Ann Buyer');
  });
  test('makes no claim about a charge for an order unknown to the server', async () => {
    remember();
    open({ [`GET /api/orders/${ORDER_ID}`]: () => problem(404, 'not-found') });
    expect(await screen.findByText(/Your earlier hold is gone/)).toBeTruthy();
    expect(screen.queryByText(/you weren’t charged/i)).toBeNull();
  });
  test('leads to the refund after a late payment', async () => {
    remember();
    open({ [`GET /api/orders/${ORDER_ID}`]: orderFixture({ status: 'refunding', tickets: [] }) });
    expect(await screen.findByRole('heading', { name: 'We’re refunding you' })).toBeTruthy();
  });
  test('keeps the order for another try while the server is unreachable', async () => {
    remember();
    let tries = 0;
    open({
      [`GET /api/orders/${ORDER_ID}`]: () =>
        tries++ === 0 ? problem(503, 'unavailable') : orderFixture({ status: 'held', holdUntil: inMinutes(6) }),
    });
    expect(await screen.findByText('Unable to initialize payment')).toBeTruthy();
    await press('Retry');
    expect(await screen.findByLabelText('Card number')).toBeTruthy();
  });
});

describe('a second order for the same tickets within minutes', () => {
  // Imported before the tests, because their timers do not run and cannot wait for it.
  beforeAll(() => import('../../features/checkout/identical-order-dialog.tsx'));
  const before = { orderId: crypto.randomUUID(), orderNumber: '4F7K-2M9Q', quantity: 2 };
  const order = { ...before, boughtAt: '2030-07-01T15:30:00.000Z' };
  const question = () => screen.findByRole('dialog', { name: 'Buy the same tickets again?' });
  const mayPay = async () =>
    (await screen.findByRole('button', { name: 'Pay $50.00' })).closest('fieldset')?.disabled === false;

  test('needs a confirmation before the payment, and is then sold', async () => {
    open({ [IDENTICAL]: { order }, [CONFIRM_CARD]: intentOf('succeeded'), [PROCESS]: bought });
    await fillDetails();
    const asked = within(await question());
    expect(asked.getByText(/You bought 2 tickets for .+ on 07\/01\/2030, 11:30 AM/)).toBeTruthy();
    const link = asked.getByRole('link', { name: 'See the tickets that you bought' });
    expect(link.getAttribute('href')).toContain(before.orderId);
    await user.click(asked.getByRole('button', { name: 'Buy 2 more' }));
    expect(await mayPay()).toBe(true);
    await payWith();
    await waitFor(() => expect(address()).toContain('/ticket-success'));
  });
  test('Go back leads to the details, with nothing charged', async () => {
    const { to } = open({ [IDENTICAL]: { order } });
    await fillDetails();
    await user.click(within(await question()).getByRole('button', { name: 'Go back' }));
    expect((await name()).value).toBe('Ann Buyer');
    expect(to('/api/process-ticket-purchase')).toEqual([]);
  });
  test('needs no confirmation if the server cannot check for it', async () => {
    open({ [IDENTICAL]: () => problem(503, 'unavailable') });
    await fillDetails();
    await screen.findByRole('button', { name: 'Pay $50.00' });
    await waitFor(async () => expect(await mayPay()).toBe(true));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
