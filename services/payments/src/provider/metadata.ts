import { z } from 'zod';
import { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaymentTerms } from '../payment/events.ts';

const number = z.coerce.number().int();
/** A value of metadata is text of at most 500 characters: what has fields of its own is JSON in it. */
const livestream = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(PaidLivestream);
const ofAll = { orderId: z.uuid(), buyerId: number.optional() };

/**
 * What the provider keeps for us on an intent and its charges: enough to record a payment we forgot, whatever it buys. `orderId` is the
 * payment's own id, under the name it has had since there were tickets only: strays are searched by it.
 */
const Kept = z.discriminatedUnion('purpose', [
  z.object({
    ...ofAll,
    purpose: z.literal('tickets'),
    eventId: number,
    organizerId: number,
    destination: z.string().optional(),
  }),
  z.object({ ...ofAll, purpose: z.literal('promotion'), eventId: number, level: z.enum(['featured', 'premium']) }),
  z.object({ ...ofAll, purpose: z.literal('livestream'), eventId: number, livestream }),
  z.object({ ...ofAll, purpose: z.literal('ad'), packageId: z.string().min(1) }),
]);

/** On a refund of ours that gives back a part: the id it was asked for by. */
export const REFUND_REQUEST = 'refundRequestId';

/** The part a refund gives back, if it is one of ours. */
export const requestIdOf = ({
  metadata,
}: {
  metadata?: Record<string, string> | null | undefined;
}): string | undefined => metadata?.[REFUND_REQUEST];

export const toMetadata = ({
  id,
  bought,
  organizerId,
  buyerId,
  destination = '',
}: Omit<PaymentTerms, 'paymentId'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...bought, orderId: id, organizerId, buyerId, destination }).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
    ),
  );

/** Null when the metadata is not ours: another product may use the same account. */
export function fromMetadata(
  metadata: Record<string, string> | null | undefined,
  paymentId: string,
  amountCents: number,
): PaymentTerms | null {
  const kept = Kept.safeParse(metadata);
  if (!kept.success) return null;
  const { orderId: id, buyerId = null, ...of } = kept.data;
  const terms = { id, paymentId, amountCents, buyerId };
  switch (of.purpose) {
    case 'tickets': {
      const { purpose, eventId, organizerId, destination } = of;
      const bought = { purpose, orderId: id, eventId } as const;
      return { ...terms, organizerId, bought, ...(destination !== undefined && { destination }) };
    }
    case 'promotion':
    case 'livestream':
    case 'ad':
      return { ...terms, organizerId: null, bought: of };
  }
}
