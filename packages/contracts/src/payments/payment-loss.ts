import { z } from 'zod';

/**
 * Why the payment of a promotion, live stream or ad no longer counts: the payment was refunded in full, or a bank
 * disputes the payment or withdrew some of its money. The promotion, stream or ad ends.
 */
export const PaymentLoss = z.enum(['refunded', 'disputed', 'dispute-lost']);
export type PaymentLoss = z.infer<typeof PaymentLoss>;
