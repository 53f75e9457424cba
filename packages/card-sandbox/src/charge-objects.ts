import type { BalanceTransaction } from './connect-objects.ts';
import type { ErrorBody } from './errors.ts';
import { newId, randomText } from './ids.ts';
import { seconds, type Intent, type Metadata, type PaymentMethod } from './objects.ts';

/**
 * Creates the charge for one payment attempt on an intent. The charge is paid, or failed with the reason of the
 * decline.
 */
export function newCharge(
  intent: Intent,
  method: PaymentMethod,
  refusal: ErrorBody | null,
  authenticated: boolean,
  now: Date,
) {
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = method.card;
  const paid = refusal === null;
  const id = newId('ch');
  return {
    id,
    object: 'charge' as const,
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null as string | null,
    application_fee_amount: null as number | null,
    balance_transaction: null as string | null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'BELTWAY',
    captured: paid,
    created: seconds(now),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    destination: null as string | null,
    disputed: false as boolean,
    failure_balance_transaction: null,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: paid
      ? {
          advice_code: null,
          network_advice_code: null,
          network_decline_code: null,
          network_status: 'approved_by_network',
          reason: null,
          risk_level: 'normal',
          risk_score: 20,
          seller_message: 'Payment complete.',
          type: 'authorized',
        }
      : {
          advice_code: 'try_again_later',
          network_advice_code: null,
          network_decline_code: '01',
          network_status: 'declined_by_network',
          reason: refusal.decline_code ?? refusal.code ?? null,
          risk_level: 'normal',
          risk_score: 20,
          seller_message: 'The bank did not return any further details with this decline.',
          type: 'issuer_declined',
        },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: {
        amount_authorized: paid ? intent.amount : null,
        authorization_code: paid ? randomText(6) : null,
        brand,
        checks: { ...method.card.checks, cvc_check: refusal?.code === 'incorrect_cvc' ? 'fail' : 'pass' },
        country,
        exp_month,
        exp_year,
        fingerprint,
        funding,
        installments: null,
        last4,
        mandate: null,
        network: brand,
        network_token: { used: false },
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: authenticated
          ? {
              authentication_flow: 'challenge',
              electronic_commerce_indicator: '05',
              exemption_indicator: null,
              result: 'authenticated',
              result_reason: null,
              transaction_id: null,
              version: '2.2.0',
            }
          : null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: (paid ? 'succeeded' : 'failed') as 'succeeded' | 'failed',
    transfer: undefined as string | undefined,
    transfer_data: null as { amount: number | null; destination: string } | null,
    transfer_group: intent.transfer_group,
  };
}
export type Charge = ReturnType<typeof newCharge>;

export function newRefund(charge: Charge, amount: number, reason: string | null, metadata: Metadata, now: Date) {
  return {
    id: newId('re'),
    object: 'refund' as const,
    amount,
    balance_transaction: null as string | null,
    charge: charge.id,
    created: seconds(now),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    failure_reason: undefined as string | undefined,
    status: 'succeeded' as 'succeeded' | 'failed',
    transfer_reversal: null,
  };
}
export type Refund = ReturnType<typeof newRefund>;

export function newDispute(charge: Charge, amount: number, reason: string, now: Date) {
  const { brand } = charge.payment_method_details.card;
  return {
    id: newId('dp'),
    object: 'dispute' as const,
    amount,
    balance_transactions: [] as BalanceTransaction[],
    charge: charge.id,
    created: seconds(now),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { enhanced_evidence: {} } as { enhanced_evidence: object; uncategorized_text?: string },
    evidence_details: {
      enhanced_eligibility: {},
      due_by: seconds(now) + 9 * 24 * 3600,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {} as Metadata,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: null },
      type: 'card',
    },
    reason,
    status: 'needs_response' as
      | 'warning_needs_response'
      | 'warning_closed'
      | 'needs_response'
      | 'under_review'
      | 'won'
      | 'lost',
  };
}
export type Dispute = ReturnType<typeof newDispute>;
