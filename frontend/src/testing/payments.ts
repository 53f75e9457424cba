import type { PublicConfig } from '@beltway/contracts/ops/config';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { answer } from './fake-api.ts';

/** The provider's id of the payment in tests, and the client secret that confirms it. */
export const PAYMENT_ID = 'pi_123456';
export const CLIENT_SECRET = `${PAYMENT_ID}_secret_abcdef`;

/** The page's calls to the provider. */
export const CONFIRM_CARD = `POST /sandbox/stripe/v1/payment_intents/${PAYMENT_ID}/confirm`;
export const RETRIEVE_INTENT = `GET /sandbox/stripe/v1/payment_intents/${PAYMENT_ID}`;

/** A response of GET /api/config with the card sandbox as provider. */
export const configFixture = (changes: Partial<PublicConfig> = {}): PublicConfig => ({
  mode: 'embedded',
  payments: { publishableKey: 'pk', apiBase: '/sandbox/stripe', sandbox: true },
  demo: null,
  googleMapsKey: null,
  supportEmail: null,
  ticketDiscountUrl: null,
  ...changes,
});

/** The provider's payment object. */
export const intentOf = (status: string, more: object = {}) => ({
  id: PAYMENT_ID,
  object: 'payment_intent',
  status,
  client_secret: CLIENT_SECRET,
  next_action: null,
  last_payment_error: null,
  ...more,
});

/** The bank requests a challenge (3-D Secure). */
export const challenged = () =>
  intentOf('requires_action', {
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', source: 'src_1' } },
  });

export const declined = () =>
  answer(402, {
    error: {
      type: 'card_error',
      code: 'card_declined',
      message: 'Your card was declined.',
      payment_intent: intentOf('requires_payment_method'),
    },
  });

/** Types a card into the form once it is loaded. */
export async function typeCard(user: UserEvent, number = '4242424242424242'): Promise<void> {
  await user.type(await screen.findByLabelText('Card number'), number);
  await user.type(screen.getByLabelText('Expiration date'), '1240');
  await user.type(screen.getByLabelText('Security code'), '123');
}
