import { createHmac } from 'node:crypto';
import { cardError } from './errors.ts';
import type { Params } from './params.ts';

/**
 * The outcome of a charge. With `challenge`, the bank first authenticates the card holder; `then` is the outcome after
 * the authentication.
 */
export type Behavior =
  /**
   * `after`: what the bank does later. `refund-fails`: the bank returns a refund. `dispute`: the bank disputes the
   * charge.
   */
  | { kind: 'succeeds'; after?: 'refund-fails' | 'dispute' }
  /** A bank debit: the money arrives days later or never. */
  | { kind: 'settles-later' }
  | { kind: 'declines'; code: string; declineCode?: string; message: string }
  | { kind: 'challenge'; then: Behavior }
  /** The provider's script crashes in the browser; nothing is charged. */
  | { kind: 'breaks' };

export interface TestCard {
  number: string;
  brand: string;
  title: string;
  /** The id of Stripe's ready-made payment method for servers. */
  method?: string;
  behavior: Behavior;
}

/** The stored data of a card. None of this data is useful to a thief. */
export interface CardFacts {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  funding: string;
  country: string;
  fingerprint: string;
  behavior: Behavior;
}

const succeeds: Behavior = { kind: 'succeeds' };
const declines = (code: string, message: string, declineCode?: string): Behavior =>
  declineCode ? { kind: 'declines', code, declineCode, message } : { kind: 'declines', code, message };
const DECLINED = 'Your card was declined.';
const noFunds = declines('card_declined', 'Your card has insufficient funds.', 'insufficient_funds');
const generic = declines('card_declined', DECLINED, 'generic_decline');
const challenge = (then: Behavior): Behavior => ({ kind: 'challenge', then });

/** Stripe's documented test cards (docs.stripe.com/testing), with the same behavior. */
export const testCards: TestCard[] = [
  { number: '4242424242424242', brand: 'visa', title: 'Succeeds', method: 'pm_card_visa', behavior: succeeds },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    title: 'Succeeds',
    method: 'pm_card_mastercard',
    behavior: succeeds,
  },
  {
    number: '378282246310005',
    brand: 'amex',
    title: 'Succeeds, four-digit code',
    method: 'pm_card_amex',
    behavior: succeeds,
  },
  { number: '6011111111111117', brand: 'discover', title: 'Succeeds', method: 'pm_card_discover', behavior: succeeds },
  { number: '3056930009020004', brand: 'diners', title: 'Succeeds', method: 'pm_card_diners', behavior: succeeds },
  { number: '3566002020360505', brand: 'jcb', title: 'Succeeds', method: 'pm_card_jcb', behavior: succeeds },
  {
    number: '4000056655665556',
    brand: 'visa',
    title: 'Succeeds (debit)',
    method: 'pm_card_visa_debit',
    behavior: succeeds,
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    title: '3-D Secure, then succeeds',
    method: 'pm_card_authenticationRequiredOnSetup',
    behavior: challenge(succeeds),
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    title: '3-D Secure every time, then succeeds',
    method: 'pm_card_authenticationRequired',
    behavior: challenge(succeeds),
  },
  {
    number: '4000000000003220',
    brand: 'visa',
    title: '3-D Secure 2 required, then succeeds',
    method: 'pm_card_threeDSecure2Required',
    behavior: challenge(succeeds),
  },
  {
    number: '4000008260003178',
    brand: 'visa',
    title: '3-D Secure, then insufficient funds',
    method: 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    behavior: challenge(noFunds),
  },
  {
    number: '4000008400001629',
    brand: 'visa',
    title: '3-D Secure, then declined',
    method: 'pm_card_threeDSecureRequiredChargeDeclined',
    behavior: challenge(generic),
  },
  {
    number: '4000000000005126',
    brand: 'visa',
    title: 'Succeeds, its refunds fail after they succeeded',
    method: 'pm_card_refundFail',
    behavior: { kind: 'succeeds', after: 'refund-fails' },
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    title: 'Succeeds, and is disputed at once',
    method: 'pm_card_createDispute',
    behavior: { kind: 'succeeds', after: 'dispute' },
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    title: 'Declined',
    method: 'pm_card_chargeDeclined',
    behavior: generic,
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    title: 'Insufficient funds',
    method: 'pm_card_chargeDeclinedInsufficientFunds',
    behavior: noFunds,
  },
  {
    number: '4000000000009987',
    brand: 'visa',
    title: 'Lost card',
    method: 'pm_card_chargeDeclinedLostCard',
    behavior: declines('card_declined', DECLINED, 'lost_card'),
  },
  {
    number: '4000000000009979',
    brand: 'visa',
    title: 'Stolen card',
    method: 'pm_card_chargeDeclinedStolenCard',
    behavior: declines('card_declined', DECLINED, 'stolen_card'),
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    title: 'Expired card',
    method: 'pm_card_chargeDeclinedExpiredCard',
    behavior: declines('expired_card', 'Your card has expired.'),
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    title: 'Wrong security code',
    method: 'pm_card_chargeDeclinedIncorrectCvc',
    behavior: declines('incorrect_cvc', "Your card's security code is incorrect."),
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    title: 'Processing error',
    method: 'pm_card_chargeDeclinedProcessingError',
    behavior: declines('processing_error', 'An error occurred while processing your card. Try again in a little bit.'),
  },
  {
    number: '4000000000006975',
    brand: 'visa',
    title: 'Too many charges on the card',
    method: 'pm_card_chargeDeclinedVelocityLimitExceeded',
    behavior: declines(
      'card_declined',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
      'card_velocity_exceeded',
    ),
  },
  {
    number: '4100000000000019',
    brand: 'visa',
    title: 'Blocked as fraud',
    method: 'pm_card_radarBlock',
    behavior: declines('card_declined', DECLINED, 'fraudulent'),
  },
  // Our own number, because no test number of Stripe's makes the script crash.
  {
    number: '4000000000000770',
    brand: 'visa',
    title: 'The script on the page breaks down',
    behavior: { kind: 'breaks' },
  },
];

