import { z } from 'zod';
import { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaymentTerms } from '../payment/events.ts';

const number = z.coerce.number().int();
/** A metadata value is text of at most 500 characters, so nested data is stored as JSON. */
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
 * Our metadata on an intent and its charges, with enough data to record any payment whose request was not recorded.
 * `orderId` is the payment's own id. The name `orderId` is from the time when only tickets were sold. The name is kept
 * because orphaned intents are searched by this field.
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

/** The metadata key for the request id of a partial refund of ours. */
export const REFUND_REQUEST = 'refundRequestId';

/** The request id of a partial refund of ours. */
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

/** Returns null when the metadata is not ours, because another product may use the same account at the provider. */
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
