import { z } from 'zod';

/** A rule that must always hold. `examples`: up to ten ids that violate it. */
export const InvariantCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  violations: z.int(),
  examples: z.array(z.string()),
  /** Why the rule could not be checked this time. Then `ok` has no meaning. */
  unchecked: z.string().optional(),
});
export type InvariantCheck = z.infer<typeof InvariantCheck>;

/** GET /internal/invariants of a service; the gateway's /api/ops/invariants collects them. */
export const InvariantReport = z.object({ checks: z.array(InvariantCheck) });
export type InvariantReport = z.infer<typeof InvariantReport>;

/** All checks of one run. `ok` is also false if a check could not run. */
export const InvariantsChecked = InvariantReport.extend({ ok: z.boolean(), at: z.iso.datetime() });
export type InvariantsChecked = z.infer<typeof InvariantsChecked>;

/** GET /api/ops/invariants/last: null before the first run. */
export const LastInvariants = z.object({ last: InvariantsChecked.nullable(), isRunning: z.boolean() });
export type LastInvariants = z.infer<typeof LastInvariants>;

/** GET /internal/prices of the catalog: the displayed prices of its events, paged by event id. */
export const ShownPricesQuery = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(500),
});
export const ShownPrices = z.object({
  /** Events that sell tickets and have not changed for a minute, so that ticketing knows their current price. */
  prices: z.array(z.object({ eventId: z.int(), priceCents: z.int() })),
  /** Start of the next page; null after the last page. */
  next: z.int().nullable(),
});
export type ShownPrices = z.infer<typeof ShownPrices>;

/** POST /internal/prices of ticketing: the prices that these events' sales charge. */
export const ChargedPricesBody = z.strictObject({ eventIds: z.array(z.int()).max(500) });
export const ChargedPrices = z.object({
  prices: z.array(z.object({ eventId: z.int(), priceCents: z.int(), isClosed: z.boolean() })),
});
export type ChargedPrices = z.infer<typeof ChargedPrices>;
