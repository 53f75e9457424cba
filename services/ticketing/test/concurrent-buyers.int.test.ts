import { expect, test } from 'vitest';
import { MyTickets, TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import { call, onSale, startCheckout } from './support.ts';

const BUYERS = 12;
const purchase = (name: string, quantity: number, extra = {}) => ({
  quantity,
  ticketHolderName: name,
  ticketHolderEmail: `${name.toLowerCase()}@example.test`,
  ...extra,
});

async function setup() {
  const ticketing = await onSale(100);
  const intend = (change: object, token: string) => startCheckout(ticketing, change, { token });
  return { ...ticketing, intend };
}

test('concurrent buyers each get their own intent, order and tickets', async () => {
  const { url, identity, fake, intend } = await setup();
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, async (_, n) => ({
      name: `Buyer${n}`,
      quantity: (n % 4) + 1,
      token: await identity.tokenFor({ id: n + 1 }),
    })),
  );
  const intents = await Promise.all(
    buyers.map(async ({ name, quantity, token }) =>
      TicketPaymentIntent.parse((await intend(purchase(name, quantity), token)).body),
    ),
  );
  expect(intents.map(({ amount }) => amount)).toEqual(buyers.map(({ quantity }) => quantity * 2_550));

  intents.forEach(({ paymentIntentId }) => fake.become(paymentIntentId, 'succeeded'));
  const bought = await Promise.all(
    intents.map(({ paymentIntentId }, n) =>
      call(url, 'POST', '/api/process-ticket-purchase', { token: buyers[n]!.token, body: { paymentIntentId } }),
    ),
  );
  expect(bought.map(({ body }) => [body.orderId, body.status, body.quantity])).toEqual(
    intents.map(({ orderId }, n) => [orderId, 'fulfilled', buyers[n]!.quantity]),
  );

  // Some buyers send the request twice, and one caller has bought nothing.
  const stranger = await identity.tokenFor({ id: 99 });
  const tokens = [...buyers.map(({ token }) => token), stranger, buyers[0]!.token];
  const lists = await Promise.all(
    tokens.map(async (token) => MyTickets.parse((await call(url, 'GET', '/api/tickets/my-tickets', { token })).body)),
  );
  expect(lists.map((list) => list.map(({ ticket }) => `${ticket.orderId} ${ticket.ticketHolderName}`))).toEqual([
    ...buyers.map(({ name, quantity }, n) => Array.from({ length: quantity }, () => `${intents[n]!.orderId} ${name}`)),
    [],
    Array.from({ length: buyers[0]!.quantity }, () => `${intents[0]!.orderId} Buyer0`),
  ]);
});

test('access is checked for an order id in any case; if two forms of an order are sent concurrently, one is stored completely', async () => {
  const { identity, intend, rows } = await setup();
  const token = await identity.tokenFor({ id: 3 });
  const { orderId } = TicketPaymentIntent.parse((await intend(purchase('Ann', 2), token)).body);
  const both = await Promise.all([
    intend(purchase('Bea', 2, { orderId: orderId.toUpperCase() }), token),
    intend(purchase('Cid', 2, { orderId }), token),
  ]);
  expect(both.map(({ status, body }) => [status, body.orderId])).toEqual([
    [200, orderId],
    [200, orderId],
  ]);
  const kept = await rows('select holder_name, holder_email from checkouts');
  expect([
    [{ holder_name: 'Bea', holder_email: 'bea@example.test' }],
    [{ holder_name: 'Cid', holder_email: 'cid@example.test' }],
  ]).toContainEqual(kept);
});

test('an order is found by its latest requested payment, even if an earlier payment has paid it', async () => {
  const { url, identity, fake, intend, rows } = await setup();
  const token = await identity.tokenFor({ id: 3 });
  const { orderId, paymentIntentId: earlier } = TicketPaymentIntent.parse(
    (await intend(purchase('Ann', 1), token)).body,
  );
  fake.become(earlier, 'succeeded');
  const process = (paymentIntentId: string) =>
    call(url, 'POST', '/api/process-ticket-purchase', { token, body: { paymentIntentId } });
  expect((await process(earlier)).body.status).toBe('fulfilled');
  await rows(`update checkouts set payment_id = 'pi_ofAnotherTry'`);
  expect((await process('pi_ofAnotherTry')).body).toMatchObject({ orderId, status: 'fulfilled' });
});
