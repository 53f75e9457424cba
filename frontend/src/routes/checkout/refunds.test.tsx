import { RefundBody } from '@beltway/contracts/ticketing/orders';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { ORDER_ID, orderFixture, ticketFixture } from '../../testing/orders.ts';
import { renderAt } from '../../testing/render.tsx';

fakeClock();
let user: UserEvent;
beforeEach(() => {
  sessionStorage.clear();
  user = userEvent.setup({ delay: null });
});
afterEach(() => vi.unstubAllGlobals());

const ORDER = `GET /api/orders/${ORDER_ID}`;
const REFUND = `POST /api/orders/${ORDER_ID}/refund`;
const made = (changes: Partial<OrderRefund> = {}): OrderRefund => ({
  id: '00000000-0000-4000-8000-0000000000aa',
  ...{ cause: 'canceled-by-buyer', reason: null, ticketIds: [ticketFixture(1).id], amount: 2500 },
  ...{ state: 'requested', requestedAt: '2030-07-03T15:30:00.000Z', refundedAt: null, ...changes },
});
const open = (order: unknown, more: Record<string, unknown> = {}) => {
  const calls = fakeApi({ [ORDER]: order, 'GET /api/events': [], ...more });
  renderAt(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}#key=secret-1`);
  return calls;
};

test('a buyer sees the refund deadline, selects tickets to cancel, and sees the refund', async () => {
  let isDone = false;
  const after = (): Order =>
    orderFixture({
      tickets: [ticketFixture(1, { status: 'refunding', qrCode: null }), ticketFixture(2)],
      refunds: [made()],
    });
  const calls = open(() => (isDone ? after() : orderFixture()), {
    [REFUND]: () => {
      isDone = true;
      return { orderId: ORDER_ID, status: 'fulfilled', refund: made() };
    },
  });
  expect(await screen.findByText('Full refund until Thu, Jul 11, 2030, 7 PM ET.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel tickets' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel tickets' }));
  expect(dialog.getByRole('button', { name: 'Cancel 2 tickets · $50.00' })).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: /^Ticket 2/ }));
  await user.click(dialog.getByRole('button', { name: 'Cancel 1 ticket · $25.00' }));
  expect(await screen.findByRole('heading', { name: 'Your ticket is here' })).toBeTruthy();
  const [sent] = calls.filter(({ path }) => path.endsWith('/refund'));
  expect(RefundBody.parse(sent!.body)).toEqual({ ticketIds: [ticketFixture(1).id] });
  expect(sent!.headers.get('x-order-key')).toBe('secret-1');
  expect(sent!.headers.get('idempotency-key')).toBeTruthy();
  expect(screen.getByText(/^Refund requested, /).parentElement?.textContent).toContain('−$25.00');
  expect(screen.getByText('Total after refunds').nextSibling?.textContent).toBe('$25.00');
});

