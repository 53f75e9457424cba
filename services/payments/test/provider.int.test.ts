import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen } from '@beltway/kit/testing';
import { openProvider, type Provider } from '../src/provider/provider.ts';
import { anOrder, termsOf } from './stack.ts';

// Fakes the provider's end of the connection, to test what we send and how we handle unusual responses.

let calls: Array<{ method: string; path: string; headers: IncomingHttpHeaders; body: URLSearchParams }> = [];
let answers: Array<{ status: number; body: object } | 'silence'> = [];
const server = createServer((req, res) => {
  let text = '';
  req.on('data', (chunk: Buffer) => (text += String(chunk)));
  req.on('end', () => {
    calls.push({
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: new URLSearchParams(text),
    });
    const answer = answers.shift();
    if (answer === 'silence' || !answer) return;
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
});
let provider: Provider;
/** A client that soon gives up on a silent provider. */
let impatient: Provider;
beforeAll(async () => {
  const options = { secretKey: 'sk_test_wire', webhookSecret: 'whsec_wire1234', apiBase: await listen(server) };
  provider = openProvider({ ...options, timeoutMs: 20_000 });
  impatient = openProvider({ ...options, timeoutMs: 200 });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  calls = [];
  answers = [];
});

const order = anOrder({ orderId: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', buyerId: null });
const terms = { ...termsOf(order), paymentId: 'pi_3wire' };
const intent = {
  object: 'payment_intent',
  id: 'pi_3wire',
  amount: 5_099,
  currency: 'usd',
  status: 'requires_payment_method',
  client_secret: 's',
};
const fault = (status: number, error: object) => ({ status, body: { error } });

test('an intent is created with its key, for cards only, with all metadata that identifies the payment', async () => {
  answers = [{ status: 200, body: intent }];
  await provider.request(terms, order, 'key-1');
  expect(calls[0]).toMatchObject({
    method: 'POST',
    path: '/v1/payment_intents',
    headers: { authorization: 'Bearer sk_test_wire', 'idempotency-key': 'key-1' },
  });
  expect(Object.fromEntries(calls[0]?.body ?? [])).toEqual({
    amount: '5099',
    currency: 'usd',
    'allowed_payment_method_types[0]': 'card',
    description: order.description,
    receipt_email: order.receiptEmail,
    'metadata[purpose]': 'tickets',
    'metadata[orderId]': order.orderId,
    'metadata[eventId]': '7',
    'metadata[organizerId]': '3',
    transfer_group: order.orderId,
  });
});

test('a refund is sent with its key and without an amount, which means all that is left', async () => {
  answers = [
    {
      status: 200,
      body: {
        object: 'refund',
        id: 're_1',
        amount: 5_099,
        currency: 'usd',
        status: 'succeeded',
        payment_intent: 'pi_3wire',
      },
    },
  ];
  expect(await provider.refund(terms, 5_099, 'key-1')).toMatchObject([{ id: 're_1', amount: 5_099 }]);
  expect(calls[0]).toMatchObject({ path: '/v1/refunds', headers: { 'idempotency-key': 'key-1' } });
  expect(calls[0]?.body.get('payment_intent')).toBe('pi_3wire');
  expect(calls[0]?.body.get('amount')).toBeNull();
});

test('a call to a silent provider ends after a bounded time, with one retry under the same key', async () => {
  answers = ['silence', 'silence', 'silence'];
  await expect(impatient.request(terms, order, 'key-1')).rejects.toMatchObject({ status: 503, retryAfter: 2 });
  expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
});

test.each([
  ['its server error', fault(500, { type: 'api_error' }), 503, 'unavailable'],
  ['too many requests', fault(429, { type: 'invalid_request_error', code: 'rate_limit' }), 503, 'unavailable'],
  ['the same call under way', fault(409, { type: 'idempotency_error' }), 503, 'unavailable'],
  ['the key used for other terms', fault(400, { type: 'idempotency_error' }), 422, 'payment-changed'],
  [
    'a request it refuses',
    fault(400, {
      type: 'invalid_request_error',
      code: 'amount_too_small',
      message: 'Amount must be at least $0.50 usd',
    }),
    422,
    'payment-refused',
  ],
  ['nothing of this name', fault(404, { type: 'invalid_request_error', code: 'resource_missing' }), 404, 'not-found'],
])('%s is mapped to status and code', async (_what, answer, status, code) => {
  answers = [answer, answer];
  await expect(provider.request(terms, order, 'key-1')).rejects.toMatchObject({ status, code });
});

test('a wrong API key is our fault, not the buyer’s, and is not shown', async () => {
  answers = [fault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****wire' })];
  const error: Error = await provider.request(terms, order, 'key-1').then(
    () => new Error('went through'),
    (thrown: Error) => thrown,
  );
  expect(error).not.toHaveProperty('retryAfter');
  expect(error.constructor.name).toBe('StripeAuthenticationError');
  expect(JSON.stringify(error)).not.toContain('sk_test_wire');
});
