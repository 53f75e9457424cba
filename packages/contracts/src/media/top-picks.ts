import { z } from 'zod';
import { fieldOr, IdText, optionalField } from '../common/basics.ts';
import { blockText, lineText } from '../common/text.ts';
import { MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TITLE, VIDEO_CATEGORIES } from './top-picks-texts.ts';

export const TopPickCategory = z.enum(VIDEO_CATEGORIES);

/**
 * The fields of POST /api/top-picks/upload (multipart), in addition to the files `video` and `thumbnail`
 * (services/media/PRODUCT.md#top-picks).
 */
export const TopPickFields = z.object({
  title: lineText(MAX_VIDEO_TITLE, 'invalid.video-missing'),
  description: optionalField(blockText(MAX_VIDEO_DESCRIPTION, 'invalid.something-or-nothing')),
  category: fieldOr(TopPickCategory, 'event'),
  /** An event whose promotion includes a clip. The video becomes the promotion's clip. */
  eventId: optionalField(IdText),
});
export type TopPickFields = z.infer<typeof TopPickFields>;

/** The public view of a video. */
export const TopPick = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  category: TopPickCategory,
  /** Path on this site, whose name derives from the video's content; supports range requests. */
  videoUrl: z.string(),
  /** Path of the large size. The paths of the other sizes derive from this path (`storedSizes`). */
  thumbnailUrl: z.string(),
  /** Name of the uploader's account at the time of the upload. */
  uploadedBy: z.string(),
  uploadDate: z.iso.datetime(),
  userId: z.int(),
  /** True if an admin chose the video. */
  featured: z.boolean(),
  /** False: an admin rejected the video, so only its uploader and admins can see it. */
  approved: z.boolean(),
  views: z.int(),
  likes: z.int(),
  /** The event that has this video as its paid clip, while its promotion lasts. */
  promotedEvent: z.object({ id: z.int(), title: z.string() }).nullable(),
});
export type TopPick = z.infer<typeof TopPick>;

const limit = z.coerce.number().int().min(1).max(60).default(12);

/**
 * GET /api/top-picks: promoted videos first, then featured videos, then the newest. With any parameter the response is
 * a page; without parameters the response is a list.
 */
export const TopPicksQuery = z.object({
  category: z.enum(['all', ...VIDEO_CATEGORIES]).default('all'),
  cursor: z.string().max(200).optional(),
  limit,
});
export const TopPickList = z.array(TopPick);
export const TopPickPage = z.object({ items: TopPickList, nextCursor: z.string().nullable() });
export type TopPickPage = z.infer<typeof TopPickPage>;

/**
 * GET /api/top-picks/mine: the caller's own data for the Top Picks page. It is a separate request because the list
 * itself is the same for every reader.
 */
export const MyTopPicks = z.object({
  /** The latest 1,000 videos that the reader likes. */
  liked: z.array(z.int()),
  /** The reader's latest 100 uploads. `reason`: why an admin rejected the video. */
  videos: z.array(TopPick.extend({ reason: z.string().nullable() })),
  /** Events whose promotion includes a clip that the reader has not uploaded yet. */
  clips: z.array(z.object({ eventId: z.int(), title: z.string(), until: z.iso.datetime() })),
});
export type MyTopPicks = z.infer<typeof MyTopPicks>;

/** POST and DELETE /api/top-picks/{id}/like */
export const TopPickLikes = z.object({ likes: z.int(), isLiked: z.boolean() });
export type TopPickLikes = z.infer<typeof TopPickLikes>;

export const TopPickReportReason = z.enum(['spam', 'abuse', 'rights', 'privacy', 'other']);
export type TopPickReportReason = z.infer<typeof TopPickReportReason>;

/** POST /api/top-picks/{id}/report */
export const ReportTopPickBody = z.strictObject({
  reason: TopPickReportReason,
  note: optionalField(blockText(500, 'invalid.something-or-nothing')),
});
export type ReportTopPickBody = z.infer<typeof ReportTopPickBody>;

/** GET /api/top-picks/moderation (admins): reported videos, oldest first, or all videos, latest first. */
export const TopPicksToCheckQuery = z.object({
  status: z.enum(['reported', 'all']).default('reported'),
  cursor: IdText.optional(),
  limit,
});
export const TopPickToCheck = TopPick.extend({
  reason: z.string().nullable(),
  /** Unsettled reports, latest first, without the reporters. */
  reports: z.array(z.object({ reason: TopPickReportReason, note: z.string().nullable(), at: z.iso.datetime() })),
});
export type TopPickToCheck = z.infer<typeof TopPickToCheck>;
export const TopPicksToCheck = z.object({ items: z.array(TopPickToCheck), nextCursor: z.string().nullable() });
export type TopPicksToCheck = z.infer<typeof TopPicksToCheck>;

/** An admin's decision on a video. `keep` leaves the video and settles its reports. A rejection has a reason. */
export const ModerateTopPickBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['approve', 'feature', 'unfeature', 'keep', 'remove']) }),
  z.strictObject({ action: z.literal('reject'), reason: lineText(200, 'invalid.why') }),
]);
export type ModerateTopPickBody = z.infer<typeof ModerateTopPickBody>;
