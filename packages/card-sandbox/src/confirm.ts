import type { Behavior } from './cards.ts';
import { bookCharge } from './connect.ts';
import { newCharge } from './charge-objects.ts';
import { invalid, missing, StripeError, type ErrorBody } from './errors.ts';
import { openDispute } from './disputes.ts';
import { newId } from './ids.ts';
import type { Answer } from './decide.ts';
import type { Tx } from './tx.ts';
import { obtainMethod, type MethodChoice } from './methods.ts';
import { publicIntent, type Intent, type IntentHidden, type PaymentMethod } from './objects.ts';

/** Selects the fields of an intent that a key may see. The publishable key sees fewer fields. */
export type View = (intent: Intent) => unknown;
export const viewFor = (publishable: boolean): View => (publishable ? publicIntent : (intent) => intent);

export interface Confirmation {
  choice: MethodChoice | undefined;
  returnUrl: string | null;
  /** The caller itself displays the challenge, as Stripe.js does. */
  useStripeSdk: boolean;
  /** The base URL of the challenge's web page, for a redirect: `http://host/sandbox/stripe`. */
  base: string;
  /** True for a server's call that allows payment methods with redirects. Such a call must include a return URL. */
  needsReturnUrl: boolean;
  receiptEmail: string | undefined;
}

const MAY_CONFIRM = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** The error 400 `payment_intent_unexpected_state`, which contains the unchanged intent. */
export const unexpectedState = (message: string, intent: Intent, view: View): StripeError =>
  invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: view(intent) });

/** Attempts the payment, which succeeds, is declined (402), or requires 3-D Secure. */
export async function confirmIntent(tx: Tx, intent: Intent, confirmation: Confirmation, view: View): Promise<Answer> {
  if (!MAY_CONFIRM.includes(intent.status)) {
    throw unexpectedState(
      intent.status === 'succeeded'
        ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
        : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
      intent,
      view,
    );
  }
  const choice = confirmation.choice ?? (intent.payment_method ? { id: intent.payment_method } : undefined);
  if (!choice)
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      intent,
      view,
    );
  if (
    confirmation.needsReturnUrl &&
    intent.automatic_payment_methods?.allow_redirects !== 'never' &&
    intent.automatic_payment_methods?.enabled &&
    !confirmation.returnUrl
  )
    throw invalid(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
      { payment_intent: view(intent) },
    );
  const { method, hidden } = await obtainMethod(tx, choice);
  if (!intent.payment_method_types.includes(method.type))
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
      { code: 'payment_intent_incompatible_payment_method', param: 'payment_method', payment_intent: view(intent) },
    );
  const asked = { ...intent, receipt_email: confirmation.receiptEmail ?? intent.receipt_email };
  if (hidden.behavior.kind === 'breaks')
    throw invalid('The script of the page breaks down with this card.', { code: 'sandbox_script_broke' });
  if (hidden.behavior.kind === 'challenge') return ask(tx, asked, method, confirmation, view);
  if (hidden.behavior.kind === 'settles-later') {
    const working: Intent = { ...asked, status: 'processing', payment_method: method.id, last_payment_error: null };
    tx.put('payment_intent', working, { hidden: noChallenge });
    tx.emit('payment_intent.processing', working, { intent: intent.id });
    return { status: 200, body: view(working) };
  }
  return charge(tx, asked, method, hidden.behavior, false, view);
}

function ask(tx: Tx, intent: Intent, method: PaymentMethod, confirmation: Confirmation, view: View): Answer {
  const source = newId('src');
  const url = `${confirmation.base}/3ds/${source}`;
  const redirects = !confirmation.useStripeSdk && confirmation.returnUrl !== null;
  const waiting: Intent = {
    ...intent,
    status: 'requires_action',
    payment_method: method.id,
    last_payment_error: null,
    next_action: redirects
      ? { type: 'redirect_to_url', redirect_to_url: { return_url: confirmation.returnUrl, url } }
      : {
          type: 'use_stripe_sdk',
          use_stripe_sdk: { type: 'three_d_secure_redirect', source, stripe_js: url, known_frame_issues: 'false' },
        },
  };
  const hidden: IntentHidden = { source, returnUrl: confirmation.returnUrl };
  tx.put('payment_intent', waiting, { hidden });
  // Links the challenge's source to the intent, because the challenge page knows only the source.
  tx.put('challenge', { id: source }, { parent: intent.id });
  tx.emit('payment_intent.requires_action', waiting, { intent: intent.id });
  return { status: 200, body: view(waiting) };
}

