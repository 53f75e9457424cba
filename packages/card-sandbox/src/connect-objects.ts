import { newId } from './ids.ts';
import { seconds, type Metadata } from './objects.ts';

// Stripe Connect's documents: connected accounts, transfers and reversals, balance transactions. See `objects.ts`.

interface AccountParams {
  country: string;
  email: string | null;
  businessType: string | null;
  metadata: Metadata;
  requested: { card_payments: boolean; transfers: boolean };
  interval: string;
  productDescription: string | null;
  url: string | null;
}

const noRequirements = () => ({
  alternatives: [],
  current_deadline: null,
  currently_due: [] as string[],
  disabled_reason: null as string | null,
  errors: [],
  eventually_due: [] as string[],
  past_due: [] as string[],
  pending_verification: [] as string[],
});

type Capability = 'active' | 'inactive' | 'pending';

/** Fields that the holder of a new account must still submit to the provider. */
const ASKED = ['business_profile.mcc', 'external_account', 'individual.first_name', 'tos_acceptance.date'];

/** Creates an Express account. Its holder enters the remaining data on the web page that an account link opens. */
export function newAccount(params: AccountParams, now: Date) {
  const { requested } = params;
  const id = newId('acct').replace(/^(acct_.{16}).*$/, '$1');
  return {
    id,
    object: 'account' as const,
    business_profile: {
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      product_description: params.productDescription,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: params.url,
    },
    business_type: params.businessType,
    capabilities: {
      ...(requested.card_payments && { card_payments: 'inactive' as Capability }),
      ...(requested.transfers && { transfers: 'inactive' as Capability }),
    } as { card_payments?: Capability; transfers?: Capability },
    charges_enabled: false,
    controller: {
      fees: { payer: 'application_express' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
      type: 'application',
    },
    country: params.country,
    created: seconds(now),
    default_currency: 'usd',
    details_submitted: false,
    email: params.email,
    external_accounts: {
      object: 'list',
      data: [] as object[],
      has_more: false,
      total_count: 0,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: noRequirements(),
    metadata: params.metadata,
    payouts_enabled: false,
    requirements: { ...noRequirements(), currently_due: ASKED, eventually_due: ASKED, past_due: [] as string[] },
    settings: {
      bacs_debit_payments: { display_name: null, service_user_number: null },
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_issuing: { tos_acceptance: { date: null, ip: null } },
      card_payments: {
        decline_on: { avs_failure: false, cvc_failure: false },
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: null, timezone: 'Etc/UTC' },
      invoices: { default_account_tax_ids: null, hosted_payment_method_save: 'never' },
      payments: { statement_descriptor: null, statement_descriptor_kana: null, statement_descriptor_kanji: null },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: params.interval },
        statement_descriptor: null,
      },
      sepa_debit_payments: {},
    },
    tos_acceptance: { date: null as number | null, ip: null, user_agent: null },
    type: 'express' as const,
  };
}
export type Account = ReturnType<typeof newAccount>;
/** The balance that has not been paid out yet, in cents. */
export interface AccountHidden {
  available: number;
}

/** The outcome of the hosted onboarding, or of a later review by the provider. */
export type Outcome = 'complete' | 'review' | 'reject' | 'restrict' | 'leave';

/** Returns the account after the given outcome. */
export function onboarded(account: Account, outcome: Outcome, now: Date): Account {
  if (outcome === 'leave') return account;
  const is = (capability: Capability): Account['capabilities'] =>
    Object.fromEntries(Object.keys(account.capabilities).map((name) => [name, capability]));
  const submitted = {
    ...account,
    details_submitted: true,
    tos_acceptance: { ...account.tos_acceptance, date: seconds(now) },
    external_accounts: { ...account.external_accounts, data: [bankAccountOf(account.id)], total_count: 1 },
  };
  const nothingDue = noRequirements();
  switch (outcome) {
    case 'complete':
      return {
        ...submitted,
        capabilities: is('active'),
        ...{ charges_enabled: true, payouts_enabled: true, requirements: nothingDue },
      };
    case 'review':
      return {
        ...submitted,
        capabilities: is('pending'),
        ...{ charges_enabled: false, payouts_enabled: false },
        requirements: {
          ...nothingDue,
          disabled_reason: 'requirements.pending_verification',
          pending_verification: ['individual.verification.document'],
        },
      };
    case 'reject':
      return {
        ...submitted,
        capabilities: is('inactive'),
        ...{ charges_enabled: false, payouts_enabled: false },
        requirements: { ...nothingDue, disabled_reason: 'rejected.other' },
      };
    case 'restrict': {
      const due = ['individual.id_number'];
      return {
        ...submitted,
        capabilities: is('inactive'),
        ...{ charges_enabled: false, payouts_enabled: false },
        requirements: {
          ...nothingDue,
          ...{ disabled_reason: 'requirements.past_due', currently_due: due, eventually_due: due, past_due: due },
        },
      };
    }
  }
}