const byNumber = new Map(testCards.map((card) => [card.number, card]));
const byMethod = new Map(testCards.flatMap((card) => (card.method ? [[card.method, card] as const] : [])));

/** True if the check digit of a card number is correct (ISO/IEC 7812). */
export function luhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const facts = (card: TestCard, month: number, year: number, secret: string): CardFacts => ({
  brand: card.brand,
  last4: card.number.slice(-4),
  exp_month: month,
  exp_year: year,
  funding: card.title.includes('debit') ? 'debit' : 'credit',
  country: 'US',
  fingerprint: createHmac('sha256', secret).update(card.number).digest('base64url').replace(/[-_]/g, 'x').slice(0, 16),
  behavior: card.behavior,
});

/** Stripe's ready-made bank account, a payment method that settles later. */
export const BANK_ACCOUNT = 'pm_usBankAccount_success';

/** The card of one of Stripe's ready-made payment methods (`pm_card_…`); undefined for an unknown name. */
export function readyMade(method: string, now: Date, secret: string): CardFacts | undefined {
  const card = byMethod.get(method);
  return card && facts(card, 12, now.getUTCFullYear() + 2, secret);
}

/**
 * Validates a typed card as Stripe's tokenization does, with the same 402 errors. A number that is not a test card is
 * rejected and not stored, because no real card may ever work or be stored here.
 */
export function readCard(card: Params, now: Date, secret: string): CardFacts {
  const number = (card.text('number', 40) ?? '').replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number))
    throw cardError('invalid_number', 'The card number is not a valid credit card number.', { param: 'number' });
  if (!luhn(number)) throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' });

  const month = Number(card.text('exp_month', 4) ?? Number.NaN);
  if (!Number.isInteger(month) || month < 1 || month > 12)
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", { param: 'exp_month' });
  const given = Number(card.text('exp_year', 4) ?? Number.NaN);
  const year = given < 100 ? 2000 + given : given;
  const past = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (!Number.isInteger(year) || past || year > now.getUTCFullYear() + 50)
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' });

  const test = byNumber.get(number);
  const length = /^3[47]/.test(number) ? 4 : 3;
  if (!new RegExp(`^\\d{${length}}$`).test(card.text('cvc', 10) ?? ''))
    throw cardError('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' });
  if (!test)
    throw cardError(
      'card_declined',
      'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: /dev/payments',
      {
        decline_code: 'test_mode_live_card',
      },
    );
  return facts(test, month, year, secret);
}
