import type { Order } from '@beltway/contracts/ticketing/tickets';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { ORDER_ID, orderFixture, ticketFixture } from '../../testing/orders.ts';
import { CLIENT_SECRET, configFixture, PAYMENT_ID } from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

fakeClock();
let user: UserEvent;
beforeEach(() => void (user = userEvent.setup({ delay: null })));
beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

const ORDER = `GET /api/orders/${ORDER_ID}`;
const CONFIG = 'GET /api/config';
const config = configFixture({ supportEmail: 'help@example.com' });
const address = () => screen.getByTestId('address').textContent;
const open = (order: unknown, query = '', more: Record<string, unknown> = {}) => {
  const calls = fakeApi({ [ORDER]: order, 'GET /api/events': [], [CONFIG]: config, ...more });
  renderAt(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}${query}`);
  return calls;
};
const inState = (status: Order['status'], changes: Partial<Order> = {}) =>
  orderFixture({ status, tickets: [], ...changes });

describe('bought', () => {
  test('shows the tickets themselves, how many, what comes next, and whom to ask', async () => {
    open(orderFixture());
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
    expect(await screen.findAllByRole('img', { name: /^QR code of ticket/ })).toHaveLength(2);
    const follows = screen.getByText(/An email with their QR codes is on its way/);
    expect(follows.textContent).toContain('ann@example.com');
    const [code] = screen.getAllByRole('img', { name: /^QR code of ticket/ });
    expect(code!.compareDocumentPosition(follows) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByText('Order 4F7K-2M9Q')).toBeTruthy();
    expect(await screen.findByText('and name order 4F7K-2M9Q')).toBeTruthy();
    const main = within(screen.getByRole('main'));
    expect((await main.findByRole('link', { name: 'help@example.com' })).getAttribute('href')).toBe(
      'mailto:help@example.com',
    );
    expect(main.getByRole('link', { name: 'My Tickets' }).getAttribute('href')).toBe('/my-tickets');
    expect(main.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
  });
  describe('saved to an account', () => {
    const CLAIM = `POST /api/orders/${ORDER_ID}/claim`;
    const REGISTER = 'POST /api/auth/register';
    const saved = orderFixture({ claimable: false });

    test('a guest can save the order to an account, which leads to registering', async () => {
      open(orderFixture());
      expect(await screen.findByText(/The link in that email opens these tickets again/)).toBeTruthy();
      await user.click(screen.getByRole('button', { name: 'Save to an account' }));
      expect(await screen.findByRole('form', { name: 'Register' })).toBeTruthy();
      expect(address()).toBe(
        `/auth?next=${encodeURIComponent(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`)}&tab=register`,
      );
    });
    test('after registering the page saves the order, by its access key', async () => {
      let isSaved = false;
      const calls = open(() => (isSaved ? saved : orderFixture()), '#key=secret-1', {
        [REGISTER]: sessionFixture(),
        [CLAIM]: () => {
          isSaved = true;
          return saved;
        },
      });
      await user.click(await screen.findByRole('button', { name: 'Save to an account' }));
      const form = within(await screen.findByRole('form', { name: 'Register' }));
      await user.type(form.getByLabelText('Name'), 'Ann');
      await user.type(form.getByLabelText('Email'), 'ann@example.com');
      await user.type(form.getByLabelText('Password'), 'orange-line-42');
      await user.click(form.getByRole('button', { name: 'Register' }));
      expect(await screen.findByText('Saved to your account')).toBeTruthy();
      expect(address()).toBe(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`);
      const claims = calls.filter(({ path }) => path.endsWith('/claim'));
      expect(claims.map(({ headers }) => [headers.get('x-order-key'), headers.get('authorization')])).toEqual([
        ['secret-1', 'Bearer token-1'],
      ]);
      expect(screen.queryByRole('button', { name: /^Save to/ })).toBeNull();
    });
    test('an order is saved to a signed-in account by a press only: opening a link saves nothing', async () => {
      sessionStore.set(sessionFixture());
      const calls = open(orderFixture(), '#key=secret-1', { [CLAIM]: saved });
      const button = await screen.findByRole('button', { name: 'Save to my account' });
      expect(calls.filter(({ path }) => path.endsWith('/claim'))).toEqual([]);
      await user.click(button);
      expect(await screen.findByText('Saved to your account')).toBeTruthy();
    });
    test('an order of the account itself offers no saving', async () => {
      sessionStore.set(sessionFixture());
      open(saved);
      await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
      expect(screen.queryByRole('button', { name: /^Save to/ })).toBeNull();
      expect(screen.queryByText(/opens these tickets again/)).toBeNull();
    });
    test('an order that was saved to another account says so', async () => {
      sessionStore.set(sessionFixture());
      open(orderFixture(), '', {
        [CLAIM]: () => problem(409, 'order-claimed', { detail: 'These tickets belong to another account already.' }),
      });
      await user.click(await screen.findByRole('button', { name: 'Save to my account' }));
      expect(await screen.findByText('These tickets belong to another account already.')).toBeTruthy();
    });
  });
  describe('a new link', () => {
    const LINK = `POST /api/orders/${ORDER_ID}/link`;
    test('replaces the access key that this tab keeps', async () => {
      const calls = open(orderFixture(), '#key=secret-1', { [LINK]: { accessKey: 'secret-2' } });
      await user.click(await screen.findByRole('button', { name: 'Make a new link' }));
      expect(await screen.findByText(/Earlier links open nothing any more/)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Copy the link' })).toBeTruthy();
      const call = calls.find(({ path }) => path.endsWith('/link'));
      expect(call?.headers.get('x-order-key')).toBe('secret-1');
      expect(sessionStorage.getItem(`beltway.order-key.${ORDER_ID}`)).toBe('secret-2');
    });
    test('whose answer is lost is requested again with the same idempotency key', async () => {
      let tries = 0;
      const calls = open(orderFixture(), '#key=secret-1', {
        [LINK]: () => {
          if (tries++ === 0) throw new TypeError('Failed to fetch');
          return { accessKey: 'secret-2' };
        },
      });
      await user.click(await screen.findByRole('button', { name: 'Make a new link' }));
      expect(await screen.findByText(/Earlier links open nothing any more/)).toBeTruthy();
      const keys = calls
        .filter(({ path }) => path.endsWith('/link'))
        .map(({ headers }) => headers.get('idempotency-key'));
      expect(keys).toHaveLength(2);
      expect(keys[1]).toBe(keys[0]);
    });
  });
  test('takes the key out of the address bar, and keeps it for this tab', async () => {
    const calls = open(orderFixture(), '#key=secret-1');
    await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
    expect(address()).toBe(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`);
    const asked = calls.find(({ path }) => path === `/api/orders/${ORDER_ID}`);
    expect(asked?.headers.get('x-order-key')).toBe('secret-1');
    expect(calls.some(({ path }) => path.includes('secret-1'))).toBe(false);
  });
  test('saves the PDF with the key, not in an address', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const calls = open(orderFixture(), '#key=secret-1', { [`${ORDER}/tickets.pdf`]: () => answer(200, '%PDF-') });
    await user.click(await screen.findByRole('button', { name: 'Tickets as PDF' }));
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect(saved.mock.contexts[0]).toHaveProperty('download', 'tickets.pdf');
    expect(calls.at(-1)).toMatchObject({ path: `/api/orders/${ORDER_ID}/tickets.pdf` });
    expect(calls.at(-1)?.headers.get('x-order-key')).toBe('secret-1');
    saved.mockRestore();
  });
  test('a file that cannot be had says so', async () => {
    open(orderFixture(), '', { [`${ORDER}/event.ics`]: () => problem(503, 'unavailable') });
    await user.click(await screen.findByRole('button', { name: 'Add to calendar' }));
    expect(await screen.findByText('The file could not be made. Please try again.')).toBeTruthy();
  });
  test('shows one code large, and the next one', async () => {
    open(orderFixture());
    await user.click(await screen.findByRole('button', { name: /CODE-1 Larger/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Ticket 1 of 2' });
    expect(within(dialog).getByText('CODE-1')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('dialog', { name: 'Ticket 2 of 2' })).toBeTruthy();
    expect(within(dialog).getByText('CODE-2')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
  });
  test('shows no support address where none is configured', async () => {
    open(orderFixture(), '', { [CONFIG]: { ...config, supportEmail: null } });
    await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
    expect(screen.queryByText(/Questions\?/)).toBeNull();
  });
  test.each(['?eventId=7&quantity=3', ''])(
    'an address without an order says nothing of a purchase: %o',
    async (query) => {
      fakeApi({ [CONFIG]: config });
      renderAt(`/ticket-success${query}`);
      expect(await screen.findByRole('heading', { name: 'Looking for your tickets?' })).toBeTruthy();
      const main = within(screen.getByRole('main'));
      expect(main.getByRole('link', { name: 'My Tickets' }).getAttribute('href')).toBe('/my-tickets');
      expect(main.getAllByRole('link')[1]?.getAttribute('href')).toBe(query ? '/event/7' : '/');
      expect(screen.getByRole('main').textContent).not.toMatch(/purchased|are here|is here|on its way/i);
    },
  );
});

describe('not bought, or not yet', () => {
  test.for([
    ['held', 'Making your tickets…'],
    ['processing', 'Making your tickets…'],
    ['refunding', 'We are sending your money back'],
    ['refunded', 'Your money is on its way back'],
    ['disputed', 'The payment of this order was disputed'],
    ['released', 'These tickets were not bought'],
    ['expired', 'These tickets were not bought'],
  ] as const)('%s', async ([status, title]) => {
    open(inState(status));
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  });
  test('a refund says why, how much and how long', async () => {
    open(inState('refunded', { event: { ...orderFixture().event, status: 'canceled' } }));
    expect((await screen.findByText(/was canceled by its organizer/)).textContent).toContain(
      '$50.00 goes back to your card; banks show it within 5 to 10 days.',
    );
  });
  test('a dispute that was lost says that the tickets are void, and promises no money', async () => {
    open(inState('disputed', { tickets: [ticketFixture(1, { status: 'disputed', qrCode: null })] }));
    expect((await screen.findByText(/no longer valid/)).textContent).toContain('no money is on its way to you');
    expect(screen.getByRole('main').textContent).not.toMatch(/goes back|refund/i);
  });
  test('a refund that is only asked for is not said to be sent', async () => {
    open(inState('refunding'));
    expect((await screen.findByText(/We have asked for your refund of \$50\.00/)).textContent).not.toMatch(/goes back/);
  });
  test.each([
    ['fulfilled', 'canceled', 'We are sending your money back', /was canceled by its organizer/],
    ['refunded', 'published', 'Your money is on its way back', /payment for these tickets was taken back/],
  ] as const)('void tickets show no code: %s, event %s', async (status, eventStatus, title, why) => {
    const { event, tickets } = orderFixture();
    const gone = tickets.map((ticket) => ({ ...ticket, status: 'canceled' as const, qrCode: null }));
    open(orderFixture({ status, tickets: gone, event: { ...event, status: eventStatus } }));
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByText(why)).toBeTruthy();
    expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove from calendar' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Tickets as PDF|Larger/ })).toBeNull();
  });
  test('shows the tickets by itself when they arrive', async () => {
    let asked = 0;
    open(() => (asked++ === 0 ? inState('processing') : orderFixture()));
    await screen.findByRole('heading', { name: 'Making your tickets…' });
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
    expect(await screen.findByText('2 tickets for Go-Go on the Roof')).toBeTruthy();
  });
  test('shows the tickets by itself after the server was unreachable, before the order was loaded and after', async () => {
    const away = () => problem(503, 'unavailable', { detail: 'A part of Beltway does not answer right now.' });
    const answers = [away, () => inState('processing'), away];
    open(() => (answers.shift() ?? orderFixture)());
    expect(await screen.findByText(/does not answer right now\. This page keeps asking/)).toBeTruthy();
    expect(await screen.findByText('Making your tickets…')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
  });
  test('whose status a page of an older release does not know: it shows the tickets that it knows, and asks to be reloaded', async () => {
    const refund = {
      ...{ id: '00000000-0000-4000-8000-0000000000aa', cause: 'event-moved', reason: null, ticketIds: [] },
      ...{ amount: 2500, state: 'split', requestedAt: '2030-07-03T15:30:00.000Z', refundedAt: null },
    };
    open({ ...orderFixture(), status: 'transferred', refunds: [refund], tickets: [ticketFixture(1)] });
    expect(await screen.findByRole('heading', { name: 'Please reload this page' })).toBeTruthy();
    expect(screen.getByText(/cannot show the state of your order for Go-Go on the Roof/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    expect(await screen.findByRole('img', { name: 'QR code of ticket CODE-1' })).toBeTruthy();
  });
  test('an order of somebody else does not exist', async () => {
    const calls = open(() => problem(404, 'not-found'));
    expect(await screen.findByRole('heading', { name: 'Order Not Found' })).toBeTruthy();
    expect(calls.filter(({ path }) => path === `/api/orders/${ORDER_ID}`)).toHaveLength(1);
  });
  test('a fault that does not pass can be retried', async () => {
    let asked = 0;
    open(() => (asked++ === 0 ? problem(400, 'invalid', { detail: 'This address is not right.' }) : orderFixture()));
    expect(await screen.findByText('This address is not right.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
  });
});

describe('back from the provider', () => {
  const back = `&payment_intent=${PAYMENT_ID}&payment_intent_client_secret=${CLIENT_SECRET}&redirect_status=`;
  const PROCESS = 'POST /api/process-ticket-purchase';
  const result = { orderId: ORDER_ID, status: 'fulfilled', eventId: 7, eventTitle: 'Go-Go on the Roof', quantity: 2 };
  test('processes the payment and removes its secrets from the address', async () => {
    const calls = open(orderFixture(), `${back}succeeded`, { [PROCESS]: result });
    await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
    await waitFor(() => expect(address()).toBe(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`));
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ paymentIntentId: PAYMENT_ID });
  });
  test('also finds the order by the payment alone', async () => {
    fakeApi({ [ORDER]: orderFixture(), [PROCESS]: result });
    renderAt(`/ticket-success?${back.slice(1)}succeeded`);
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
  });
  test('a payment that failed there says so and leads to another try', async () => {
    open(inState('held'), `${back}failed`, { [PROCESS]: { ...result, status: 'held' } });
    expect(await screen.findByRole('heading', { name: 'Your payment did not go through' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/ticket-checkout?eventId=7');
  });
});
