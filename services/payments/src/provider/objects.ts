import { z } from 'zod';

// Only the fields we use, because other fields may change from one API version to the next.

/** The id of an object, expanded or not. */
export const idOf = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]);
/** In lower case: 'usd'. */
const currency = z.string();
const metadata = z.record(z.string(), z.string()).nullish();

export const Intent = z.object({
  object: z.literal('payment_intent'),
  id: z.string(),
  /** Seconds since 1970. */
  created: z.int().nullish(),
  amount: z.int(),
  currency,
  amount_received: z.int().nullish(),
  status: z.string(),
  metadata,
  client_secret: z.string().nullish(),
  latest_charge: idOf.nullish(),
  last_payment_error: z
    .object({
      code: z.string().nullish(),
      decline_code: z.string().nullish(),
      charge: idOf.nullish(),
      payment_method: idOf.nullish(),
    })
    .nullish(),
});
export type Intent = z.infer<typeof Intent>;

export const Charge = z.object({
  object: z.literal('charge'),
  id: z.string(),
  amount: z.int(),
  currency,
  amount_captured: z.int().nullish(),
  amount_refunded: z.int().nullish(),
  status: z.string(),
  captured: z.boolean(),
  payment_intent: idOf.nullish(),
  metadata,
  failure_code: z.string().nullish(),
  outcome: z.object({ reason: z.string().nullish() }).nullish(),
});
export type Charge = z.infer<typeof Charge>;

export const Refund = z.object({
  object: z.literal('refund'),
  id: z.string(),
  amount: z.int(),
  currency,
  status: z.string().nullish(),
  failure_reason: z.string().nullish(),
  payment_intent: idOf.nullish(),
  metadata,
});
export type Refund = z.infer<typeof Refund>;

export const Dispute = z.object({
  object: z.literal('dispute'),
  id: z.string(),
  amount: z.int(),
  currency,
  status: z.string(),
  reason: z.string().nullish(),
  payment_intent: idOf.nullish(),
});
export type Dispute = z.infer<typeof Dispute>;

/**
 * An event of the provider, from a signed webhook or from the provider's list. `object` is parsed only for known types.
 */
export const ProviderEvent = z.object({
  id: z.string().min(1),
  type: z.string(),
  /** The organizer's account that the event belongs to; missing for the platform's own account. */
  account: z.string().nullish(),
  data: z.object({ object: z.unknown() }),
});
export type ProviderEvent = z.infer<typeof ProviderEvent>;
