import { randomUUID } from 'node:crypto';
import type { Hold, MyTicket, TicketPaymentIntent, TicketPurchaseResult } from '@beltway/contracts/ticketing/tickets';
import { openConnection, requestOf, type Connection } from '../support/connection.ts';

export interface Shop {
  port: number;
  publishableKey: string;
  /** Path on the gateway where the browser confirms cards. */
  confirmBase: string;
  eventId: number;
}

export interface Bought {
  orderId: string;
  quantity: number;
}

const json = 'content-type: application/json';
const WAIT_MS = 20;
const GIVE_UP_MS = 60_000;

/** Simulates buyers one after the other on one connection, with a browser's requests: hold, intent, card, tickets. */
export function openBuyer(shop: Shop): { buy(token: string, quantity: number): Promise<Bought>; close(): void } {
  const connection = openConnection(shop.port);
  return {
    close: () => connection.close(),
    async buy(token, quantity) {
      const signedIn = [`authorization: Bearer ${token}`];
      const post = <T>(path: string, body: object) =>
        call<T>(
          connection,
          'POST',
          path,
          [json, ...signedIn, `idempotency-key: ${randomUUID()}`],
          JSON.stringify(body),
        );
      const { eventId } = shop;
      const { orderId, accessKey } = await post<Hold>('/api/holds', { eventId, quantity });
      const intent = await post<TicketPaymentIntent>('/api/create-ticket-payment-intent', {
        eventId,
        quantity,
        orderId,
        accessKey,
        ticketHolderName: 'Bea Buyer',
        ticketHolderEmail: 'bea.buyer@example.test',
      });
      await confirm(connection, shop, intent);
      const { paymentIntentId } = intent;
      await post<TicketPurchaseResult>('/api/process-ticket-purchase', { paymentIntentId });
      for (const from = performance.now(); ; await new Promise((resolve) => setTimeout(resolve, WAIT_MS))) {
        const mine = await call<MyTicket[]>(connection, 'GET', '/api/tickets/my-tickets', signedIn);
        if (mine.filter(({ ticket }) => ticket.orderId === orderId).length === quantity) return { orderId, quantity };
        if (performance.now() - from > GIVE_UP_MS) throw new Error(`order ${orderId} has no tickets`);
      }
    },
  };
}

/** The card form's request, with the publishable key and the intent's secret. */
async function confirm(connection: Connection, shop: Shop, intent: TicketPaymentIntent): Promise<void> {
  const form = new URLSearchParams({
    key: shop.publishableKey,
    client_secret: intent.clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
    'payment_method_data[card][cvc]': '123',
  });
  const path = `${shop.confirmBase}/v1/payment_intents/${intent.paymentIntentId}/confirm`;
  const headers = ['content-type: application/x-www-form-urlencoded'];
  const { status } = await call<{ status: string }>(connection, 'POST', path, headers, form.toString());
  if (status !== 'succeeded') throw new Error(`the card's payment is ${status}`);
}

async function call<T>(
  connection: Connection,
  method: string,
  path: string,
  headers: string[],
  body?: string,
): Promise<T> {
  const answer = await connection.send(requestOf(method, path, headers, body));
  const text = answer.body.toString();
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
