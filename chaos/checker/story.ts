import type { BankPayment, CallName, ClientCall, Evidence, LoggedEvent } from './evidence.ts';

const START = 1_800_000_000_000;

/** The lines of an order of tickets at ten dollars. */
export const linesOf = (quantity: number) => [
  { type: 'general', name: 'General admission', quantity, priceCents: 1_000 },
];

/**
 * Handmade evidence for the checker's tests: small correct logs, in which a test falsifies one fact. Each event is a
 * separate transaction, ten milliseconds after the previous event. A call is sent and answered at the moment when it is
 * recorded.
 */
export function story() {
  const logs = { ticketing: [] as LoggedEvent[], payments: [] as LoggedEvent[], catalog: [] as LoggedEvent[] };
  const client: ClientCall[] = [];
  const bank: BankPayment[] = [];
  const rows: Evidence['rows'] = {
    availability: [],
    orders: [],
    tickets: [],
    listings: [],
    stock: [],
    payments: [],
    ledger: [],
  };
  const people: Evidence['people'] = { erased: [], left: [] };
  let now = START;

  const log = (
    name: keyof typeof logs,
    stream: string,
    type: string,
    data: object,
    more: Partial<LoggedEvent> = {},
  ): LoggedEvent => {
    now += 10;
    const event: LoggedEvent = {
      stream,
      version: logs[name].filter((other) => other.stream === stream).length + 1,
      type,
      data: data as Record<string, unknown>,
      commandId: `command-${name}-${logs[name].length}`,
      correlationId: `request-${client.length}`,
      occurredAt: now,
      tx: String(logs[name].length),
      position: logs[name].length + 1,
      ...more,
    };
    logs[name].push(event);
    return event;
  };
  const call = (name: CallName, more: Partial<ClientCall> = {}): ClientCall => {
    now += 10;
    const made: ClientCall = {
      n: client.length + 1,
      call: name,
      key: `key-${client.length}`,
      sentAt: now - 5,
      answeredAt: now + 5,
      outcome: 'acknowledged',
      ...more,
    };
    client.push(made);
    return made;
  };
  const sale = (type: string, data: object, more?: Partial<LoggedEvent>) =>
    log('ticketing', 'sale-1', type, data, more);

  const tell = {
    logs,
    client,
    bank,
    rows,
    people,
    log,
    call,
    sale,
    /** Advances the time. */
    later: (ms: number) => void (now += ms),

    opens(capacity: number) {
      log('catalog', 'event-1', 'EventPublished', { details: { title: 'Night' } });
      rows.listings.push({ eventId: 1, title: 'Night', status: 'published' });
      rows.availability.push({ eventId: 1, capacity, sold: 0, held: 0, closed: null });
      rows.stock.push({ eventId: 1, sold: 0, held: 0 });
      call('open-sale', { eventId: 1, capacity });
      sale('SaleOpened', { capacity, priceCents: 1_000 });
    },
    holds(orderId: string, quantity: number) {
      sale('TicketsHeld', { orderId, lines: linesOf(quantity) });
      rows.orders.push({ orderId, eventId: 1, quantity, status: 'held' });
      rows.availability[0]!.held += quantity;
      rows.stock[0]!.held += quantity;
      call('hold', { orderId, eventId: 1, quantity, key: `key of ${orderId}` });
    },
    /** Requests an intent and receives its client secret. */
    asksToPay(orderId: string, quantity: number) {
      const paymentId = `pi_${orderId}`;
      log('payments', `payment-${orderId}`, 'PaymentRequested', { orderId, paymentId });
      sale('PaymentAttached', { orderId, paymentId });
      call('intent', { orderId, eventId: 1, paymentId, quantity, key: `key of ${orderId}` });
    },
    /** Charges the card and logs everything that follows, except the tickets. */
    pays(orderId: string, quantity: number) {
      const paymentId = `pi_${orderId}`;
      if (!logs.payments.some(({ stream }) => stream === `payment-${orderId}`)) tell.asksToPay(orderId, quantity);
      const amount = quantity * 1_000;
      bank.push({ paymentId, orderId, status: 'succeeded', amount, received: amount, refunded: 0, transferred: 0 });
      call('confirm', { orderId, paymentId, result: 'succeeded' });
      log('payments', `payment-${orderId}`, 'PaymentSucceeded', { orderId, paymentId });
      rows.payments.push({ orderId, paymentId, status: 'succeeded' });
      rows.ledger.push(
        { paymentId: orderId, event: 'PaymentSucceeded', account: 'provider', cents: amount },
        { paymentId: orderId, event: 'PaymentSucceeded', account: 'organizer:7', cents: -amount },
      );
    },
    getsTickets(orderId: string, quantity: number, fromHold = quantity) {
      const tickets = Array.from({ length: quantity }, (_, n) => ({
        id: `${orderId}-${n}`,
        code: `CODE-${orderId}-${n}`,
      }));
      sale('TicketsSold', {
        ...{ orderId, lines: linesOf(quantity), fromHold: linesOf(fromHold) },
        ...{ paymentId: `pi_${orderId}`, tickets },
      });
      log('payments', `payment-${orderId}`, 'PaymentFulfilled', { orderId });
      rows.orders.find((row) => row.orderId === orderId)!.status = 'fulfilled';
      rows.tickets.push(...tickets.map((ticket) => ({ ...ticket, orderId, status: 'valid' })));
      for (const row of [rows.availability[0]!, rows.stock[0]!]) {
        row.sold += quantity;
        row.held -= fromHold;
      }
      call('process', { orderId, result: 'fulfilled' });
      call('look', { orderId, result: 'fulfilled', codes: tickets.map(({ code }) => code) });
    },
    expires(orderId: string, quantity: number) {
      sale('HoldReleased', { orderId, lines: linesOf(quantity), reason: 'expired' });
      rows.orders.find((row) => row.orderId === orderId)!.status = 'expired';
      rows.availability[0]!.held -= quantity;
      rows.stock[0]!.held -= quantity;
    },
    /** The payment came too late and is refunded. */
    getsMoneyBack(orderId: string) {
      const payment = bank.find((one) => one.orderId === orderId)!;
      sale('PaymentNotFulfilled', { orderId, paymentId: payment.paymentId });
      log('payments', `payment-${orderId}`, 'PaymentRefunded', { orderId });
      payment.refunded = payment.received;
      rows.orders.find((row) => row.orderId === orderId)!.status = 'refunding';
      rows.payments.find((row) => row.orderId === orderId)!.status = 'refunded';
      rows.ledger.push(
        { paymentId: orderId, event: 'PaymentRefunded', account: 'provider', cents: -payment.received },
        { paymentId: orderId, event: 'PaymentRefunded', account: 'organizer:7', cents: payment.received },
      );
    },
    /** Cancels one of the order's tickets and refunds it. */
    cancels(orderId: string, place: number, quantity: number, goneBefore = 0) {
      const payment = bank.find((one) => one.orderId === orderId)!;
      const standing = quantity - goneBefore - 1;
      sale('TicketsReturned', {
        ...{ orderId, amountCents: 1_000, paymentId: payment.paymentId },
        ...{ tickets: [{ place, priceCents: 1_000 }], order: { standing, standingCents: standing * 1_000 } },
      });
      log('payments', `payment-${orderId}`, standing === 0 ? 'PaymentRefunded' : 'PaymentPartlyRefunded', { orderId });
      payment.refunded += 1_000;
      for (const row of [rows.availability[0]!, rows.stock[0]!]) row.sold -= 1;
      rows.tickets.find(({ id }) => id === `${orderId}-${place - 1}`)!.status = 'refunded';
      if (standing === 0) {
        rows.orders.find((row) => row.orderId === orderId)!.status = 'refunding';
        rows.payments.find((row) => row.orderId === orderId)!.status = 'refunded';
      }
      const event = `Refund:${orderId}:${place}`;
      rows.ledger.push(
        { paymentId: orderId, event, account: 'provider', cents: -1_000 },
        { paymentId: orderId, event, account: 'organizer:7', cents: 1_000 },
      );
      call('refund', { orderId, eventId: 1, quantity: 1 });
    },
    refused: (quantity: number, code: string, more: Partial<ClientCall> = {}) =>
      call('hold', {
        eventId: 1,
        quantity,
        outcome: 'refused',
        code,
        requestId: `request-refused-${client.length}`,
        ...more,
      }),

    evidence: (): Evidence => ({ ...logs, client, bank, rows, people }),
  };
  return tell;
}
export type Story = ReturnType<typeof story>;

/**
 * A sale of five tickets: two are sold, one is paid too late and refunded, and one request is refused while no ticket
 * is left.
 */
export function goodStory(): Story {
  const tell = story();
  tell.opens(5);
  tell.holds('ann', 2);
  tell.holds('bob', 3);
  tell.asksToPay('bob', 3);
  tell.refused(1, 'all-held');
  tell.pays('ann', 2);
  tell.getsTickets('ann', 2);
  tell.expires('bob', 3);
  tell.holds('cat', 3);
  tell.pays('cat', 3);
  tell.getsTickets('cat', 3);
  tell.pays('bob', 3);
  tell.getsMoneyBack('bob');
  tell.refused(1, 'sold-out');
  return tell;
}
