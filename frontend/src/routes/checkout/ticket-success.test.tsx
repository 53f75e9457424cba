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
  test('shows the tickets, the order number, the next steps and the support email address', async () => {
    open(orderFixture());
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
    expect(await screen.findAllByRole('img', { name: /^QR code of ticket/ })).toHaveLength(2);
    const follows = screen.getByText(/We’re emailing your tickets/);
    expect(follows.textContent).toContain('ann@example.com');
    const [code] = screen.getAllByRole('img', { name: /^QR code of ticket/ });
    expect(code!.compareDocumentPosition(follows) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByText('Order 4F7K-2M9Q')).toBeTruthy();
    expect(await screen.findByText('and mention order 4F7K-2M9Q')).toBeTruthy();
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
      expect(await screen.findByText(/Use the link in the email to open your tickets/)).toBeTruthy();
      await user.click(screen.getByRole('button', { name: 'Save to an account' }));
      expect(await screen.findByRole('form', { name: 'Register' })).toBeTruthy();
      expect(address()).toBe(
        `/auth?next=${encodeURIComponent(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`)}&tab=register`,
      );
    });
    test('after registering, the page saves the order with the order’s access key', async () => {
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
    test('only a press saves an order to a signed-in account: opening a link saves nothing', async () => {
      sessionStore.set(sessionFixture());
      const calls = open(orderFixture(), '#key=secret-1', { [CLAIM]: saved });
      const button = await screen.findByRole('button', { name: 'Save to my account' });
      expect(calls.filter(({ path }) => path.endsWith('/claim'))).toEqual([]);
      await user.click(button);
      expect(await screen.findByText('Saved to your account')).toBeTruthy();
    });
    test('the account’s own order offers no saving', async () => {
      sessionStore.set(sessionFixture());
      open(saved);
      await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
      expect(screen.queryByRole('button', { name: /^Save to/ })).toBeNull();
      expect(screen.queryByText(/to open your tickets/)).toBeNull();
    });
    test('an order saved to another account shows that', async () => {
      sessionStore.set(sessionFixture());
      open(orderFixture(), '', {
        [CLAIM]: () => problem(409, 'order-claimed', { detail: 'These tickets already belong to another account.' }),
      });
      await user.click(await screen.findByRole('button', { name: 'Save to my account' }));
      expect(await screen.findByText('These tickets already belong to another account.')).toBeTruthy();
    });
  });
  describe('a new link', () => {
    const LINK = `POST /api/orders/${ORDER_ID}/link`;
    test('replaces this tab’s access key', async () => {
      const calls = open(orderFixture(), '#key=secret-1', { [LINK]: { accessKey: 'secret-2' } });
      await user.click(await screen.findByRole('button', { name: 'Get a new link' }));
      expect(await screen.findByText(/Old links no longer work/)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();
      const call = calls.find(({ path }) => path.endsWith('/link'));
      expect(call?.headers.get('x-order-key')).toBe('secret-1');
      expect(sessionStorage.getItem(`beltway.order-key.${ORDER_ID}`)).toBe('secret-2');
    });
    test('is requested again with the same idempotency key when the response is lost', async () => {
      let tries = 0;
      const calls = open(orderFixture(), '#key=secret-1', {
        [LINK]: () => {
          if (tries++ === 0) throw new TypeError('Failed to fetch');
          return { accessKey: 'secret-2' };
        },
      });
      await user.click(await screen.findByRole('button', { name: 'Get a new link' }));
      expect(await screen.findByText(/Old links no longer work/)).toBeTruthy();
      const keys = calls
        .filter(({ path }) => path.endsWith('/link'))
        .map(({ headers }) => headers.get('idempotency-key'));
      expect(keys).toHaveLength(2);
      expect(keys[1]).toBe(keys[0]);
    });
  });
  test('removes the access key from the address bar and keeps it in this tab', async () => {
    const calls = open(orderFixture(), '#key=secret-1');
    await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
    expect(address()).toBe(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`);
    const asked = calls.find(({ path }) => path === `/api/orders/${ORDER_ID}`);
    expect(asked?.headers.get('x-order-key')).toBe('secret-1');
    expect(calls.some(({ path }) => path.includes('secret-1'))).toBe(false);
  });
  test('sends the access key for the PDF in a header, not in the URL', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const calls = open(orderFixture(), '#key=secret-1', { [`${ORDER}/tickets.pdf`]: () => answer(200, '%PDF-') });
    await user.click(await screen.findByRole('button', { name: 'Tickets as PDF' }));
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect(saved.mock.contexts[0]).toHaveProperty('download', 'tickets.pdf');
    expect(calls.at(-1)).toMatchObject({ path: `/api/orders/${ORDER_ID}/tickets.pdf` });
    expect(calls.at(-1)?.headers.get('x-order-key')).toBe('secret-1');
    saved.mockRestore();
  });
  test('the codes come first, then calendar, directions and a ticket for a friend, with the details folded', async () => {
    open(orderFixture());
    const card = within(await screen.findByRole('article', { name: 'Ticket 1 of 2' }));
    const details = card.getByText('Ticket details').closest('details')!;
    expect(details.open).toBe(false);
    for (const words of ['Holder', 'Ann Buyer', '$25.00']) expect(within(details).getByText(words)).toBeTruthy();
    const names = ['Add to calendar', 'Directions', 'Send to a friend', 'Tickets as PDF'];
    const ways = names.map((name) => screen.getByText(name, { selector: 'button, a' }));
    for (const [at, way] of ways.entries())
      expect((ways[at - 1] ?? details).compareDocumentPosition(way)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
  describe('a ticket for a friend', () => {
    const drawn: string[] = [];
    beforeEach(() => {
      drawn.length = 0;
      vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
        fillRect: () => undefined,
        fillText: (text: string) => void drawn.push(text),
      } as never);
      vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['png'])));
    });
    afterEach(() => vi.restoreAllMocks());
    const sendSecond = async () => {
      await user.click(await screen.findByRole('button', { name: 'Send to a friend' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Ticket 2: CODE-2' }));
    };

    test('is chosen, and opens in the share sheet as a picture with QR code and event', async () => {
      const share = vi.fn((_: ShareData) => Promise.resolve());
      vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { canShare: () => true, share }));
      open(orderFixture());
      await sendSecond();
      await waitFor(() => expect(share).toHaveBeenCalled());
      expect(share.mock.calls[0]![0].files!.map(({ name, type }) => [name, type])).toEqual([
        ['ticket-CODE-2.png', 'image/png'],
      ]);
      expect(drawn).toEqual([
        ...['Go-Go on the Roof', 'Friday, July 12, 2030', '7 PM – 11:30 PM', 'U Street, Washington, DC'],
        ...['CODE-2', 'One person per code'],
      ]);
    });
    test('is saved as a picture if the device has no share sheet', async () => {
      const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
      vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
      open(orderFixture());
      await sendSecond();
      expect(await screen.findByText('Ticket saved to your device')).toBeTruthy();
      expect(saved.mock.contexts[0]).toHaveProperty('download', 'ticket-CODE-2.png');
    });
    test('a single ticket is sent without a question, and closing the sheet is no failure', async () => {
      const share = vi.fn(() => Promise.reject(new DOMException('closed', 'AbortError')));
      vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { canShare: () => true, share }));
      open(orderFixture({ tickets: [ticketFixture(1)], quantity: 1 }));
      await user.click(await screen.findByRole('button', { name: 'Send to a friend' }));
      await waitFor(() => expect(share).toHaveBeenCalled());
      expect(screen.queryByText('Couldn’t create the file')).toBeNull();
    });
    test('no ticket that is void can be sent', async () => {
      open(orderFixture({ tickets: [ticketFixture(1, { status: 'frozen', qrCode: null })] }));
      await screen.findByRole('article', { name: 'Ticket 1 of 1' });
      expect(screen.queryByRole('button', { name: 'Send to a friend' })).toBeNull();
    });
  });
  test('a file that cannot be loaded shows an error', async () => {
    open(orderFixture(), '', { [`${ORDER}/event.ics`]: () => problem(503, 'unavailable') });
    await user.click(await screen.findByRole('button', { name: 'Add to calendar' }));
    expect(await screen.findByText('Couldn’t create the file. Please try again.')).toBeTruthy();
  });
  test('enlarges one QR code, and then the next one', async () => {
    open(orderFixture());
    await user.click(await screen.findByRole('button', { name: /CODE-1 Larger/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Ticket 1 of 2' });
    expect(within(dialog).getByText('CODE-1')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('dialog', { name: 'Ticket 2 of 2' })).toBeTruthy();
    expect(within(dialog).getByText('CODE-2')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
  });
  test('shows no support email address if none is configured', async () => {
    open(orderFixture(), '', { [CONFIG]: { ...config, supportEmail: null } });
    await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
    expect(screen.queryByText(/Questions\?/)).toBeNull();
  });
  test.each(['?eventId=7&quantity=3', ''])('a URL without an order claims no purchase: %o', async (query) => {
    fakeApi({ [CONFIG]: config });
    renderAt(`/ticket-success${query}`);
    expect(await screen.findByRole('heading', { name: 'Looking for your tickets?' })).toBeTruthy();
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'My Tickets' }).getAttribute('href')).toBe('/my-tickets');
    expect(main.getAllByRole('link')[1]?.getAttribute('href')).toBe(query ? '/event/7' : '/');
    expect(screen.getByRole('main').textContent).not.toMatch(/purchased|are here|is here|on its way/i);
  });
});

