import { z } from 'zod';

/**
 * Why the payment of what the platform sells itself (a promotion, a live stream, an ad) no longer counts: it was given back as a whole, or a
 * bank disputes it, or has taken money of it. What it bought ends.
 */
export const PaymentLoss = z.enum(['refunded', 'disputed', 'dispute-lost']);
export type PaymentLoss = z.infer<typeof PaymentLoss>;
