import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Payouts } from '@beltway/contracts/payments/payouts';
import { PayoutsTab } from '../../features/payouts/payouts-tab.tsx';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
const assign = vi.fn();
beforeEach(() => {
  sessionStore.set(sessionFixture({ role: 'business' }));
  assign.mockReset();
  vi.stubGlobal('open', vi.fn());
  vi.stubGlobal(
    'location',
    new Proxy(window.location, {
      get: (at, name) => (name === 'assign' ? assign : (Reflect.get(at, name) as unknown)),
    }),
  );
});

const payouts = (change: Partial<Payouts> = {}): Payouts => ({
  scope: 'own',
  state: 'none',
  owedCents: 4_750,
  balanceCents: 0,
  keptCents: 0,
  paidCents: 0,
  nextPayout: null,
  schedule: { interval: 'weekly', arrival: '1-2 business days', minimumCents: 2_500 },
  history: [],
  ...change,
});
const CONFIG = {
  mode: 'engines',
  payments: { publishableKey: 'pk_test_1', apiBase: 'https://api.stripe.test', sandbox: false },
  ...{ demo: null, googleMapsKey: null, supportEmail: null, ticketDiscountUrl: null },
};
const SET_UP = 'POST /api/stripe/create-connect-account';
const show = (answers: Record<string, unknown>) => {
  const calls = fakeApi({ 'GET /api/payouts': payouts(), 'GET /api/config': CONFIG, ...answers });
  renderAt('/dashboard', <PayoutsTab />);
  return calls;
};

test('a refund after the payout is shown as a debt, with an explanation of how the debt is settled', async () => {
  show({
    'GET /api/payouts': payouts({
      ...{ state: 'ready', owedCents: -7_700, balanceCents: 0, paidCents: 7_700 },
      history: [
        { id: 'a:1', kind: 'reversal', amountCents: 950, eventId: 7, status: null, at: '2030-11-21T15:00:00.000Z' },
      ],
    }),
    'GET /api/events/7': eventFixture({ title: 'Go-Go Night' }),
  });
  expect((await screen.findByText('You owe')).nextSibling?.textContent).toBe('$77.00');
  expect(screen.queryByText('Owed to you')).toBeNull();
  expect(document.body.textContent).not.toContain('-$');
  expect(screen.getByText(/We deduct the \$77\.00 from your next ticket sales/)).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Go-Go Night' })).getAttribute('href')).toBe('/event/7');
});

test('explains why a part of the balance is not paid out', async () => {
  show({ 'GET /api/payouts': payouts({ state: 'ready', balanceCents: 12_345, keptCents: 4_000 }) });
  expect(await screen.findByText(/\$40\.00 of your balance stays in your account for now/)).toBeTruthy();
  // It is no failure.
  expect(screen.queryByRole('alert')).toBeNull();
});

test('no heading level is skipped', async () => {
  show({ 'GET /api/payouts': payouts({ state: 'ready' }) });
  expect(await screen.findByRole('heading', { level: 2, name: 'Recent activity' })).toBeTruthy();
  expect(screen.queryAllByRole('heading', { level: 3 })).toEqual([]);
});

test('shows owed, balance and paid amounts, the next payout, and the movements', async () => {
  show({
    'GET /api/payouts': payouts({
      ...{ state: 'ready', owedCents: 0, balanceCents: 12_345, paidCents: 5_000 },
      nextPayout: { on: '2030-11-29', amountCents: 12_345 },
      history: [
        {
          id: 'po_1',
          kind: 'payout',
          amountCents: 5_000,
          eventId: null,
          status: 'paid',
          at: '2030-11-22T15:00:00.000Z',
        },
        { id: 'a:1', kind: 'reversal', amountCents: 950, eventId: 7, status: null, at: '2030-11-21T15:00:00.000Z' },
      ],
    }),
  });
  expect(await screen.findByText('$123.45 on 11/29/2030')).toBeTruthy();
  expect(screen.queryByText(/stays in your account/)).toBeNull();
  expect(document.body.textContent).toContain('weekly, on Fridays, and take 1-2 business days. The minimum is $25.00');
  expect(document.body.textContent).toContain('To your bank · Paid');
  expect(document.body.textContent).toContain('−$9.50');
  expect(screen.getByRole('link', { name: 'Event 7' }).getAttribute('href')).toBe('/event/7');
  expect(screen.queryByRole('button', { name: /set/i })).toBeNull();
});