test('an empty selection cannot be sent, and a refusal is shown in the dialog', async () => {
  open(orderFixture({ tickets: [ticketFixture(1)] }), {
    [REFUND]: () => problem(409, 'refund-closed', { detail: 'These tickets could be canceled until 24 hours before.' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Cancel tickets' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel tickets' }));
  const ticket = dialog.getByRole('checkbox', { name: /^Ticket 1/ });
  await user.click(ticket);
  expect(dialog.getByRole('button', { name: /^Cancel 0 tickets/ })).toHaveProperty('disabled', true);
  await user.click(ticket);
  await user.click(dialog.getByRole('button', { name: /^Cancel 1 ticket/ }));
  expect((await dialog.findByRole('alert')).textContent).toContain('could be canceled until 24 hours');
});

test('an open page removes the button at the refund deadline', async () => {
  vi.setSystemTime(new Date('2030-07-11T22:59:59Z'));
  open(orderFixture());
  expect(await screen.findByRole('button', { name: 'Cancel tickets' })).toBeTruthy();
  vi.setSystemTime(new Date('2030-07-11T23:00:00Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(screen.queryByRole('button', { name: 'Cancel tickets' })).toBeNull();
  expect(screen.getByText(/The refund deadline .+ has passed/)).toBeTruthy();
});

test('a buyer who canceled too many orders reads the reason immediately', async () => {
  const detail = 'You canceled many orders lately. Please try again in 144 hours.';
  const calls = open(orderFixture({ tickets: [ticketFixture(1)] }), {
    [REFUND]: () => problem(429, 'too-many-refunds', { detail }, { 'retry-after': '518400' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Cancel tickets' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel tickets' }));
  await user.click(dialog.getByRole('button', { name: /^Cancel 1 ticket/ }));
  expect((await dialog.findByRole('alert')).textContent).toBe(detail);
  expect(calls.filter(({ path }) => path.endsWith('/refund'))).toHaveLength(1);
});

test.each([
  [{ refundable: false, refundableUntil: '2030-07-01T23:00:00.000Z' }, /The refund deadline .+ has passed/],
  [{ refundable: false, refundableUntil: null }, /are non-refundable/],
])('without a right to cancel there is no button (%o)', async (changes, words) => {
  open(orderFixture(changes));
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel tickets' })).toBeNull();
});

test('the receipt lists each ticket, the total, the organizer’s share, the fee, and refunds with their state', async () => {
  open(orderFixture({ refunds: [made({ state: 'failed', reason: 'As agreed' })] }));
  const receipt = within(await screen.findByRole('region', { name: 'Receipt' }));
  const rows = receipt.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
  expect(rows).toEqual([
    'Ticket 1: $25.00',
    'Ticket 2: $25.00',
    'Processing fee: $0.00',
    'Total paid: $50.00',
    'organizer’s share: $47.50',
    'Beltway’s fee, 5%: $2.50',
    expect.stringMatching(/^Refund failed, retrying, .*‘As agreed’: −\$25\.00$/),
    'Total after refunds: $25.00',
  ]);
  expect(receipt.getByText(/Order 4F7K-2M9Q · 07\/02\/2030, 11:30 AM, New York time/)).toBeTruthy();
});

test('the mail can be sent again, up to a limit', async () => {
  let tries = 0;
  const calls = open(orderFixture(), {
    [`POST /api/orders/${ORDER_ID}/mail`]: () =>
      ++tries === 1
        ? new Response(null, { status: 204 })
        : problem(429, 'too-many-mails', { detail: 'These were mailed often enough.' }),
  });
  const again = await screen.findByRole('button', { name: 'Send the email again' });
  await user.click(again);
  expect((await screen.findAllByText('On its way')).length).toBeGreaterThan(0);
  await waitFor(() => expect(again).toHaveProperty('disabled', false));
  await user.click(again);
  expect((await screen.findAllByText('Not sent')).length).toBeGreaterThan(0);
  expect(calls.filter(({ path }) => path.endsWith('/mail'))).toHaveLength(2);
});

test('a disputed order explains why its tickets are on hold, and cannot be canceled', async () => {
  const frozen = [1, 2].map((at) => ticketFixture(at, { status: 'frozen', qrCode: null }));
  open(orderFixture({ refundable: false, refundableUntil: null, tickets: frozen }));
  expect(await screen.findByRole('heading', { name: 'Your tickets are on hold' })).toBeTruthy();
  expect(screen.getByText(/Your bank is disputing this payment/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel tickets' })).toBeNull();
  expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull();
});

test('enlarged codes skip a refunded ticket', async () => {
  const tickets = [ticketFixture(1), ticketFixture(2, { status: 'refunded', qrCode: null }), ticketFixture(3)];
  open(orderFixture({ quantity: 3, tickets }));
  await user.click((await screen.findAllByRole('button', { name: /Larger/ }))[0]!);
  const first = within(await screen.findByRole('dialog', { name: 'Ticket 1 of 3' }));
  expect(first.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true);
  await user.click(first.getByRole('button', { name: 'Next' }));
  const third = within(await screen.findByRole('dialog', { name: 'Ticket 3 of 3' }));
  expect(third.getByText('CODE-3')).toBeTruthy();
  expect(third.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
});
