import { z } from 'zod';

/** One thing that must always hold. `examples` are up to ten ids where it does not. */
export const InvariantCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  violations: z.int(),
  examples: z.array(z.string()),
});
export type InvariantCheck = z.infer<typeof InvariantCheck>;

/** GET /internal/invariants of a service; the gateway's /api/ops/invariants gathers them. */
export const InvariantReport = z.object({ checks: z.array(InvariantCheck) });
export type InvariantReport = z.infer<typeof InvariantReport>;