/** Charges the payment method. Stores a charge even if the payment is declined. */
export async function charge(
  tx: Tx,
  intent: Intent,
  method: PaymentMethod,
  behavior: Behavior,
  authenticated: boolean,
  view: View,
): Promise<Answer> {
  if (behavior.kind !== 'declines') {
    const destination = intent.transfer_data && {
      account: intent.transfer_data.destination,
      feeCents: intent.application_fee_amount ?? 0,
    };
    const paid = await bookCharge(tx, newCharge(intent, method, null, authenticated, tx.now), destination);
    const done: Intent = {
      ...intent,
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: paid.id,
      payment_method: method.id,
      next_action: null,
      last_payment_error: null,
    };
    tx.put('charge', paid, { parent: intent.id });
    tx.put('payment_intent', done, { hidden: noChallenge });
    tx.emit('charge.succeeded', paid, { intent: intent.id });
    tx.emit('payment_intent.succeeded', done, { intent: intent.id });
    if (behavior.kind === 'succeeds' && behavior.after === 'dispute') await openDispute(tx, paid, 'fraudulent');
    return { status: 200, body: view(done) };
  }
  const { code, declineCode, message } = behavior;
  const refusal: ErrorBody = {
    ...new StripeError(402, { type: 'card_error', code, message }).body,
    ...(declineCode ? { decline_code: declineCode } : {}),
  };
  const failed = newCharge(intent, method, refusal, authenticated, tx.now);
  tx.put('charge', failed, { parent: intent.id });
  tx.emit('charge.failed', failed, { intent: intent.id });
  const error = { ...refusal, charge: failed.id, payment_method: method };
  const refused = refuse(tx, { ...intent, latest_charge: failed.id }, error);
  return { status: 402, body: { error: { ...error, payment_intent: view(refused) } } };
}

const noChallenge: IntentHidden = { source: null, returnUrl: null };

/** Returns the intent to `requires_payment_method` with the reason, so the buyer may try another card. */
function refuse(tx: Tx, intent: Intent, error: ErrorBody): Intent {
  const refused: Intent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: error,
  };
  tx.put('payment_intent', refused, { hidden: noChallenge });
  tx.emit('payment_intent.payment_failed', refused, { intent: intent.id });
  return refused;
}

/**
 * Applies the card holder's answer to a challenge: charges the card, or fails with
 * `payment_intent_authentication_failure`. An answer to a replaced challenge changes nothing. Returns the return URL if
 * a redirect had opened the challenge.
 */
export async function answerChallenge(
  tx: Tx,
  intentId: string,
  source: string,
  passed: boolean,
): Promise<{ intent: Intent; returnUrl: string | null }> {
  const intent = await tx.get('payment_intent', intentId);
  if (!intent) throw missing('payment_intent', intentId, 'intent');
  const hidden = (await tx.hidden<IntentHidden>(intentId)) ?? noChallenge;
  if (intent.status !== 'requires_action' || hidden.source !== source || !intent.payment_method)
    return { intent, returnUrl: hidden.returnUrl };

  const { method, hidden: card } = await obtainMethod(tx, { id: intent.payment_method });
  if (passed)
    await charge(
      tx,
      intent,
      method,
      card.behavior.kind === 'challenge' ? card.behavior.then : card.behavior,
      true,
      (same) => same,
    );
  else {
    const message =
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
    const { body } = new StripeError(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message,
    });
    refuse(tx, intent, { ...body, payment_method: method });
  }
  return { intent: (await tx.get('payment_intent', intentId)) ?? intent, returnUrl: hidden.returnUrl };
}
