import type { Behavior, CardFacts } from './cards.ts';
import type { ErrorBody } from './errors.ts';
import { newId, randomText } from './ids.ts';

/** Stripe's documents in the pinned API version. Amounts in cents, times in seconds. */
export type Metadata = Record<string, string>;
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled';

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

interface IntentParams {
  amount: number;
  currency: string;
  description: string | null;
  receiptEmail: string | null;
  customer: string | null;
  metadata: Metadata;
  types: string[];
  allowed: string[] | null;
  automatic: { allow_redirects: string; enabled: boolean } | null;
  transferGroup: string | null;
  /** The account that receives the charge minus the fee. */
  destination: { account: string; feeCents: number } | null;
  descriptor: string | null;
  descriptorSuffix: string | null;
}

export function newIntent(params: IntentParams, now: Date) {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent' as const,
    allowed_payment_method_types: params.allowed,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: params.destination?.feeCents ?? null,
    automatic_payment_methods: params.automatic,
    canceled_at: null as number | null,
    cancellation_reason: null as string | null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: seconds(now),
    currency: params.currency,
    customer: params.customer,
    customer_account: null,
    description: params.description,
    excluded_payment_method_types: null,
    last_payment_error: null as ErrorBody | null,
    latest_charge: null as string | null,
    livemode: false,
    managed_payments: null,
    metadata: params.metadata,
    next_action: null as Record<string, unknown> | null,
    on_behalf_of: null,
    payment_method: null as string | null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: params.types,
    payment_record: null,
    processing: null,
    receipt_email: params.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: params.descriptor,
    statement_descriptor_suffix: params.descriptorSuffix,
    status: 'requires_payment_method' as IntentStatus,
    transfer_data: params.destination && { destination: params.destination.account },
    transfer_group: params.transferGroup,
  };
}
export type Intent = ReturnType<typeof newIntent>;

/** Data of a challenge, stored with the intent and never returned to a caller. */
export interface IntentHidden {
  /** The id of the open challenge; the next confirmation replaces it. */
  source: string | null;
  returnUrl: string | null;
}

/** The fields that the publishable key may read: no metadata, customer or charge. */
export function publicIntent(intent: Intent) {
  const {
    id,
    object,
    amount,
    amount_details,
    automatic_payment_methods,
    canceled_at,
    cancellation_reason,
    capture_method,
  } = intent;
  const {
    client_secret,
    confirmation_method,
    created,
    currency,
    description,
    last_payment_error,
    livemode,
    next_action,
  } = intent;
  const { payment_method, payment_method_configuration_details, payment_method_types, processing, receipt_email } =
    intent;
  const { setup_future_usage, shipping, source, status } = intent;
  return {
    ...{
      id,
      object,
      amount,
      amount_details,
      automatic_payment_methods,
      canceled_at,
      cancellation_reason,
      capture_method,
    },
    ...{
      client_secret,
      confirmation_method,
      created,
      currency,
      description,
      last_payment_error,
      livemode,
      next_action,
    },
    ...{ payment_method, payment_method_configuration_details, payment_method_types, processing, receipt_email },
    ...{ setup_future_usage, shipping, source, status },
  };
}

export interface BillingDetails {
  address: Record<'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state', string | null>;
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: string | null;
}

export function newPaymentMethod(card: CardFacts, billing: BillingDetails, now: Date) {
  const { brand, last4, exp_month, exp_year, funding, country, fingerprint } = card;
  return {
    id: newId('pm'),
    object: 'payment_method' as const,
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: billing.address.postal_code ? 'unchecked' : null,
        cvc_check: 'unchecked',
      },
      country,
      display_brand: brand,
      exp_month,
      exp_year,
      fingerprint,
      funding,
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(now),
    customer: null as string | null,
    customer_account: null,
    livemode: false,
    metadata: {} as Metadata,
    type: 'card' as 'card' | 'us_bank_account',
  };
}
export type PaymentMethod = ReturnType<typeof newPaymentMethod>;
export type MethodHidden = { behavior: Behavior };

export function newCustomer(
  params: { email: string | null; name: string | null; description: string | null; metadata: Metadata },
  now: Date,
) {
  return {
    id: newId('cus'),
    object: 'customer' as const,
    address: null,
    balance: 0,
    created: seconds(now),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description,
    discount: null,
    email: params.email,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: params.metadata,
    name: params.name,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}
export type Customer = ReturnType<typeof newCustomer>;