describe('not bought, or not yet', () => {
  test.for([
    ['held', 'Making your tickets…'],
    ['processing', 'Making your tickets…'],
    ['refunding', 'We’re refunding you'],
    ['refunded', 'Your refund is on its way'],
    ['disputed', 'This order’s payment was disputed'],
    ['released', 'You didn’t buy these tickets'],
    ['expired', 'You didn’t buy these tickets'],
  ] as const)('%s', async ([status, title]) => {
    open(inState(status));
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  });
  test('a refund shows its reason, amount and duration', async () => {
    open(inState('refunded', { event: { ...orderFixture().event, status: 'canceled' } }));
    expect((await screen.findByText(/was canceled by its organizer/)).textContent).toContain(
      '$50.00 is going back to your card. Banks take 5 to 10 days to show it.',
    );
  });
  test('after a lost dispute the tickets are void and no money is promised', async () => {
    open(inState('disputed', { tickets: [ticketFixture(1, { status: 'disputed', qrCode: null })] }));
    expect((await screen.findByText(/no longer valid/)).textContent).toContain('no money is on its way to you');
    expect(screen.getByRole('main').textContent).not.toMatch(/going back|refund/i);
  });
  test('a requested refund is not shown as sent', async () => {
    open(inState('refunding'));
    expect((await screen.findByText(/We requested your refund of \$50\.00/)).textContent).not.toMatch(/going back/);
  });
  test.each([
    ['fulfilled', 'canceled', 'We’re refunding you', /was canceled by its organizer/],
    ['refunded', 'published', 'Your refund is on its way', /payment for these tickets was reversed/],
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
  test('shows the tickets immediately when they arrive', async () => {
    let asked = 0;
    open(() => (asked++ === 0 ? inState('processing') : orderFixture()));
    await screen.findByRole('heading', { name: 'Making your tickets…' });
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
    expect(await screen.findByText('2 tickets for Go-Go on the Roof')).toBeTruthy();
  });
  test('shows the tickets once the server is reachable again, before the order was loaded and after', async () => {
    const away = () => problem(503, 'unavailable', { detail: 'Part of Beltway isn’t responding.' });
    const answers = [away, () => inState('processing'), away];
    open(() => (answers.shift() ?? orderFixture)());
    expect(await screen.findByText(/isn’t responding\. We’re still checking/)).toBeTruthy();
    expect(await screen.findByText('Making your tickets…')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
  });
  test('with a status that a later release added: shows the known tickets and asks for a reload', async () => {
    const refund = {
      ...{ id: '00000000-0000-4000-8000-0000000000aa', cause: 'event-moved', reason: null, ticketIds: [] },
      ...{ amount: 2500, state: 'split', requestedAt: '2030-07-03T15:30:00.000Z', refundedAt: null },
    };
    open({ ...orderFixture(), status: 'transferred', refunds: [refund], tickets: [ticketFixture(1)] });
    expect(await screen.findByRole('heading', { name: 'Please reload this page' })).toBeTruthy();
    expect(screen.getByText(/Reload to see the status of your order for Go-Go on the Roof/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    expect(await screen.findByRole('img', { name: 'QR code of ticket CODE-1' })).toBeTruthy();
  });
  test('another buyer’s order is not found', async () => {
    const calls = open(() => problem(404, 'not-found'));
    expect(await screen.findByRole('heading', { name: 'Order not found' })).toBeTruthy();
    expect(calls.filter(({ path }) => path === `/api/orders/${ORDER_ID}`)).toHaveLength(1);
  });
  test('a permanent error can be retried', async () => {
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
  test('processes the payment and removes its secrets from the URL', async () => {
    const calls = open(orderFixture(), `${back}succeeded`, { [PROCESS]: result });
    await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
    await waitFor(() => expect(address()).toBe(`/ticket-success?eventId=7&quantity=2&orderId=${ORDER_ID}`));
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ paymentIntentId: PAYMENT_ID });
  });
  test('finds the order by its payment id alone', async () => {
    fakeApi({ [ORDER]: orderFixture(), [PROCESS]: result });
    renderAt(`/ticket-success?${back.slice(1)}succeeded`);
    expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
  });
  test('a payment that failed there shows the failure and leads to another try', async () => {
    open(inState('held'), `${back}failed`, { [PROCESS]: { ...result, status: 'held' } });
    expect(await screen.findByRole('heading', { name: 'Your payment didn’t go through' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/ticket-checkout?eventId=7');
  });
});

test('the buyer writes to the organizer; a retry of the same text is the same message', async () => {
  const MESSAGES = `POST /api/orders/${ORDER_ID}/messages`;
  let tries = 0;
  const calls = open(orderFixture(), '#key=secret-of-the-link', {
    [MESSAGES]: () => (++tries === 1 ? problem(503, 'unavailable') : answer(204)),
  });
  await user.click(await screen.findByRole('button', { name: 'Message the organizer' }));
  const form = within(await screen.findByRole('form', { name: 'Message the organizer' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await form.findByText('Write something')).toBeTruthy();
  await user.type(form.getByLabelText('Your message'), 'Is there parking?');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(tries).toBe(1));
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Message sent')).toBeTruthy();
  const sent = calls.filter(({ path }) => path.endsWith('/messages'));
  expect(sent.map(({ body }) => body)).toEqual([{ text: 'Is there parking?' }, { text: 'Is there parking?' }]);
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toBe(keys[1]);
});
