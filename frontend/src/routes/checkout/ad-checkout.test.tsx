import { AD_PACKAGES, type AdBusinessInfo } from '@beltway/contracts/payments/ads';
import type { PublicConfig } from '@beltway/contracts/ops/config';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import {
  CLIENT_SECRET,
  CONFIRM_CARD,
  configFixture,
  declined,
  intentOf,
  PAYMENT_ID,
  typeCard,
} from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));

const CREATE = 'POST /api/create-ad-payment-intent';
const STATE = 'POST /api/ad-payment-state';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const state = (status: string) => ({ status, packageId: 'premium' });
const config = (more: Partial<PublicConfig> = {}) => configFixture({ supportEmail: 'help@beltway.test', ...more });

fakeClock();
// Imported before the tests, because lazy loading takes real time.
beforeAll(async () => void (await import('../../features/contact/contact-dialog.tsx')));
let user: UserEvent;
const left = vi.fn<(address: string) => void>();
beforeEach(() => {
  user = userEvent.setup({ delay: null });
  left.mockClear();
  vi.spyOn(window.location, 'assign').mockImplementation((address) => left(String(address)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = (answers: Record<string, unknown> = {}, path = '/ad-checkout?package=premium') => {
  const calls = fakeApi({
    'GET /api/config': config(),
    'GET /api/events': fakeEvents([]),
    'GET /api/events/featured': [],
    [CREATE]: { clientSecret: CLIENT_SECRET },
    ...answers,
  });
  renderAt(path);
  return { calls, to: (name: string) => calls.filter((call) => `${call.method} ${call.path}` === name) };
};
const address = () => screen.getByTestId('address').textContent;
const type = async (label: string, text: string) => user.type(await screen.findByLabelText(label), text);
const proceed = () => user.click(screen.getByRole('button', { name: /^Continue to payment/ }));
async function fillIn({ eventTitle = 'Go-Go Night' } = {}) {
  await type('Business name', 'The Wharf');
  await type('Contact email', 'ann@example.com');
  if (eventTitle) await type('Event title', eventTitle);
}
async function pay() {
  await typeCard(user);
  await user.click(await screen.findByRole('button', { name: 'Pay $49.99' }));
}

describe('the package', () => {
  test('is one of four packages with badges', async () => {
    open({}, '/ad-checkout');
    expect(await screen.findByRole('heading', { level: 1, name: 'Choose your package' })).toBeTruthy();
    const cards = ['Basic Spotlight', 'Premium Boost', 'Enterprise Domination', 'Ultimate Exposure'];
    const said = cards.map((name) => screen.getByRole('region', { name }).textContent);
    for (const [at, words] of [
      ['$29.99', '1 week'],
      ['$49.99', '2 weeks', 'Most Popular'],
      ['$99.99', '1 month', 'Best Value'],
      ['$149.99', '6 weeks', 'Premium', '25K+ guaranteed impressions'],
    ].entries())
      for (const word of words) expect(said[at]).toContain(word);
    await user.click(screen.getByRole('link', { name: 'Choose: Premium Boost' }));
    expect(address()).toBe('/ad-checkout?package=premium');
    expect(await screen.findByRole('heading', { level: 1, name: 'Book your ad' })).toBeTruthy();
  });
  test.for(AD_PACKAGES.map(({ id, name, cents }) => [id, name, cents] as const))(
    '%s can be named in the URL',
    async ([id, name, cents]) => {
      open({}, `/ad-checkout?package=${id}`);
      const summary = within(await screen.findByRole('complementary', { name: 'Order summary' }));
      const price = `$${(cents / 100).toFixed(2)}`;
      expect(summary.getByRole('heading', { name })).toBeTruthy();
      expect(summary.getAllByText(price)).toHaveLength(2);
      expect(summary.getByText('$0.00')).toBeTruthy();
    },
  );
  test.for(['gold', '__proto__', '%3Cscript%3E', 'Premium'])('an unknown package sells nothing: %s', async (id) => {
    const { to } = open({}, `/ad-checkout?package=${id}`);
    expect(await screen.findByText(/^We couldn’t find that package/)).toBeTruthy();
    expect(to(CREATE)).toEqual([]);
  });
});

describe('the payment', () => {
  test('is created when name and email are entered, and updated with the event under the same idempotency key', async () => {
    const { to } = open();
    await type('Business name', 'The Wharf');
    await user.tab();
    expect(to(CREATE)).toEqual([]);
    await user.type(screen.getByLabelText('Contact email'), 'ann@example.com');
    await user.tab();
    await waitFor(() => expect(to(CREATE)).toHaveLength(1));
    await type('Event title', 'Go-Go Night');
    await user.tab();
    expect(to(CREATE)).toHaveLength(1);
    await proceed();
    expect(await screen.findByRole('button', { name: 'Pay $49.99' })).toBeTruthy();
    const [first, second] = to(CREATE);
    expect(first!.headers.get('idempotency-key')).toMatch(UUID);
    expect(second!.headers.get('idempotency-key')).toBe(first!.headers.get('idempotency-key'));
    expect(second!.body).toMatchObject({
      packageId: 'premium',
      amount: 4_999,
      businessInfo: { businessName: 'The Wharf', contactEmail: 'ann@example.com', eventTitle: 'Go-Go Night' },
      packageDetails: { name: 'Premium Boost', duration: '2 weeks' },
    });
  });
  test('requires the event title, with the error at its field', async () => {
    open();
    await fillIn({ eventTitle: '' });
    await proceed();
    expect(await screen.findByText('Enter the title of your event')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Pay $49.99' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Event title')));
  });
  test('is a new payment for another package; the input stays', async () => {
    const { to } = open();
    await fillIn();
    await user.tab();
    await waitFor(() => expect(to(CREATE)).toHaveLength(1));
    await user.click(screen.getByRole('link', { name: 'Change package' }));
    await user.click(await screen.findByRole('link', { name: 'Choose: Basic Spotlight' }));
    await waitFor(() => expect(to(CREATE)).toHaveLength(2));
    expect(screen.getByLabelText<HTMLInputElement>('Event title').value).toBe('Go-Go Night');
    const keys = to(CREATE).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[1]).not.toBe(keys[0]);
    expect(to(CREATE)[1]!.body).toMatchObject({ packageId: 'basic', amount: 2_999 });
  });
  test('that cannot be created shows an error and is retried under the same key', async () => {
    let isDown = true;
    const { to } = open({ [CREATE]: () => (isDown ? problem(503, 'unavailable') : { clientSecret: CLIENT_SECRET }) });
    await fillIn();
    await proceed();
    expect(await screen.findByText('Unable to initialize payment')).toBeTruthy();
    expect(screen.getAllByText('Unable to initialize payment. Please try again.').length).toBeGreaterThan(0);
    isDown = false;
    await proceed();
    expect(await screen.findByRole('button', { name: 'Pay $49.99' })).toBeTruthy();
    expect(new Set(to(CREATE).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });
  test('that is answered after the email was changed is not shown; Continue sends the new email first', async () => {
    const late = Promise.withResolvers<unknown>();
    let asked = 0;
    // The form sends the first request once name and email are entered, and Continue the second.
    const { to } = open({ [CREATE]: () => (++asked === 2 ? late.promise : { clientSecret: CLIENT_SECRET }) });
    await fillIn();
    await screen.findByRole('button', { name: /^Continue to payment/ });
    await proceed();
    await waitFor(() => expect(to(CREATE)).toHaveLength(2));
    await user.clear(screen.getByLabelText('Contact email'));
    await type('Contact email', 'new@example.com');
    late.resolve({ clientSecret: CLIENT_SECRET });
    await screen.findByRole('button', { name: /^Continue to payment/ });
    expect(screen.queryByRole('button', { name: 'Pay $49.99' })).toBeNull();
    await proceed();
    expect(await screen.findByRole('button', { name: 'Pay $49.99' })).toBeTruthy();
    const emails = to(CREATE).map(({ body }) => (body as { businessInfo: AdBusinessInfo }).businessInfo.contactEmail);
    expect(emails).toEqual(['ann@example.com', 'ann@example.com', 'new@example.com']);
  });
  test('a server error is shown at its field', async () => {
    const errors = [{ field: 'businessInfo.contactEmail', message: 'This address cannot be reached' }];
    open({ [CREATE]: () => problem(400, 'invalid', { errors }) });
    await fillIn();
    await proceed();
    expect(await screen.findByText('This address cannot be reached')).toBeTruthy();
    expect(screen.queryByText('Unable to initialize payment')).toBeNull();
  });
});

describe('paying', () => {
  test('leads to the outcome page through the provider’s redirect', async () => {
    open({ [CONFIRM_CARD]: intentOf('succeeded'), [STATE]: state('paid') });
    await fillIn();
    await proceed();
    await pay();
    await waitFor(() => expect(address()).toBe('/ad-checkout-success?package=premium'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
    const returned = new URL(left.mock.calls[0]![0]);
    expect([returned.pathname, returned.searchParams.get('package')]).toEqual(['/ad-checkout-success', 'premium']);
    expect(sessionStorage.getItem('beltway.draft.ad')).toBeNull();
  });
  test('with a declined card shows the decline and keeps the input', async () => {
    open({ [CONFIRM_CARD]: declined });
    await fillIn();
    await proceed();
    await pay();
    expect((await screen.findAllByText('Your card was declined.')).length).toBeGreaterThan(0);
    expect(screen.getByText('Payment Failed')).toBeTruthy();
    expect(address()).toBe('/ad-checkout?package=premium');
    await user.click(screen.getByRole('button', { name: 'Edit details' }));
    expect(screen.getByLabelText<HTMLInputElement>('Event title').value).toBe('Go-Go Night');
  });
  test('that breaks down before a charge shows that nothing was charged', async () => {
    open({ [CONFIRM_CARD]: () => Promise.reject(new TypeError('Failed to fetch')), [STATE]: state('open') });
    await fillIn();
    await proceed();
    await pay();
    expect(await screen.findByText(/^You weren’t charged/)).toBeTruthy();
  });
  test('that cannot be created offers a retry', async () => {
    let isDown = true;
    const { to } = open({ [CREATE]: () => (isDown ? problem(503, 'unavailable') : { clientSecret: CLIENT_SECRET }) });
    await fillIn();
    await proceed();
    expect(await screen.findByText('Unable to initialize payment')).toBeTruthy();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Pay $49.99' })).toBeTruthy();
    expect(new Set(to(CREATE).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });
  test('without a response from the provider polls the server until it knows the outcome', async () => {
    let asked = 0;
    const { to } = open({
      [CONFIRM_CARD]: () => Promise.reject(new TypeError('Failed to fetch')),
      [STATE]: () => (asked++ < 2 ? problem(503, 'unavailable') : state('paid')),
    });
    await fillIn();
    await proceed();
    await pay();
    await waitFor(() => expect(address()).toBe('/ad-checkout-success?package=premium'));
    expect(asked).toBeGreaterThan(2);
    // The repeated request has the same key, so it is one attempt to pay.
    expect(new Set(to(CONFIRM_CARD).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });
  test('before a reload is not repeated after the reload', async () => {
    const first = open();
    await fillIn();
    await proceed();
    await screen.findByRole('button', { name: 'Pay $49.99' });
    cleanup();
    const second = open({ [STATE]: state('paid') });
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
    expect(first.to(CREATE).length).toBeGreaterThan(0);
    expect(second.to(CREATE)).toEqual([]);
  });
});

const RETURNED = `/ad-checkout-success?package=basic&payment_intent=${PAYMENT_ID}&payment_intent_client_secret=${CLIENT_SECRET}&redirect_status=succeeded`;

describe('the page that the provider returns to', () => {
  test('shows what was bought, whatever the URL names, and removes the secret from the URL', async () => {
    const { to } = open({ [STATE]: state('paid') }, RETURNED);
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
    expect(screen.getByText('Premium Boost')).toBeTruthy();
    expect(screen.getByText(/2 weeks/)).toBeTruthy();
    const steps = within(screen.getByRole('region', { name: 'Next steps' }));
    for (const words of [/^Within 5 minutes/, /^Within 24 hours/, /^Within 48 hours/])
      expect(steps.getByText(words)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/');
    expect(screen.getByRole('link', { name: 'View ad packages' }).getAttribute('href')).toBe('/ad-pricing');
    expect((await screen.findAllByRole('link', { name: 'help@beltway.test' })).length).toBeGreaterThan(0);
    expect(address()).toBe('/ad-checkout-success?package=basic');
    expect(to(STATE)[0]!.body).toEqual({ clientSecret: CLIENT_SECRET });
    cleanup();
    // A reload still shows the success.
    open({ [STATE]: state('paid') }, '/ad-checkout-success?package=basic');
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
  });
  test('waits while the provider processes the payment', async () => {
    let asked = 0;
    open({ [STATE]: () => state(asked++ < 1 ? 'processing' : 'paid') }, RETURNED);
    expect(await screen.findByRole('heading', { level: 1, name: 'Your payment is being processed' })).toBeTruthy();
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeTruthy();
  });
  test.for(['open', 'canceled'])('shows that nothing was charged, and links back: %s', async (status) => {
    open({ [STATE]: state(status) }, RETURNED);
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment Failed' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/ad-checkout?package=premium');
  });
  test('shows that the money was refunded', async () => {
    open({ [STATE]: state('refunded') }, RETURNED);
    expect(await screen.findByRole('heading', { level: 1, name: 'You were refunded' })).toBeTruthy();
  });
  test.for(['', '?package=premium', '?payment_intent_client_secret=pi_1', '?payment_intent_client_secret=../../x'])(
    'a URL without a payment requests nothing: %s',
    async (query) => {
      const { to } = open({}, `/ad-checkout-success${query}`);
      expect(await screen.findByRole('heading', { level: 1, name: 'Payment not found' })).toBeTruthy();
      expect(to(STATE)).toEqual([]);
    },
  );
  test('an unknown payment is not found', async () => {
    open({ [STATE]: () => problem(404, 'not-found') }, RETURNED);
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment not found' })).toBeTruthy();
  });
});

describe('the pricing page', () => {
  const counts = { activeUsers: 1_234, eventsToday: 0, newVenues: 1, eventsThisMonth: 57, engagementPercent: 12 };
  const stats = { 'GET /api/stats': counts };
  test('has four packages, each with a link to the package’s checkout', async () => {
    open(stats, '/ad-pricing');
    await waitFor(() => expect(document.title).toBe('Advertise · Beltway'));
    expect(await screen.findByRole('heading', { level: 2, name: 'Why advertise' })).toBeTruthy();
    const links = screen.getAllByRole('link', { name: /^Get Started/ }).map((link) => link.getAttribute('href'));
    expect(links).toEqual(
      ['banner-7d', 'top-placement-7d', 'spotlight-14d', 'campaign-30d'].map((id) => `/ad-checkout?package=${id}`),
    );
    expect(screen.getByRole('region', { name: 'Premium Top Placement' }).textContent).toContain('Most Popular');
    await user.click(screen.getByRole('button', { name: 'Contact Sales' }));
    await waitFor(() => expect(address()).toBe('/ad-pricing#contact'));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });
  test('shows measured figures and omits unknown ones', async () => {
    open({ 'GET /api/stats': { ...counts, engagementPercent: null } }, '/ad-pricing');
    expect(await screen.findByText('1,234')).toBeTruthy();
    expect(screen.getByText('57')).toBeTruthy();
    expect(screen.queryByText('Engagement')).toBeNull();
    expect(screen.queryByText('50K+')).toBeNull();
  });
  test('omits figures that are zero', async () => {
    open({ 'GET /api/stats': { ...counts, activeUsers: 0 } }, '/ad-pricing');
    expect(await screen.findByText('57')).toBeTruthy();
    expect(screen.queryByText('Monthly users')).toBeNull();
  });
  test('shows sample figures only in demo mode, labeled as such', async () => {
    const { to } = open(
      { ...stats, 'GET /api/config': config({ demo: { password: 'x', accounts: [] } }) },
      '/ad-pricing',
    );
    for (const figure of ['50K+', '500+', '85%']) expect(await screen.findByText(figure)).toBeTruthy();
    expect(screen.getByText(/^Sample numbers/)).toBeTruthy();
    expect(to('GET /api/stats')).toEqual([]);
  });
});
