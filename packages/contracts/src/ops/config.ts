import { z } from 'zod';

/** GET /api/config: what the page may know of how this Beltway runs. */
export const PublicConfig = z.object({
  mode: z.enum(['embedded', 'engines']),
  payments: z.object({
    publishableKey: z.string(),
    /** Where the card provider's API is: its own address, or the sandbox's path on this site. */
    apiBase: z.string(),
    sandbox: z.boolean(),
  }),
  /** Only in embedded mode with sample data; null otherwise. */
  demo: z
    .object({ password: z.string(), accounts: z.array(z.object({ email: z.string(), role: z.string() })) })
    .nullable(),
  googleMapsKey: z.string().nullable(),
  /** Whom visitors can ask; null where nobody is named. */
  supportEmail: z.string().nullable(),
  /** Where tickets are sold elsewhere at a discount; null where no such address is configured. */
  ticketDiscountUrl: z.string().nullable(),
  /** Of the clicks that hold and buy tickets the share whose traces the page begins. Missing: nothing is recorded. */
  tracesRatio: z.number().min(0).max(1).exactOptional(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
