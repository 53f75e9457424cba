import { z } from 'zod';
import { fieldOr, IdText, optionalField } from '../common/basics.ts';
import { blockText, lineText } from '../common/text.ts';
import { MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TITLE, VIDEO_CATEGORIES } from './top-picks-texts.ts';

export const TopPickCategory = z.enum(VIDEO_CATEGORIES);

/** The fields of POST /api/top-picks/upload (multipart) beside the files `video` and `thumbnail` (services/media/PRODUCT.md#top-picks). */
export const TopPickFields = z.object({
  title: lineText(MAX_VIDEO_TITLE, 'invalid.video-missing'),
  description: optionalField(blockText(MAX_VIDEO_DESCRIPTION, 'invalid.something-or-nothing')),
  category: fieldOr(TopPickCategory, 'event'),
  /** An event whose promotion gives the right to a clip: the video is shown as its clip. */
  eventId: optionalField(IdText),
});
export type TopPickFields = z.infer<typeof TopPickFields>;

/** A video as everybody sees it. */
export const TopPick = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  category: TopPickCategory,
  /** Path on this site, named by content; answers ranges. */
  videoUrl: z.string(),
  /** Path of the large size; the other sizes follow from it (`storedSizes`). */
  thumbnailUrl: z.string(),
  /** The name of the account when it was uploaded. */
  uploadedBy: z.string(),
  uploadDate: z.iso.datetime(),
  userId: z.int(),
  /** Chosen by an admin. */
  featured: z.boolean(),
  /** False: an admin said no, and only its uploader and admins see it. */
  approved: z.boolean(),
  views: z.int(),
  likes: z.int(),
  /** The event that it is the paid clip of, while the right stands. */
  promotedEvent: z.object({ id: z.int(), title: z.string() }).nullable(),
});
export type TopPick = z.infer<typeof TopPick>;

const limit = z.coerce.number().int().min(1).max(60).default(12);

/** GET /api/top-picks: promoted ones first, then featured ones, then the newest. With any parameter a page; without one a list. */
export const TopPicksQuery = z.object({
  category: z.enum(['all', ...VIDEO_CATEGORIES]).default('all'),
  cursor: z.string().max(200).optional(),
  limit,
});
export const TopPickList = z.array(TopPick);
export const TopPickPage = z.object({ items: TopPickList, nextCursor: z.string().nullable() });
export type TopPickPage = z.infer<typeof TopPickPage>;

/** GET /api/top-picks/mine: what the list cannot tell, for it is the same for everybody. */
export const MyTopPicks = z.object({
  /** Videos that the reader likes, the latest 1,000. */
  liked: z.array(z.int()),
  /** Uploaded by the reader, the latest 100. `reason`: why an admin said no. */
  videos: z.array(TopPick.extend({ reason: z.string().nullable() })),
  /** Events whose promotion gives the reader the right to a clip that was not uploaded yet. */
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

/** GET /api/top-picks/moderation (admins): what was reported, oldest first; or all, the latest first. */
export const TopPicksToCheckQuery = z.object({
  status: z.enum(['reported', 'all']).default('reported'),
  cursor: IdText.optional(),
  limit,
});
export const TopPickToCheck = TopPick.extend({
  reason: z.string().nullable(),
  /** Those that nobody has settled, latest first. Nobody is told who reported. */
  reports: z.array(z.object({ reason: TopPickReportReason, note: z.string().nullable(), at: z.iso.datetime() })),
});
export type TopPickToCheck = z.infer<typeof TopPickToCheck>;
export const TopPicksToCheck = z.object({ items: z.array(TopPickToCheck), nextCursor: z.string().nullable() });
export type TopPicksToCheck = z.infer<typeof TopPicksToCheck>;

/** What an admin does with a video. `keep`: it stays, and what was reported of it is settled. A rejection says why. */
export const ModerateTopPickBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['approve', 'feature', 'unfeature', 'keep', 'remove']) }),
  z.strictObject({ action: z.literal('reject'), reason: lineText(200, 'invalid.why') }),
]);
export type ModerateTopPickBody = z.infer<typeof ModerateTopPickBody>;
