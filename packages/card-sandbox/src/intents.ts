import { assertTransferable, type Destination } from './connect.ts';
import { confirmIntent, unexpectedState, type Confirmation, type View } from './confirm.ts';
import { invalid, missing } from './errors.ts';
import type { Answer } from './decide.ts';
import type { Tx } from './tx.ts';
import { obtainMethod, type MethodChoice } from './methods.ts';
import { newIntent, seconds, type Intent } from './objects.ts';
import type { Params } from './params.ts';

const TYPES = ['card', 'us_bank_account'];
const CURRENCIES = ['usd', 'eur', 'gbp', 'cad', 'aud', 'chf', 'mxn'];
const SMALLEST = 50;
const LARGEST = 99_999_999;

function readAmount(params: Params, currency: string): number | undefined {
  const amount = params.integer('amount');
  if (amount === undefined) return undefined;
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  if (amount < SMALLEST)
    throw invalid(`Amount must be at least $0.50 ${currency}`, { code: 'amount_too_small', param: 'amount' });
  if (amount > LARGEST)
    throw invalid(`Amount must be no more than $999,999.99 ${currency}`, { code: 'amount_too_large', param: 'amount' });
  return amount;
}

function readCurrency(params: Params): string | undefined {
  const currency = params.text('currency')?.toLowerCase();
  if (currency !== undefined && !CURRENCIES.includes(currency))
    throw invalid(
      `Invalid currency: ${currency}. Stripe currently supports these currencies: ${CURRENCIES.join(', ')}`,
      { param: 'currency' },
    );
  return currency;
}

/** Parses and validates a new intent before any work is queued. */
export function readNewIntent(params: Params, now: Date): Intent {
  params.only(
    ...[
      'amount',
      'currency',
      'automatic_payment_methods',
      'payment_method_types',
      'allowed_payment_method_types',
      'description',
      'receipt_email',
      'customer',
      'metadata',
    ],
    ...[
      'transfer_group',
      'statement_descriptor',
      'statement_descriptor_suffix',
      'confirm',
      'payment_method',
      'payment_method_data',
    ],
    ...[
      'return_url',
      'use_stripe_sdk',
      'capture_method',
      'confirmation_method',
      'off_session',
      'error_on_requires_action',
      'payment_method_options',
      'transfer_data',
      'application_fee_amount',
    ],
  );
  params.required('amount');
  params.required('currency');
  const currency = readCurrency(params) ?? '';
  if ((params.text('capture_method') ?? 'automatic_async') === 'manual')
    throw invalid('The sandbox captures at once: capture_method=manual is not supported here.', {
      param: 'capture_method',
    });
  const automatic = params.hash('automatic_payment_methods')?.only('enabled', 'allow_redirects');
  // Stripe removed this parameter in API version 2026-09-30 (endive).
  if (params.has('payment_method_types'))
    throw invalid(
      'payment_method_types is no longer supported. Use allowed_payment_method_types or dynamic payment methods.',
      { param: 'payment_method_types', code: 'payment_method_types_no_longer_supported' },
    );
  const allowed = params.has('allowed_payment_method_types') ? params.list('allowed_payment_method_types') : null;
  if (allowed && automatic)
    throw invalid(
      'You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.',
      {
        param: 'allowed_payment_method_types',
        code: 'parameters_exclusive',
      },
    );
  // Silently omits unsupported payment methods, as Stripe does.
  const types = TYPES.filter((type) => !allowed || allowed.includes(type));
  return newIntent(
    {
      amount: readAmount(params, currency) ?? 0,
      currency,
      description: params.text('description', 1000) ?? null,
      receiptEmail: readEmail(params) ?? null,
      customer: params.text('customer') ?? null,
      metadata: params.metadata(),
      types,
      allowed,
      // Since API version 2023-08-16, an intent accepts every method that the dashboard enables unless the call names
      // types.
      automatic:
        allowed || automatic?.flag('enabled') === false
          ? null
          : { allow_redirects: automatic?.oneOf('allow_redirects', ['always', 'never']) ?? 'always', enabled: true },
      transferGroup: params.text('transfer_group') ?? null,
      destination: readDestination(params),
      descriptor: params.text('statement_descriptor', 22) ?? null,
      descriptorSuffix: params.text('statement_descriptor_suffix', 22) ?? null,
    },
    now,
  );
}

/**
 * Parses the destination of a charge and the platform's fee. Throws if the fee has no destination or exceeds the
 * amount.
 */
