// No zod here: the frontend displays these limits before an upload (services/media/PRODUCT.md#top-picks).

/** Maximum bytes of a video. */
export const MAX_VIDEO_BYTES = 50 * 1024 * 1024;
/** Maximum bytes of a video's optional thumbnail. */
export const MAX_THUMBNAIL_BYTES = 5 * 1024 * 1024;

/** Maximum characters of a video's title, and of its description. */
export const MAX_VIDEO_TITLE = 120;
export const MAX_VIDEO_DESCRIPTION = 1_000;

/** Subject of a video. */
export const VIDEO_CATEGORIES = ['event', 'venue', 'highlight', 'announcement'] as const;
export type VideoCategory = (typeof VIDEO_CATEGORIES)[number];
