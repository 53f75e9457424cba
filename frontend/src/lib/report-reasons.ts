import type { ReportReason } from '@beltway/contracts/comments';

/** Why a comment or a message is reported, in words. */
export const REASONS: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  privacy: 'Tells private things of somebody',
  other: 'Something else',
};
