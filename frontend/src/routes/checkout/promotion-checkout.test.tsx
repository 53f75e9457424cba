import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paymentMemory } from '../../features/promotion/payment-memory.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import {
  challenged,
  CLIENT_SECRET,
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

const CREATE = 'POST /api/create-promotion-payment';
const CONFIRM = 'POST /api/confirm-promotion-payment';
const SLOT = { userId: 3, eventId: 7, level: 'featured' } as const;
const paid = { status: 'paid', eventId: 7, promotionLevel: 'featured' };
const notPaid = () => problem(409, 'not-paid', { detail: 'This payment didn’t go through.' });
const around = () => ({
  'GET /api/config': configFixture(),
  'GET /api/events/7': eventFixture(),
  'GET /api/events': fakeEvents([]),
  'GET /api/events/featured': [],
  [CREATE]: { clientSecret: CLIENT_SECRET, amount: 2_999 },
});

fakeClock();
let user: UserEvent;
let app: ReturnType<typeof renderAt>;
const showModal = HTMLDialogElement.prototype.showModal as typeof HTMLDialogElement.prototype.showModal | undefined;
beforeEach(() => {
  user = userEvent.setup({ delay: null });
  sessionStore.set(sessionFixture());
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
  if (showModal) HTMLDialogElement.prototype.showModal = showModal;
});

const open = (answers: Record<string, unknown> = {}, path = '/checkout?level=featured&eventId=7') => {
  const calls = fakeApi({ ...around(), ...answers });
  app = renderAt(path);
  return { calls, to: (name: string) => calls.filter((call) => `${call.method} ${call.path}` === name) };
};
const address = () => screen.getByTestId('address').textContent;
const payButton = (name = 'Promote Event - $29.99') => screen.findByRole('button', { name });
async function payWith(number?: string) {
  await typeCard(user, number);
  await user.click(await payButton());
}
const SUCCESS = `/checkout/success?level=featured&eventId=7&payment_intent=${PAYMENT_ID}`;

describe('what is paid', () => {
  test('a signed-out visitor signs in first and returns to the checkout', async () => {
    sessionStore.clear();
    open();
    await waitFor(() => expect(address()).toBe('/auth?next=%2Fcheckout%3Flevel%3Dfeatured%26eventId%3D7'));
    expect(await screen.findByText('Sign in to promote your event.')).toBeTruthy();
  });
  test.for(['/checkout?eventId=7', '/checkout?level=&eventId=7'])(
    'the level defaults to featured: %s',
    async (path) => {
      const { to } = open({}, path);
      expect(await payButton()).toBeTruthy();
      expect(to(CREATE).map(({ body }) => body)).toEqual([{ promotionLevel: 'featured', eventId: 7 }]);
      const summary = within(screen.getByRole('complementary', { name: 'Order summary' }));
      for (const words of [
        'Go-Go on the Roof',
        'Featured promotion',
        'One-time payment',
        '24-hour promotion',
        '$29.99',
      ])
        expect(summary.getByText(words)).toBeTruthy();
      expect(document.title).toMatch(/^Promote your event/);
    },
  );
  test('the page explains that it extends a running promotion', async () => {
    open({ 'GET /api/events/7': eventFixture({ isSponsored: true, promotionLevel: 'featured' }) });
    await payButton();
    expect(screen.getByText('Already Featured. This adds 24 hours.')).toBeTruthy();
  });
  test('the server sets the price, not the URL', async () => {
    const { to } = open(
      { [CREATE]: { clientSecret: CLIENT_SECRET, amount: 5_100 } },
      '/checkout?level=premium&eventId=7&amount=1',
    );
    expect(await payButton('Promote Event - $51.00')).toBeTruthy();
    expect(screen.getByText('48-hour extended promotion')).toBeTruthy();
    expect(to(CREATE)[0]?.body).toEqual({ promotionLevel: 'premium', eventId: 7 });
  });
  test.for(['gold', 'FEATURED', '__proto__', 'none', 'featured%00'])(
    'an unknown level is refused: %s',
    async (level) => {
      const { to } = open({}, `/checkout?level=${level}&eventId=7`);
      expect(await screen.findByRole('heading', { level: 1, name: 'Checkout Error' })).toBeTruthy();
      expect(screen.getByText(/^We couldn’t find that promotion/)).toBeTruthy();
      expect(to(CREATE)).toEqual([]);
      await user.click(screen.getByRole('link', { name: 'Premium, $49.99' }));
      await waitFor(() => expect(address()).toBe('/checkout?level=premium&eventId=7'));
    },
  );
  test.for(['abc', '0', '-1', '7.5', '7%20', '99999999999', '1e3'])(
    'a URL without a valid event id requests nothing: %s',
    async (id) => {
      const { calls } = open({}, `/checkout?level=featured&eventId=${id}`);
      expect(await screen.findByRole('heading', { level: 1, name: 'Event Not Found' })).toBeTruthy();
      expect(calls.filter(({ path }) => /^\/api\/(events\/|create)/.test(path))).toEqual([]);
    },
  );
  test('an unknown event is not found', async () => {
    open({ 'GET /api/events/7': () => problem(404, 'not-found') });
    expect(await screen.findByRole('heading', { level: 1, name: 'Event Not Found' })).toBeTruthy();
  });
  test.for([
    ['somebody else’s', { userId: 4 }, 'Only the organizer can promote an event.'],
    ['canceled', { status: 'canceled' }, 'Go-Go on the Roof was canceled.'],
    ['postponed', { status: 'postponed' }, /has no date yet/],
    ['over', { eventDate: '2020-07-12T04:00:00.000Z' }, 'Go-Go on the Roof is over.'],
  ] as const)('an event that is %s cannot be promoted', async ([, changes, words]) => {
    const { to } = open({ 'GET /api/events/7': eventFixture(changes) });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Return to the event' }).getAttribute('href')).toBe('/event/7');
    expect(to(CREATE)).toEqual([]);
  });
});

