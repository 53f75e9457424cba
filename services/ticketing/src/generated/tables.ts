// Made from prisma/schema.prisma by scripts/setup.mjs: change that.
import { table, type TablesOf } from '@beltway/kit/columns';

export const availability = table('availability', {
  eventId: 'int4',
  organizerId: 'int4',
  capacity: 'int4',
  priceCents: 'int4',
  opensAt: 'timestamptz?',
  closesAt: 'timestamptz?',
  closed: 'text?',
  sold: 'int4=',
  held: 'int4=',
  revenueCents: 'int8=',
  version: 'int8',
});

export const orders = table('orders', {
  orderId: 'uuid',
  eventId: 'int4',
  buyerId: 'int4?',
  quantity: 'int2',
  lines: 'jsonb',
  totalCents: 'int4',
  status: 'text',
  heldAt: 'timestamptz',
  holdUntil: 'timestamptz',
  extended: 'bool=',
  paymentId: 'text?',
  settledAt: 'timestamptz?',
  linkGeneration: 'int4=',
  refundDeadlineHours: 'int4?',
  returned: 'int2=',
  returnedCents: 'int4=',
  feeCents: 'int4=',
  frozen: 'bool=',
  isVoid: 'bool=',
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
  language: 'text=',
  paymentId: 'text?',
  refundedAt: 'timestamptz?',
  reinstatedAt: 'timestamptz?',
  createdAt: 'timestamptz=',
  number: 'int8?',
});

export const listings = table('listings', {
  eventId: 'int4',
  organizerId: 'int4',
  title: 'text',
  location: 'text',
  address: 'text?',
  imageUrl: 'text?',
  eventDate: 'timestamptz',
  eventLastDate: 'timestamptz?',
  eventStartTime: 'text',
  eventEndTime: 'text?',
  status: 'text=',
  isSuspended: 'bool=',
  catalogVersion: 'int4=',
});

export const networkHolds = table('network_holds', {
  network: 'uuid',
  request: 'uuid',
  orderId: 'uuid',
  quantity: 'int2',
  decidedBy: 'timestamptz',
  eventId: 'int4?',
  replaces: 'uuid?',
  ofSale: 'int4?',
});

export const networkLapses = table('network_lapses', {
  network: 'uuid',
  eventId: 'int4',
  tickets: 'float8',
  paused: 'float8',
  pausedUntil: 'timestamptz',
  updatedAt: 'timestamptz',
});

export const orderLooks = table('order_looks', {
  id: 'uuid=',
  orderId: 'uuid',
  accountId: 'int4',
  role: 'text',
  at: 'timestamptz=',
});

export const changeNotices = table('change_notices', {
  id: 'int8=',
  eventId: 'int4',
  was: 'jsonb',
  openedAt: 'timestamptz=',
  changedAt: 'timestamptz=',
  closedAt: 'timestamptz?',
});

export const signingKeys = table('signing_keys', {
  id: 'int2',
  publicKey: 'text',
  sealedKey: 'text',
  createdAt: 'timestamptz=',
});

export const catchingUp = table('catching_up', {
  one: 'bool=',
  since: 'timestamptz',
  begunAt: 'timestamptz=',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  availability: typeof availability;
  orders: typeof orders;
  tickets: typeof tickets;
  orderRefunds: typeof orderRefunds;
  refundProgress: typeof refundProgress;
  checkouts: typeof checkouts;
  listings: typeof listings;
  networkHolds: typeof networkHolds;
  networkLapses: typeof networkLapses;
  orderLooks: typeof orderLooks;
  changeNotices: typeof changeNotices;
  signingKeys: typeof signingKeys;
  catchingUp: typeof catchingUp;
}>;

// Made from ddf50907f9e789699e2e5362e2e06983d3ba030329527dfe64f7db7474b94b80
