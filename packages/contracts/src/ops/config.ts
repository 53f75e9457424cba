import { z } from 'zod';

/** GET /api/config: the settings of this installation that the frontend requires. */
export const PublicConfig = z.object({
  mode: z.enum(['embedded', 'engines']),
  payments: z.object({
    publishableKey: z.string(),
    /** Base URL of the card API: the provider's, or the sandbox's path on this site. */
    apiBase: z.string(),
    sandbox: z.boolean(),
  }),
  /** Only in embedded mode with sample data; null otherwise. */
  demo: z
    .object({ password: z.string(), accounts: z.array(z.object({ email: z.string(), role: z.string() })) })
    .nullable(),
  googleMapsKey: z.string().nullable(),
  /** Support email address for visitors; null: not configured. */
  supportEmail: z.string().nullable(),
  /** URL of another site that sells tickets at a discount; null: not configured. */
  ticketDiscountUrl: z.string().nullable(),
  /** Fraction of clicks to hold or buy tickets for which the frontend starts a trace. Absent: tracing is off. */
  tracesRatio: z.number().min(0).max(1).exactOptional(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