const bankAccountOf = (account: string) => ({
  id: `ba_${account.slice(5)}`,
  object: 'bank_account',
  account,
  account_holder_name: null,
  account_holder_type: null,
  account_type: null,
  available_payout_methods: ['standard'],
  bank_name: 'STRIPE TEST BANK',
  country: 'US',
  currency: 'usd',
  default_for_currency: true,
  fingerprint: 'sandbox',
  last4: '6789',
  metadata: {},
  routing_number: '110000000',
  status: 'new',
});

/** The return URL and the refresh URL of an account link. */
export interface LinkHidden {
  account: string;
  returnUrl: string;
  refreshUrl: string;
  expiresAt: number;
  isUsed: boolean;
}

interface TransferParams {
  amount: number;
  currency: string;
  destination: string;
  sourceTransaction: string | null;
  group: string | null;
  metadata: Metadata;
  description: string | null;
}

export function newTransfer(params: TransferParams, now: Date) {
  const id = newId('tr');
  return {
    id,
    object: 'transfer' as const,
    amount: params.amount,
    amount_reversed: 0,
    balance_transaction: null as string | null,
    created: seconds(now),
    currency: params.currency,
    description: params.description,
    destination: params.destination,
    destination_payment: newId('py'),
    livemode: false,
    metadata: params.metadata,
    reversals: {
      object: 'list' as const,
      data: [] as Reversal[],
      has_more: false,
      total_count: 0,
      url: `/v1/transfers/${id}/reversals`,
    },
    reversed: false,
    source_transaction: params.sourceTransaction,
    source_type: 'card',
    transfer_group: params.group,
  };
}
export type Transfer = ReturnType<typeof newTransfer>;

export function newReversal(transfer: { id: string; currency: string }, amount: number, metadata: Metadata, now: Date) {
  return {
    id: newId('trr'),
    object: 'transfer_reversal' as const,
    amount,
    balance_transaction: null as string | null,
    created: seconds(now),
    currency: transfer.currency,
    destination_payment_refund: null,
    metadata,
    source_refund: null as string | null,
    transfer: transfer.id,
  };
}
export type Reversal = ReturnType<typeof newReversal>;

/** The platform's share of a destination charge, deducted from the account that received the whole charge. */
export function newApplicationFee(
  charge: { id: string; currency: string },
  transfer: { destination: string; destination_payment: string },
  amount: number,
  now: Date,
) {
  const id = newId('fee');
  return {
    id,
    object: 'application_fee' as const,
    account: transfer.destination,
    amount,
    amount_refunded: 0,
    application: 'ca_sandbox',
    balance_transaction: null as string | null,
    charge: transfer.destination_payment,
    created: seconds(now),
    currency: charge.currency,
    fee_source: { charge: transfer.destination_payment, type: 'charge' },
    livemode: false,
    originating_transaction: charge.id,
    refunded: false,
    refunds: {
      object: 'list' as const,
      data: [] as FeeRefund[],
      has_more: false,
      total_count: 0,
      url: `/v1/application_fees/${id}/refunds`,
    },
  };
}
export type ApplicationFee = ReturnType<typeof newApplicationFee>;

export function newFeeRefund(fee: { id: string; currency: string }, amount: number, metadata: Metadata, now: Date) {
  return {
    id: newId('fr'),
    object: 'fee_refund' as const,
    amount,
    balance_transaction: null as string | null,
    created: seconds(now),
    currency: fee.currency,
    fee: fee.id,
    metadata,
  };
}
export type FeeRefund = ReturnType<typeof newFeeRefund>;

export function newBalanceTransaction(
  of: { type: string; category: string; amount: number; fee: number; source: string },
  now: Date,
) {
  return {
    id: newId('txn'),
    object: 'balance_transaction' as const,
    amount: of.amount,
    available_on: seconds(now),
    balance_type: 'payments',
    created: seconds(now),
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee: of.fee,
    fee_details:
      of.fee === 0
        ? []
        : [
            {
              amount: of.fee,
              application: null,
              currency: 'usd',
              description: of.type === 'charge' ? 'Stripe processing fees' : 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: of.amount - of.fee,
    reporting_category: of.category,
    source: of.source as string | null,
    status: 'available',
    type: of.type,
  };
}
export type BalanceTransaction = ReturnType<typeof newBalanceTransaction>;

export function newPayout(
  params: { amount: number; currency: string; metadata: Metadata; description: string | null; destination: string },
  now: Date,
) {
  return {
    id: newId('po'),
    object: 'payout' as const,
    amount: params.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: seconds(now) + 2 * 24 * 3_600,
    automatic: false,
    balance_transaction: null,
    created: seconds(now),
    currency: params.currency,
    description: params.description,
    destination: params.destination,
    failure_balance_transaction: null,
    failure_code: null as string | null,
    failure_message: null as string | null,
    livemode: false,
    metadata: params.metadata,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending' as 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled',
    trace_id: null,
    type: 'bank_account',
  };
}
export type Payout = ReturnType<typeof newPayout>;
