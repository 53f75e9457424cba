import { table } from '@beltway/kit/columns';

export const availability = table('availability', {
  eventId: 'int4',
  organiserId: 'int4',
  capacity: 'int4',
  priceCents: 'int4',
  opensAt: 'timestamptz?',
  closesAt: 'timestamptz?',
  closed: 'text?',
  sold: 'int4',
  held: 'int4',
  revenueCents: 'int8',
  version: 'int8',
});

export const orders = table('orders', {
  orderId: 'uuid',
  eventId: 'int4',
  buyerId: 'int4?',
  quantity: 'int2',
  totalCents: 'int4',
  lines: 'jsonb',
  status: 'text',
  heldAt: 'timestamptz',
  holdUntil: 'timestamptz',
  extended: 'bool',
  paymentId: 'text?',
  settledAt: 'timestamptz?',
  linkGeneration: 'int4',
  refundDeadlineHours: 'int4?',
  returned: 'int2',
  returnedCents: 'int4',
  feeCents: 'int4',
  frozen: 'bool',
  isVoid: 'bool',
});

export const tickets = table('tickets', {
  id: 'uuid',
  orderId: 'uuid',
  eventId: 'int4',
  code: 'text',
  ordinal: 'int2',
  type: 'text',
  priceCents: 'int4',
  soldAt: 'timestamptz',
  refundId: 'uuid?',
});

export const orderRefunds = table('order_refunds', {
  refundId: 'uuid',
  orderId: 'uuid',
  eventId: 'int4',
  cause: 'text',
  quantity: 'int2',
  amountCents: 'int4',
  requestedAt: 'timestamptz',
});

export const refundProgress = table('refund_progress', {
  refundId: 'uuid',
  orderId: 'uuid',
  reason: 'text?',
  refundedAt: 'timestamptz?',
  failedAt: 'timestamptz?',
  wentWith: 'text?',
});

export const checkouts = table('checkouts', {
  orderId: 'uuid',
  holderName: 'text',
  holderEmail: 'text',
  language: 'text',
  paymentId: 'text?',
  refundedAt: 'timestamptz?',
  reinstatedAt: 'timestamptz?',
  number: 'int8?',
});

export const listings = table('listings', {
  eventId: 'int4',
  organiserId: 'int4',
  title: 'text',
  location: 'text',
  imageUrl: 'text?',
  eventDate: 'timestamptz',
  eventStartTime: 'text',
  eventEndTime: 'text?',
  status: 'text',
  catalogVersion: 'int4',
});
