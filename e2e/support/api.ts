import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '@beltway/contracts/common/basics';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Session } from '@beltway/contracts/identity/accounts';
import type {
  Availability,
  GuestKey,
  Hold,
  Order,
  TicketPaymentIntent,
  TicketPurchaseResult,
} from '@beltway/contracts/ticketing/tickets';
import { eventually } from '@beltway/kit/testing';

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface SentMail {
  id: string;
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachments: Array<{ filename: string; contentType: string; bytes: number; cid?: string }>;
}

interface CallOptions {
  token?: string | undefined;
  headers?: Record<string, string>;
  /** Timeout; default 40 s. */
  timeoutMs?: number;
}

/** Thrown when a call that should succeed is refused. */
export class Refused extends Error {
  readonly answer: Answer<Problem>;
  constructor(path: string, answer: Answer<Problem>) {
    super(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.answer = answer;
  }
}

/** Whether a service refuses the call because the message about a new event has not arrived yet. */
const isArriving = ({ status, body }: Answer<unknown>): boolean =>
  status === 503 && (body as Problem).text === 'unavailable.event-new';

export const CARD = '4242424242424242';
const DAY_MS = 86_400_000;

export type Api = ReturnType<typeof apiOf>;

/**
 * An API client that prepares stories, and reads results that no page shows. `onAnswer` gets the text of each response.
 */
export function apiOf(url: string, onAnswer: (text: string) => void = () => undefined) {
  async function ask<T>(
    method: string,
    path: string,
    body?: unknown,
    { token, headers, timeoutMs = 40_000 }: CallOptions = {},
  ): Promise<Answer<T>> {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    onAnswer(text);
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }
  /** Throws `Refused` unless the call succeeds. Waits if a service has not received a new event yet. */
  async function call<T>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<T> {
    for (const until = performance.now() + 15_000; ;) {
      const answer = await ask<T>(method, path, body, options);
      if (answer.status < 300) return answer.body;
      if (!isArriving(answer) || performance.now() > until) throw new Refused(path, answer as Answer<Problem>);
      await pause(100);
    }
  }

  const api = {
    ask,
    call,

    register: (name: string, role: 'user' | 'business' = 'user') =>
      call<Session>('POST', '/api/auth/register', {
        name,
        // At most 64 characters before the @.
        email: `${name.toLowerCase().replace(/\W+/g, '.').slice(0, 24)}.${randomUUID()}@example.test`,
        password: 'orange-line-42',
        role,
      }),

    /** Creates an event next week with tickets on sale. Resolves when the sale has opened. */
    async launch(token: string, given: Record<string, unknown> = {}): Promise<Event> {
      const event = await call<Event>(
        'POST',
        '/api/events',
        {
          title: 'Go-Go Night',
          description: 'Three bands, one pocket.',
          location: 'Shaw, Washington, DC',
          eventDate: new Date(Date.now() + 7 * DAY_MS).toISOString(),
          eventStartTime: '20:00',
          eventEndTime: '',
          tags: ['#liveDJ'],
          imageUrl: '',
          hasTickets: true,
          ticketSalesEnabled: true,
          ticketPrice: 25,
          totalTickets: 50,
          isSponsored: false,
          promotionLevel: 'none',
          contactEmail: 'box@example.test',
          ...given,
        },
        { token },
      );
      if (event.hasTickets)
        await eventually(async () => (await ask('GET', `/api/events/${event.id}/availability`)).status === 200, {
          timeoutMs: 60_000,
          what: 'the sale is open',
        });
      return event;
    },

    /** A new organizer and their event. */
    async organize(given: Record<string, unknown> = {}): Promise<{ organizer: Session; event: Event }> {
      const organizer = await api.register('Ola Fakunle', 'business');
      return { organizer, event: await api.launch(organizer.token, given) };
    },

    /** A guest key, the prefix of a guest's idempotency keys. */
    guestKey: async () => (await call<GuestKey>('POST', '/api/order-keys')).key,

    hold: (eventId: number, quantity = 1) => call<Hold>('POST', '/api/holds', { eventId, quantity }),

    /** Buys as the token's account, or as a guest without a token. */
    intent: (
      eventId: number,
      quantity = 1,
      email = `guest.${randomUUID().slice(0, 8)}@example.test`,
      options?: CallOptions,
    ) =>
      call<TicketPaymentIntent>(
        'POST',
        '/api/create-ticket-payment-intent',
        { eventId, quantity, ticketHolderName: 'Gail Guest', ticketHolderEmail: email },
        options,
      ),

    /** Pays as the card form does; returns the intent's status. */
    async confirm({ paymentIntentId, clientSecret }: TicketPaymentIntent, card = CARD): Promise<string> {
      const { payments } = await call<{ payments: { publishableKey: string; apiBase: string } }>('GET', '/api/config');
      const { status } = await call<{ status: string }>(
        'POST',
        `${payments.apiBase}/v1/payment_intents/${paymentIntentId}/confirm`,
        new URLSearchParams({
          key: payments.publishableKey,
          client_secret: clientSecret,
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': card,
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
          'payment_method_data[card][cvc]': '123',
        }),
      );
      return status;
    },

    process: ({ paymentIntentId }: TicketPaymentIntent, options?: CallOptions) =>
      call<TicketPurchaseResult>('POST', '/api/process-ticket-purchase', { paymentIntentId }, options),

    async buy(eventId: number, quantity = 1, email?: string, options?: CallOptions): Promise<TicketPaymentIntent> {
      const intent = await api.intent(eventId, quantity, email, options);
      await api.confirm(intent);
      const { status } = await api.process(intent, options);
      if (status !== 'fulfilled') throw new Error(`the order is ${status}`);
      return intent;
    },

    order: ({ orderId, accessKey }: Pick<Hold, 'orderId' | 'accessKey'>) =>
      call<Order>('GET', `/api/orders/${orderId}`, undefined, { headers: { 'x-order-key': accessKey } }),

    /** Waits until the order has its tickets. */
    fulfilled: (order: Pick<Hold, 'orderId' | 'accessKey'>): Promise<Order> =>
      eventually(
        async () => {
          const now = await api.order(order);
          return now.status === 'fulfilled' && now;
        },
        { timeoutMs: 60_000, what: 'the order has its tickets' },
      ),

    stock: (eventId: number) => call<Availability>('GET', `/api/events/${eventId}/availability`),

    /** All mails to this email address except account mails. */
    mailsTo: async (email: string) =>
      (await call<SentMail[]>('GET', '/dev/mail/messages')).filter(
        ({ to, id }) => to === email && !id.startsWith('account-'),
      ),

    /** Waits for the one mail of a purchase. */
    mailTo: (email: string): Promise<SentMail> =>
      eventually(async () => (await api.mailsTo(email))[0], { timeoutMs: 60_000, what: `a mail to ${email}` }),

    /** Waits for the first mail about an account. */
    accountMailTo: (email: string): Promise<SentMail> =>
      eventually(
        async () =>
          (await call<SentMail[]>('GET', '/dev/mail/messages')).find(
            ({ to, id }) => to === email && id.startsWith('account-'),
          ),
        { timeoutMs: 60_000, what: `a mail about the account ${email}` },
      ),

    webhooks: (mode: string, seconds = 1) => call('PUT', '/dev/payments/webhooks', { mode, seconds }),

    invariants: () => call<{ ok: boolean; checks: unknown[] }>('GET', '/api/ops/invariants'),
  };
  return api;
}
