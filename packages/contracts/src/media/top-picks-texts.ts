// No zod here: the page shows these before anything is sent (services/media/PRODUCT.md#top-picks).

/** Bytes of a video at most. */
export const MAX_VIDEO_BYTES = 50 * 1024 * 1024;
/** Bytes of the picture that may come with it. */
export const MAX_THUMBNAIL_BYTES = 5 * 1024 * 1024;

/** Characters of a video's title, and of its description. */
export const MAX_VIDEO_TITLE = 120;
export const MAX_VIDEO_DESCRIPTION = 1_000;

/** What a video is of. */
export const VIDEO_CATEGORIES = ['event', 'venue', 'highlight', 'announcement'] as const;
export type VideoCategory = (typeof VIDEO_CATEGORIES)[number];
