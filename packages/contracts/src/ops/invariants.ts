import { z } from 'zod';

/** One thing that must always hold. `examples` are up to ten ids where it does not. */
export const InvariantCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  violations: z.int(),
  examples: z.array(z.string()),
  /** Why it could not be checked this time; `ok` then says nothing. */
  unchecked: z.string().optional(),
});
export type InvariantCheck = z.infer<typeof InvariantCheck>;

/** GET /internal/invariants of a service; the gateway's /api/ops/invariants gathers them. */
export const InvariantReport = z.object({ checks: z.array(InvariantCheck) });
export type InvariantReport = z.infer<typeof InvariantReport>;

/** All checks of one moment. `ok` is false also where one of them could not be made. */
export const InvariantsChecked = InvariantReport.extend({ ok: z.boolean(), at: z.iso.datetime() });
export type InvariantsChecked = z.infer<typeof InvariantsChecked>;

/** GET /api/ops/invariants/last: null before they were checked. */
export const LastInvariants = z.object({ last: InvariantsChecked.nullable(), isRunning: z.boolean() });
export type LastInvariants = z.infer<typeof LastInvariants>;

/** GET /internal/prices of the catalog: what its events of these days cost, a page at a time by event id. */
export const ShownPricesQuery = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(500),
});
export const ShownPrices = z.object({
  /** Events that sell tickets and were not changed within the last minute, so that ticketing has heard of them. */
  prices: z.array(z.object({ eventId: z.int(), priceCents: z.int() })),
  /** Where the next page begins; null: this was the last. */
  next: z.int().nullable(),
});
export type ShownPrices = z.infer<typeof ShownPrices>;

/** POST /internal/prices of ticketing: what the sales of these events charge. */
export const ChargedPricesBody = z.strictObject({ eventIds: z.array(z.int()).max(500) });
export const ChargedPrices = z.object({
  prices: z.array(z.object({ eventId: z.int(), priceCents: z.int(), isClosed: z.boolean() })),
});
export type ChargedPrices = z.infer<typeof ChargedPrices>;
