import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { API_VERSION } from './server.ts';

test('the sandbox implements the API version that the SDK requests', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});