describe('without an event', () => {
  const own = [
    eventFixture({ id: 7 }),
    eventFixture({ id: 8, title: 'Called off', status: 'canceled' }),
    eventFixture({ id: 9, title: 'Last year', eventDate: '2020-07-12T04:00:00.000Z' }),
    eventFixture({ id: 10, title: 'Somebody else’s', userId: 4 }),
  ];
  test('organizers choose one of their promotable events, by keyboard', async () => {
    open({ 'GET /api/users/3/events': own }, '/checkout?level=premium');
    const list = await screen.findByRole('list', { name: 'Your events' });
    const [link, ...others] = within(list).getAllByRole('link');
    expect(others).toEqual([]);
    link!.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/checkout?level=premium&eventId=7'));
    expect(await payButton()).toBeTruthy();
  });
  test('without a promotable event the page links to the launch form', async () => {
    open({ 'GET /api/users/3/events': own.slice(1) }, '/checkout');
    expect(await screen.findByRole('heading', { name: 'You don’t have an event to promote' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Launch My Event' }).getAttribute('href')).toBe('/#launch');
  });
  test('many events are shown page by page', async () => {
    open(
      { 'GET /api/users/3/events': Array.from({ length: 30 }, (_, at) => eventFixture({ id: at + 1 })) },
      '/checkout',
    );
    const shown = async () =>
      within(await screen.findByRole('list', { name: 'Your events' })).getAllByRole('link').length;
    expect(await shown()).toBe(12);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await shown()).toBe(24);
  });
  test('a failed request can be retried', async () => {
    let isDown = true;
    open({ 'GET /api/users/3/events': () => (isDown ? answer(503) : own) }, '/checkout');
    await user.click(await screen.findByRole('button', { name: 'Retry' }).finally(() => (isDown = false)));
    expect(await screen.findByRole('list', { name: 'Your events' })).toBeTruthy();
  });
});

describe('setting up', () => {
  test('shows progress, and after a failure a retry and the way back', async () => {
    let isDown = true;
    const late = Promise.withResolvers<void>();
    open({ [CREATE]: async () => (await late.promise, isDown ? problem(503, 'unavailable') : around()[CREATE]) });
    expect(await screen.findByText('Setting up your checkout...')).toBeTruthy();
    late.resolve();
    expect(await screen.findByRole('heading', { level: 1, name: 'Checkout Error' })).toBeTruthy();
    expect(screen.getByText('Failed to initialize checkout. Please try again.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Return to the event' })).toBeTruthy();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await payButton()).toBeTruthy();
  });
  test.for([
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['an invalid response', { clientSecret: 7 }],
    ['a secret without a payment', { clientSecret: 'nonsense', amount: 2_999 }],
    ['an error page of a proxy', () => answer(502, '<h1>Bad Gateway</h1>')],
  ] as const)('%s shows no form', async ([, said]) => {
    open({ [CREATE]: said });
    expect(await screen.findByText('Failed to initialize checkout. Please try again.')).toBeTruthy();
    expect(screen.queryByLabelText('Card number')).toBeNull();
  });
  test('a refusal shows the server’s reason', async () => {
    open({ [CREATE]: () => problem(409, 'event-over', { detail: 'This event is over.' }) });
    expect(await screen.findByText('This event is over.')).toBeTruthy();
  });
  test('the request is retried until payments knows a new event', async () => {
    let tries = 0;
    const { to } = open({ [CREATE]: () => (tries++ < 2 ? problem(404, 'not-found') : around()[CREATE]) });
    expect(await payButton()).toBeTruthy();
    expect(to(CREATE)).toHaveLength(3);
  });
});

