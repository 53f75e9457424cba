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
