import type { TopPickReportReason } from '@beltway/contracts/top-picks';
import type { VideoCategory } from '@beltway/contracts/top-picks-texts';

/** Categories in words. */
export const CATEGORIES: Record<VideoCategory, string> = {
  event: 'Event',
  venue: 'Venue',
  highlight: 'Highlight',
  announcement: 'Announcement',
};

/** Why a video is reported, in words. */
export const REASONS: Record<TopPickReportReason, string> = {
  spam: 'Spam or advertising',
  abuse: 'Hate, threats or insults',
  rights: 'Somebody else’s video or music',
  privacy: 'Shows me or somebody who does not want it',
  other: 'Something else',
};
