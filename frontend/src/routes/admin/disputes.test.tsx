import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareTexts } from '../../layout/prepare-texts.ts';
import { speak } from '../../lib/i18n/language.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { ORDER_ID, orderFixture, ticketFixture } from '../../testing/orders.ts';
import { renderAt } from '../../testing/render.tsx';

beforeEach(() => sessionStore.set(sessionFixture()));
afterEach(() => vi.unstubAllGlobals());

const ALERTS = 'GET /api/platform/alerts';
const alert = (kind: string, subject: string) => ({
  ...{ id: `${ORDER_ID}:${kind}:${subject}`, kind, purpose: 'tickets', orderId: ORDER_ID, eventId: 7, subject },
  ...{ paymentId: 'pi_1', amountCents: 5000, detail: 'product_not_received', resolvedAt: null },
  raisedAt: '2030-07-03T15:30:00.000Z',
});
const open = (answers: Record<string, unknown>) => {
  const calls = fakeApi(answers);
  renderAt('/disputes');
  return calls;
};

/** Responses with one dispute, one other payment alert, and the order's details. */
function oneDispute() {
  const { tickets: _tickets, claimable: _claimable, extendable: _extendable, ...order } = orderFixture();
  const { ticketCode: _code, qrCode: _qr, ...ticket } = ticketFixture(1, { status: 'frozen' });
  const at = '2030-07-02T15:30:00.000Z';
  return {
    [ALERTS]: { alerts: [alert('dispute-opened', 'dp_1'), alert('refund-reversed', 're_1')], next: null },
    [`GET /api/orders/${ORDER_ID}/managed`]: {
      ...{ order, tickets: [ticket], payment: null, paymentUnavailable: true, refunds: [] },
      history: [{ at, type: 'TicketsSold', text: '2 tickets sold.' }],
      mails: [{ kind: 'refund-sent', status: 'sent', queuedAt: at, sentAt: '2030-07-02T15:31:00.000Z' }],
    },
  };
}

test('only disputes are listed, and only a press loads the evidence, because each view is recorded', async () => {
  const calls = open(oneDispute());
  const dispute = within(await screen.findByRole('article', { name: 'Dispute dp_1' }));
  expect(screen.getAllByRole('article')).toHaveLength(1);
  expect(dispute.getByText('product not received')).toBeTruthy();
  expect(calls.some(({ path }) => path.endsWith('/managed'))).toBe(false);
  await userEvent.click(dispute.getByRole('button', { name: 'Show the evidence' }));
  for (const words of [/4F7K-2M9Q: 2 × \$25\.00/, /ann@example\.com/, /2 tickets sold\./, /11:31 AM: refund sent/])
    expect(await dispute.findByText(words)).toBeTruthy();
  expect(dispute.getByText('Payment details are unavailable right now.')).toBeTruthy();
});

test('the dispute’s reason and the sent mails are in Spanish', async () => {
  speak('es');
  await prepareTexts();
  await act(async () => open(oneDispute()));
  const dispute = within((await screen.findAllByRole('article'))[0]!);
  expect(await dispute.findByText('producto no recibido')).toBeTruthy();
  await userEvent.click(dispute.getByRole('button', { name: 'Mostrar las pruebas' }));
  expect(await dispute.findByText(/11:31 a\.m\.: reembolso enviado/)).toBeTruthy();
});

test('without disputes the page shows an empty state', async () => {
  open({ [ALERTS]: { alerts: [], next: null } });
  expect(await screen.findByRole('heading', { name: 'All caught up' })).toBeTruthy();
});
test('is for admins only', async () => {
  open({ [ALERTS]: () => problem(403, 'forbidden') });
  expect(await screen.findByRole('heading', { name: 'For admins only' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});
