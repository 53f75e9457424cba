import { z } from 'zod';
import type { PaymentTerms } from '../payment/events.ts';

/** What the provider keeps for us on an intent and its charges: enough to record a payment we forgot. */
const Kept = z.object({
  purpose: z.literal('tickets'),
  orderId: z.uuid(),
  eventId: z.coerce.number().int(),
  organiserId: z.coerce.number().int(),
  buyerId: z.coerce.number().int().optional(),
});

export const toMetadata = ({
  purpose,
  orderId,
  eventId,
  organiserId,
  buyerId,
}: Omit<PaymentTerms, 'paymentId'>): Record<string, string> => ({
  purpose,
  orderId,
  eventId: String(eventId),
  organiserId: String(organiserId),
  ...(buyerId !== null && { buyerId: String(buyerId) }),
});

/** Null when the metadata is not ours: another product may use the same account. */
export function fromMetadata(
  metadata: Record<string, string> | null | undefined,
  paymentId: string,
  amountCents: number,
): PaymentTerms | null {
  const kept = Kept.safeParse(metadata);
  return kept.success ? { ...kept.data, buyerId: kept.data.buyerId ?? null, paymentId, amountCents } : null;
}