function readDestination(params: Params): Destination | null {
  const account = params.hash('transfer_data')?.only('destination').required('destination');
  const feeCents = params.integer('application_fee_amount');
  if (account === undefined && feeCents === undefined) return null;
  if (account === undefined)
    throw invalid('Can only apply an application_fee_amount when the PaymentIntent has transfer_data[destination].', {
      param: 'application_fee_amount',
    });
  if (feeCents !== undefined && (feeCents < 0 || feeCents > (params.integer('amount') ?? 0)))
    throw invalid('The application fee cannot be larger than the amount.', { param: 'application_fee_amount' });
  return { account, feeCents: feeCents ?? 0 };
}

export function readEmail(params: Params): string | undefined {
  const email = params.text('receipt_email', 800);
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'receipt_email' });
  return email;
}

/** Stores a new intent. With `confirm=true`, also attempts the payment. */
export async function createIntent(
  tx: Tx,
  intent: Intent,
  choice: MethodChoice | undefined,
  confirmation: Confirmation | undefined,
): Promise<Answer> {
  if (intent.customer && !(await tx.get('customer', intent.customer)))
    throw missing('customer', intent.customer, 'customer');
  if (intent.transfer_data)
    await assertTransferable(tx, intent.transfer_data.destination, 'transfer_data[destination]');
  tx.emit('payment_intent.created', intent, { intent: intent.id });
  if (confirmation) {
    tx.put('payment_intent', intent, { parent: intent.customer });
    return confirmIntent(tx, intent, confirmation, (same) => same);
  }
  let made = intent;
  if (choice) {
    const { method } = await obtainMethod(tx, choice);
    made = { ...intent, payment_method: method.id, status: 'requires_confirmation' };
  }
  tx.put('payment_intent', made, { parent: intent.customer });
  return { status: 200, body: made };
}

const MAY_CHANGE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function readUpdate(params: Params, now: Date) {
  params.only(
    ...['amount', 'currency', 'description', 'receipt_email', 'metadata', 'transfer_group', 'statement_descriptor'],
    ...['statement_descriptor_suffix', 'payment_method', 'payment_method_data', 'customer'],
  );
  const currency = readCurrency(params);
  return { currency, amount: readAmount(params, currency ?? 'usd'), email: readEmail(params), now };
}

/** Updates an intent. Amount and currency are fixed once the intent is paid or canceled. */
export async function updateIntent(
  tx: Tx,
  intent: Intent,
  params: Params,
  choice: MethodChoice | undefined,
  now: Date,
): Promise<Answer> {
  const { amount, currency, email } = readUpdate(params, now);
  const frozen = !MAY_CHANGE.includes(intent.status);
  for (const [name, given] of Object.entries({ amount, currency, payment_method: choice })) {
    if (given === undefined || !frozen) continue;
    throw unexpectedState(
      `This PaymentIntent's ${name} could not be updated because it has a status of ${intent.status}. You may only update the ${name} of a PaymentIntent with one of the following statuses: ${MAY_CHANGE.join(', ')}.`,
      intent,
      (same) => same,
    );
  }
  let changed: Intent = {
    ...intent,
    amount: amount ?? intent.amount,
    currency: currency ?? intent.currency,
    receipt_email: params.has('receipt_email') ? (email ?? null) : intent.receipt_email,
    description: params.has('description') ? (params.text('description', 1000) ?? null) : intent.description,
    transfer_group: params.has('transfer_group') ? (params.text('transfer_group') ?? null) : intent.transfer_group,
    metadata: params.metadata(intent.metadata),
  };
  if (choice) {
    const { method } = await obtainMethod(tx, choice);
    changed = { ...changed, payment_method: method.id, status: 'requires_confirmation', next_action: null };
  }
  tx.put('payment_intent', changed);
  return { status: 200, body: changed };
}

const MAY_CANCEL = [
  'requires_payment_method',
  'requires_capture',
  'requires_reauthorization',
  'requires_confirmation',
  'requires_action',
  'processing',
];

/**
 * Cancels an unpaid intent. The error for a paid intent contains the intent, so that the caller gets the intent's
 * status.
 */
export function cancelIntent(tx: Tx, intent: Intent, reason: string | null, view: View): Answer {
  if (!MAY_CANCEL.includes(intent.status))
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${MAY_CANCEL.join(', ')}.`,
      intent,
      view,
    );
  const canceled: Intent = {
    ...intent,
    status: 'canceled',
    canceled_at: seconds(tx.now),
    cancellation_reason: reason,
    next_action: null,
  };
  tx.put('payment_intent', canceled, { hidden: { source: null, returnUrl: null } });
  tx.emit('payment_intent.canceled', canceled, { intent: intent.id });
  return { status: 200, body: canceled };
}
