import { table } from '@beltway/kit/columns';

export const payments = table(
  'payments',
  {
    id: 'uuid',
    buyerId: 'int4?',
    eventId: 'int4?',
    organiserId: 'int4?',
    orderId: 'uuid?',
    purpose: 'text',
    promotionType: 'text?',
    livestream: 'text?',
    packageId: 'text?',
    paymentId: 'text',
    amountCents: 'int4',
    status: 'text',
    clientSecret: 'text?',
    createdAt: 'timestamptz',
    succeededAt: 'timestamptz?',
    fulfilledAt: 'timestamptz?',
    refundedAt: 'timestamptz?',
    returnedCents: 'int4',
    owedCents: 'int4',
    transferredCents: 'int4',
  },
  { buyerId: 'user_id', paymentId: 'stripe_payment_intent_id', amountCents: 'amount' },
);

export const refunds = table('refunds', {
  id: 'uuid',
  status: 'text',
  reason: 'text',
  afterFulfilment: 'bool',
  refundId: 'text?',
  requestedAt: 'timestamptz',
  refundedAt: 'timestamptz?',
  reversals: 'int4',
  reversedAt: 'timestamptz?',
});

export const partRefunds = table('part_refunds', {
  requestId: 'uuid',
  paymentId: 'uuid',
  cents: 'int4',
  reason: 'text',
  status: 'text',
  refundId: 'text?',
  requestedAt: 'timestamptz',
  refundedAt: 'timestamptz?',
  reversals: 'int4',
  reversedAt: 'timestamptz?',
});

export const alerts = table('alerts', {
  paymentId: 'uuid',
  kind: 'text',
  subject: 'text',
  amountCents: 'int4',
  detail: 'text',
  raisedAt: 'timestamptz',
  resolvedAt: 'timestamptz?',
});

export const ledgerEntries = table('ledger_entries', {
  paymentId: 'uuid',
  event: 'text',
  account: 'text',
  amountCents: 'int8',
  occurredAt: 'timestamptz',
});
