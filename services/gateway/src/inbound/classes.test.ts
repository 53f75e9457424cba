import { expect, test } from 'vitest';
import { bodyLimit } from './bodies.ts';
import { classOf } from './limits.ts';

const [KB, MB] = [1_024, 1_048_576];

test.each([
  ['POST', '/api/auth/login', 'sign-in', 100 * KB],
  ['POST', '/API/AUTH/login/', 'sign-in', 100 * KB],
  ['POST', '/api/auth/register', 'sign-in', 100 * KB],
  ['POST', '/api/auth/refresh', 'write', 100 * KB],
  ['GET', '/api/auth/me', 'read', 100 * KB],
  ['POST', '/api/images', 'upload', 6 * MB],
  ['POST', '/api/images/', 'upload', 6 * MB],
  ['POST', '/api/events', 'write', 8 * MB],
  ['POST', '/api/Events/', 'write', 8 * MB],
  ['PATCH', '/api/events/7', 'write', 8 * MB],
  ['POST', '/api/events/7/cancel', 'write', 100 * KB],
  ['GET', '/api/events', 'read', 100 * KB],
  ['HEAD', '/api/events', 'read', 100 * KB],
  ['POST', '/api/holds', 'buy', 100 * KB],
  ['POST', '/api/holds/x/extension', 'buy', 100 * KB],
  ['POST', '/api/order-keys', 'buy', 100 * KB],
  ['POST', '/api/orders/x/claim', 'write', 100 * KB],
  ['DELETE', '/api/holds/x', 'write', 100 * KB],
  ['POST', '/api/create-ticket-payment-intent', 'buy', 100 * KB],
  ['POST', '/api/process-ticket-purchase', 'buy', 100 * KB],
  ['POST', '/api/stripe/webhook', undefined, MB],
  ['POST', '/sandbox/stripe/v1/payment_intents/x/confirm', 'read', 100 * KB],
  ['POST', '/socket.io/', 'read', 100 * KB],
  ['GET', '/assets/index.js', undefined, 100 * KB],
  ['GET', '/', undefined, 100 * KB],
])('%s %s counts as %s and may be %i bytes', (method, path, counted, bytes) => {
  expect(classOf(method, path)).toBe(counted);
  expect(bodyLimit(method, path)).toBe(bytes);
});