test('the setup leads to the provider’s page, with mouse or keyboard', async () => {
  const calls = show({ [SET_UP]: { accountLinkUrl: 'https://connect.stripe.test/setup/1' } });
  (await screen.findByRole('button', { name: 'Set up payouts' })).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://connect.stripe.test/setup/1'));
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(window.open).not.toHaveBeenCalled();
});

test.each([
  ['a link', () => ({ accountLinkUrl: 'https://connect.stripe.test/setup/1' })],
  ['an answer without a link', () => ({})],
  ['a failure', () => problem(503, 'unavailable')],
] as const)('%s that arrives after the page was left leads nowhere and shows nothing', async (_what, answered) => {
  const late = Promise.withResolvers<unknown>();
  const calls = fakeApi({ 'GET /api/payouts': payouts(), 'GET /api/config': CONFIG, [SET_UP]: () => late.promise });
  const { navigate } = renderAt(
    '/dashboard',
    <Routes>
      <Route path="/dashboard" element={<PayoutsTab />} />
      <Route path="*" element={null} />
    </Routes>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Set up payouts' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  act(() => navigate('/'));
  await waitFor(() => expect(screen.queryByText('Payout account')).toBeNull());
  late.resolve(answered());
  // Longer than the page needs to read the answer.
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(assign).not.toHaveBeenCalled();
  expect(window.open).not.toHaveBeenCalled();
  expect(screen.queryByText('The provider’s dashboard will open for manual setup.')).toBeNull();
});

test('when the call fails, a toast announces manual setup and the provider’s dashboard opens in a new tab', async () => {
  show({ [SET_UP]: () => problem(503, 'unavailable') });
  await userEvent.click(await screen.findByRole('button', { name: 'Set up payouts' }));
  expect(await screen.findByText('The provider’s dashboard will open for manual setup.')).toBeTruthy();
  expect(window.open).toHaveBeenCalledWith('https://dashboard.stripe.com/', '_blank', 'noopener');
  expect(assign).not.toHaveBeenCalled();
});

test.each([[{}], [{ accountLinkUrl: 'javascript:alert(1)' }], [{ accountLinkUrl: null }]])(
  'a response without a valid link (%o) opens the dashboard',
  async (body) => {
    show({ [SET_UP]: body });
    await userEvent.click(await screen.findByRole('button', { name: 'Set up payouts' }));
    await waitFor(() =>
      expect(window.open).toHaveBeenCalledWith('https://dashboard.stripe.com/', '_blank', 'noopener'),
    );
    expect(assign).not.toHaveBeenCalled();
  },
);

test('an admin sees the platform’s figures and no payout account', async () => {
  show({ 'GET /api/payouts': payouts({ scope: 'platform' }) });
  expect(await screen.findByText('Owed to organizers')).toBeTruthy();
  expect(screen.queryByText('Payout account')).toBeNull();
});

test('a loading error can be retried', async () => {
  let isDown = true;
  show({ 'GET /api/payouts': () => (isDown ? answer(500) : payouts()) });
  const retry = await screen.findByRole('button', { name: /again|retry/i });
  isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByText('Owed to you')).toBeTruthy();
});

test('the setup’s return page checks the account’s state', async () => {
  const calls = fakeApi({ 'POST /api/payouts/check': payouts({ state: 'review' }), 'GET /api/config': CONFIG });
  renderAt('/payouts/return');
  expect(await screen.findByText('Under review')).toBeTruthy();
  expect(calls.filter(({ path }) => path === '/api/payouts/check')).toHaveLength(1);
});

test('the page for expired links redirects once, automatically, to a fresh link', async () => {
  const calls = fakeApi({
    [SET_UP]: { accountLinkUrl: 'https://connect.stripe.test/setup/2' },
    'GET /api/config': CONFIG,
  });
  renderAt('/payouts/refresh');
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://connect.stripe.test/setup/2'));
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
