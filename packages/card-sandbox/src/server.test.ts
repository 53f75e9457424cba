import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { API_VERSION } from './server.ts';

test('the sandbox speaks the version of the API that the SDK asks for', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});
