import { lineText } from '@beltway/contracts/common/text';
import { AdBusinessInfo, AdPackageId } from '@beltway/contracts/payments/ads';
import { z, type ZodType } from 'zod';
import { drafts } from '../../lib/storage/drafts.ts';
import { randomUuid } from '../../lib/browser/random-uuid.ts';

const NAME = 'ad';
const typed = z.string().max(4_000);

/** The typed details of the business. */
export const TypedBusiness = z.object({
  businessName: typed,
  contactEmail: typed,
  phone: typed,
  eventTitle: typed,
  eventDescription: typed,
  specialRequests: typed,
});
export type TypedBusiness = z.infer<typeof TypedBusiness>;

/** Paying also requires the event's title. */
export const ToPay = AdBusinessInfo.extend({
  eventTitle: lineText(120, 'invalid.ad-event-title'),
}) as unknown as ZodType<AdBusinessInfo, TypedBusiness>;

const Draft = z.object({
  packageId: AdPackageId,
  /** The idempotency key of the payment. */
  key: z.uuid(),
  clientSecret: z.string().nullable(),
  business: TypedBusiness,
});
export type AdDraft = z.infer<typeof Draft>;

const NOTHING_TYPED: TypedBusiness = {
  ...{ businessName: '', contactEmail: '', phone: '' },
  ...{ eventTitle: '', eventDescription: '', specialRequests: '' },
};

/** This tab's ad purchase, kept across reloads; a guest is user 0. */
export const adDraft = {
  /** For another package, keeps the typed business and drops the earlier package's payment. */
  read(userId: number, packageId: AdPackageId): AdDraft {
    const kept = drafts.read(NAME, userId, Draft);
    if (kept?.packageId === packageId) return kept;
    return { packageId, key: randomUuid(), clientSecret: null, business: kept?.business ?? NOTHING_TYPED };
  },
  /** Starts a new payment for the same package. */
  anew: (draft: AdDraft): AdDraft => ({ ...draft, key: randomUuid(), clientSecret: null }),
  write: (userId: number, draft: AdDraft): void => void drafts.write(NAME, userId, draft),
  drop: (): void => drafts.drop(NAME),
};
