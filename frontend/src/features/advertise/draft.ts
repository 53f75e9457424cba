import { AdPackageId } from '@beltway/contracts/ads';
import { z } from 'zod';
import { drafts } from '../../lib/drafts.ts';

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

/** Random, as a UUID; `crypto.randomUUID` is there on secure addresses only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What this tab keeps of buying an ad, across reloads; a guest is user 0. */
export const adDraft = {
  /** Of another package only what was typed is taken over: its payment is dropped. */
  read(userId: number, packageId: AdPackageId): AdDraft {
    const kept = drafts.read(NAME, userId, Draft);
    if (kept?.packageId === packageId) return kept;
    return { packageId, key: newKey(), clientSecret: null, business: kept?.business ?? NOTHING_TYPED };
  },
  /** Begins another payment of the same package. */
  anew: (draft: AdDraft): AdDraft => ({ ...draft, key: newKey(), clientSecret: null }),
  write: (userId: number, draft: AdDraft): void => void drafts.write(NAME, userId, draft),
  drop: (): void => drafts.drop(NAME),
};
