import type { PhotoReportReason } from '@beltway/contracts/gallery';

/** Why a photo is reported, in words. */
export const REASONS: Record<PhotoReportReason, string> = {
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  privacy: 'Shows me or somebody who does not want it',
  other: 'Something else',
};
