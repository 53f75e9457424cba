// Made from prisma/schema.prisma by scripts/setup.mjs: change that.
import { table, type TablesOf } from '@beltway/kit/columns';

export const payments = table('payments', {
  id: 'uuid',
  userId: 'int4?',
  eventId: 'int4?',
  organizerId: 'int4?',
  orderId: 'uuid?',
  purpose: 'text',
  promotionType: 'text?',
  livestream: 'text?',
  packageId: 'text?',
  stripePaymentIntentId: 'text',
  amount: 'int4',
  status: 'text',
  clientSecret: 'text?',
  createdAt: 'timestamptz',
  succeededAt: 'timestamptz?',
  fulfilledAt: 'timestamptz?',
  refundedAt: 'timestamptz?',
  returnedCents: 'int4=',
  owedCents: 'int4=',
  transferredCents: 'int4=',
});

export const refunds = table('refunds', {
  id: 'uuid',
  status: 'text',
  reason: 'text',
  afterFulfillment: 'bool',
  refundId: 'text?',
  requestedAt: 'timestamptz',
  refundedAt: 'timestamptz?',
  reversals: 'int4=',
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
  reversals: 'int4=',
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

export const revenueDays = table('revenue_days', {
  day: 'date',
  item: 'text',
  eventId: 'int4',
  organizerId: 'int4',
  cents: 'int8',
  feeCents: 'int8',
  payments: 'int4',
});

export const providerTasks = table('provider_tasks', {
  kind: 'text',
  paymentId: 'uuid',
  attempts: 'int4',
  nextAt: 'timestamptz',
  lastError: 'text?',
  failures: 'int4=',
});

export const promotableEvents = table('promotable_events', {
  eventId: 'int4',
  ownerId: 'int4',
  title: 'text',
  status: 'text',
  endsAt: 'timestamptz',
  version: 'int4',
  startsAt: 'timestamptz?',
});

export const canceledEvents = table('canceled_events', {
  eventId: 'int4',
  canceledAt: 'timestamptz',
});

export const intentAttempts = table('intent_attempts', {
  orderId: 'uuid',
  attempt: 'int4',
  failedAt: 'timestamptz',
});

export const providerPositions = table('provider_positions', {
  name: 'text',
  eventId: 'text?',
  nextAt: 'timestamptz',
});

export const adOrders = table('ad_orders', {
  id: 'uuid',
  packageId: 'text',
  userId: 'int4?',
  businessName: 'text',
  contactEmail: 'text',
  phone: 'text',
  eventTitle: 'text',
  eventDescription: 'text',
  specialRequests: 'text',
  linkKey: 'text',
  language: 'text=',
  changedAt: 'timestamptz=',
});

export const payoutAccounts = table('payout_accounts', {
  userId: 'int4',
  taskId: 'uuid',
  accountId: 'text',
  state: 'text',
  openedAt: 'timestamptz',
  readyAt: 'timestamptz?',
});

export const payouts = table('payouts', {
  payoutId: 'text',
  userId: 'int4',
  amountCents: 'int4',
  dueOn: 'text',
  status: 'text',
  sentAt: 'timestamptz',
  settledAt: 'timestamptz?',
});

export const accountSuspensions = table('account_suspensions', {
  userId: 'int4',
  isSuspended: 'bool',
  version: 'int4',
});

export const customers = table('customers', {
  userId: 'int4',
  stripeCustomerId: 'text',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  payments: typeof payments;
  refunds: typeof refunds;
  partRefunds: typeof partRefunds;
  alerts: typeof alerts;
  ledgerEntries: typeof ledgerEntries;
  revenueDays: typeof revenueDays;
  providerTasks: typeof providerTasks;
  promotableEvents: typeof promotableEvents;
  canceledEvents: typeof canceledEvents;
  intentAttempts: typeof intentAttempts;
  providerPositions: typeof providerPositions;
  adOrders: typeof adOrders;
  payoutAccounts: typeof payoutAccounts;
  payouts: typeof payouts;
  accountSuspensions: typeof accountSuspensions;
  customers: typeof customers;
}>;

// Made from 32e3431701da7f64370a0fe14d2f6d0ee0a3158afda0f49f6bdd74ea3bf6fb73
