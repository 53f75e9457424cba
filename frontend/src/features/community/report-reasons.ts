import type { ReportReason } from '@beltway/contracts/moderation';

/** Why a post or what is below it is reported, in words. */
export const REASONS: Record<Exclude<ReportReason, 'abuse'>, string> = {
  spam: 'Spam or advertising',
  harassment: 'Harasses or insults somebody',
  hate: 'Hate against a group of people',
  violence: 'Threats or violence',
  sexual: 'Sexual content',
  illegal: 'Something illegal',
  privacy: 'Tells private things of somebody',
  rights: 'Uses what belongs to somebody else',
  other: 'Something else',
};
