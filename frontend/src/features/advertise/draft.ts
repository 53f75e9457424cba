import { AdPackageId } from '@beltway/contracts/payments/ads';
import { z } from 'zod';
import { drafts } from '../../lib/storage/drafts.ts';
import { randomUuid } from '../../lib/browser/random-uuid.ts';

const NAME = 'ad';
const typed = z.string().max(4_000);

/** The business as it is typed. */
export const TypedBusiness = z.object({
  businessName: typed,
  contactEmail: typed,
  phone: typed,
  eventTitle: typed,
  eventDescription: typed,
  specialRequests: typed,
});
export type TypedBusiness = z.infer<typeof TypedBusiness>;

const Draft = z.object({
  packageId: AdPackageId,
  /** Names the payment: sent again it is the same one. */
  key: z.uuid(),
  clientSecret: z.string().nullable(),
  business: TypedBusiness,
});
export type AdDraft = z.infer<typeof Draft>;

const NOTHING_TYPED: TypedBusiness = {
  ...{ businessName: '', contactEmail: '', phone: '' },
  ...{ eventTitle: '', eventDescription: '', specialRequests: '' },
};

/** What this tab keeps of buying an ad, across reloads; a guest is user 0. */
export const adDraft = {
  /** Of another package only what was typed is taken over: its payment is dropped. */
  read(userId: number, packageId: AdPackageId): AdDraft {
    const kept = drafts.read(NAME, userId, Draft);
    if (kept?.packageId === packageId) return kept;
    return { packageId, key: randomUuid(), clientSecret: null, business: kept?.business ?? NOTHING_TYPED };
  },
  /** Begins another payment of the same package. */
  anew: (draft: AdDraft): AdDraft => ({ ...draft, key: randomUuid(), clientSecret: null }),
  write: (userId: number, draft: AdDraft): void => void drafts.write(NAME, userId, draft),
  drop: (): void => drafts.drop(NAME),
};