describe('paying', () => {
  const succeeds = { [CONFIRM_CARD]: intentOf('succeeded'), [CONFIRM]: paid };

  test('promotes the event, shows a toast, and leads to the home page', async () => {
    const { to } = open(succeeds);
    await payWith();
    expect(await screen.findByText('Payment Successful!')).toBeTruthy();
    expect(screen.getByText('Your event has been promoted successfully!')).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/'));
    expect(to(CONFIRM).map(({ body }) => body)).toEqual([{ paymentIntentId: PAYMENT_ID }]);
    expect(paymentMemory.get(SLOT)).toBeNull();
  });
  test('by keyboard makes one payment, even if Enter is pressed twice', async () => {
    const late = Promise.withResolvers<unknown>();
    const { to } = open({ ...succeeds, [CONFIRM_CARD]: () => late.promise });
    await user.type(await screen.findByLabelText('Card number'), '4242424242424242');
    await user.type(screen.getByLabelText('Expiration date'), '1240');
    await user.type(screen.getByLabelText('Security code'), '123');
    const button = await payButton();
    button.focus();
    await user.keyboard('{Enter}{Enter}');
    await waitFor(() => expect(to(CONFIRM_CARD)).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Processing…' })).toHaveProperty('disabled', true);
    late.resolve(intentOf('succeeded'));
    await waitFor(() => expect(address()).toBe('/'));
    expect([to(CONFIRM_CARD).length, to(CONFIRM).length]).toEqual([1, 1]);
  });
  test('a declined card shows a focused message, and the next try uses the same payment', async () => {
    let tries = 0;
    const { to } = open({ ...succeeds, [CONFIRM_CARD]: () => (tries++ === 0 ? declined() : intentOf('succeeded')) });
    await payWith('4000000000000002');
    expect(await screen.findByText('Payment Failed')).toBeTruthy();
    const notice = await screen.findByRole('alert');
    expect(within(notice).getByText('Your card was declined.')).toBeTruthy();
    expect(within(notice).getByText('You weren’t charged. Check your card details or try another card.')).toBeTruthy();
    expect(document.activeElement).toBe(notice);
    await user.click(await payButton());
    await waitFor(() => expect(address()).toBe('/'));
    expect([to(CREATE).length, to(CONFIRM).length]).toEqual([1, 1]);
  });
  test('a 3-D Secure challenge is completed in the page', async () => {
    open({ ...succeeds, [CONFIRM_CARD]: challenged(), [RETRIEVE_INTENT]: intentOf('succeeded') });
    await payWith('4000002500003155');
    const frame = await waitFor(
      () => document.querySelector('dialog iframe') ?? Promise.reject(new Error('no dialog')),
    );
    Object.defineProperty(frame, 'contentWindow', { value: window });
    const data = { type: 'sbx-3ds', source: 'src_1', outcome: 'succeeded' };
    act(() => void window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin, source: window })));
    await waitFor(() => expect(address()).toBe('/'));
    expect(screen.getByText('Payment Successful!')).toBeTruthy();
  });
  test('a failing provider script shows Payment Error', async () => {
    const broke = { error: { type: 'invalid_request_error', code: 'sandbox_script_broke', message: 'It broke.' } };
    open({ ...succeeds, [CONFIRM_CARD]: () => answer(400, broke), [CONFIRM]: notPaid });
    await payWith('4000000000000770');
    expect(await screen.findByText('Payment Error')).toBeTruthy();
    expect(screen.getAllByText('Something went wrong processing your payment.').length).toBeGreaterThan(0);
    expect(screen.queryByText('It broke.')).toBeNull();
  });
  test('a payment that breaks down without a charge shows Payment Error', async () => {
    HTMLDialogElement.prototype.showModal = () => {
      throw new Error('no dialogs here');
    };
    open({ ...succeeds, [CONFIRM_CARD]: challenged(), [CONFIRM]: notPaid });
    await payWith('4000002500003155');
    expect(await screen.findByText('Payment Error')).toBeTruthy();
    expect(screen.getAllByText('Something went wrong processing your payment.').length).toBeGreaterThan(0);
    expect(screen.getByText(/^You weren’t charged/)).toBeTruthy();
  });
  test('without a response from the provider, the page polls the server until it knows the outcome', async () => {
    let asked = 0;
    const { to } = open({
      [CONFIRM_CARD]: () => Promise.reject(new TypeError('Failed to fetch')),
      [CONFIRM]: () => (asked++ < 2 ? problem(503, 'unavailable') : paid),
    });
    await payWith();
    expect(await screen.findByText(/^Don’t pay again yet/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Checking your payment…' })).toHaveProperty('disabled', true);
    await waitFor(() => expect(address()).toBe('/'));
    // The provider's script repeats a request without a response, with the same key.
    expect(new Set(to(CONFIRM_CARD).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(to(CONFIRM)).toHaveLength(3);
  });
  test('when confirming fails after the card was charged, the next page polls until it knows the outcome', async () => {
    let asked = 0;
    open({ ...succeeds, [CONFIRM]: () => (asked++ < 2 ? problem(503, 'unavailable') : paid) });
    await payWith();
    await waitFor(() => expect(address()).toBe(SUCCESS));
    expect(await screen.findByText(/Don’t pay again yet/)).toBeTruthy();
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
  });
  test('a payment for an event canceled in the meantime leads to the refund page', async () => {
    open({ ...succeeds, [CONFIRM]: { ...paid, status: 'refunded' } });
    await payWith();
    expect(await screen.findByRole('heading', { level: 1, name: 'We’re refunding you' })).toBeTruthy();
    expect(screen.queryByText('Payment Successful!')).toBeNull();
  });
  test('a payment that succeeds after the buyer left the page does not navigate', async () => {
    const late = Promise.withResolvers<unknown>();
    const { to } = open({ ...succeeds, [CONFIRM]: () => late.promise });
    await payWith();
    await waitFor(() => expect(to(CONFIRM)).toHaveLength(1));
    act(() => void app.navigate('/event/7'));
    await screen.findByRole('heading', { level: 1, name: 'Go-Go on the Roof' });
    await act(async () => late.resolve(paid));
    expect(await screen.findByText('Payment Successful!')).toBeTruthy();
    expect(address()).toBe('/event/7');
  });
});

describe('a reload in the middle of a payment', () => {
  test('first checks the earlier payment, so that nothing is paid twice', async () => {
    const late = Promise.withResolvers<unknown>();
    const first = open({ [CONFIRM_CARD]: () => late.promise });
    await payWith();
    await waitFor(() => expect(first.to(CONFIRM_CARD)).toHaveLength(1));
    cleanup();
    const second = open({ [CONFIRM]: paid });
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
    expect(address()).toBe(SUCCESS);
    expect(second.to(CREATE)).toEqual([]);
    expect(paymentMemory.get(SLOT)).toBeNull();
  });
  test('shows the form if the earlier payment did not succeed', async () => {
    paymentMemory.set(SLOT, PAYMENT_ID);
    const { calls } = open({ [CONFIRM]: notPaid });
    expect(await payButton()).toBeTruthy();
    const posts = calls.filter(({ method, path }) => method === 'POST' && path.startsWith('/api/c'));
    expect(posts.map(({ path }) => path)).toEqual([CONFIRM.slice(5), CREATE.slice(5)]);
  });
  test('shows no form while the server does not know the outcome', async () => {
    paymentMemory.set(SLOT, PAYMENT_ID);
    const { to } = open({ [CONFIRM]: () => problem(503, 'unavailable') });
    expect(await screen.findByText('Failed to initialize checkout. Please try again.')).toBeTruthy();
    expect(to(CREATE)).toEqual([]);
  });
  test('ignores payments of another account, another level or an earlier day', async () => {
    paymentMemory.set({ ...SLOT, userId: 4 }, PAYMENT_ID);
    paymentMemory.set({ ...SLOT, level: 'premium' }, PAYMENT_ID);
    paymentMemory.set(SLOT, PAYMENT_ID);
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    const { to } = open();
    expect(await payButton()).toBeTruthy();
    expect(to(CONFIRM)).toEqual([]);
  });
  test('corrupt or full storage does not prevent a payment', async () => {
    localStorage.setItem('beltway.promotion.3.7.featured', '{"paymentIntentId":7');
    open({ [CONFIRM_CARD]: intentOf('succeeded'), [CONFIRM]: paid });
    await screen.findByLabelText('Card number');
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await payWith();
    await waitFor(() => expect(address()).toBe('/'));
    full.mockRestore();
  });
});

describe('the page that the provider returns to', () => {
  test('loads the payment and removes the secret from the URL', async () => {
    const { to } = open(
      { [CONFIRM]: paid },
      `${SUCCESS}&payment_intent_client_secret=${CLIENT_SECRET}&redirect_status=succeeded`,
    );
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See your event' }).getAttribute('href')).toBe('/event/7');
    expect(address()).toBe(SUCCESS);
    expect(to(CONFIRM)[0]?.body).toEqual({ paymentIntentId: PAYMENT_ID });
  });
  test('waits while the provider processes the payment', async () => {
    let asked = 0;
    open({ [CONFIRM]: () => (asked++ < 1 ? { ...paid, status: 'processing' } : paid) }, SUCCESS);
    expect(await screen.findByRole('heading', { level: 1, name: 'Your payment is being processed' })).toBeTruthy();
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
  });
  test('shows that nothing was charged even if the URL claims success, and links back', async () => {
    open({ [CONFIRM]: notPaid }, `${SUCCESS}&redirect_status=succeeded`);
    expect(await screen.findByRole('heading', { level: 1, name: 'This payment didn’t go through' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe(
      '/checkout?level=featured&eventId=7',
    );
  });
  test.for([
    '',
    '?payment_intent=',
    '?payment_intent=pi_1',
    '?payment_intent=../../api/logout',
    '?payment_intent=seti_123456',
  ])('a URL without a payment requests nothing: %s', async (query) => {
    const { to } = open({}, `/checkout/success${query}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Promotion not found' })).toBeTruthy();
    expect(to(CONFIRM)).toEqual([]);
  });
  test('another account’s payment is not found', async () => {
    open({ [CONFIRM]: () => problem(404, 'not-found') }, SUCCESS);
    expect(await screen.findByRole('heading', { level: 1, name: 'Promotion not found' })).toBeTruthy();
  });
});
