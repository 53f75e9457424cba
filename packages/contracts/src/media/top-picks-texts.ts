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

/** What is wrong with an upload: title and text of the toast. The server answers with the text. */
export const VIDEO_FAULTS = {
  signIn: { title: 'Authentication Required', text: 'Please log in to upload videos.' },
  missing: { title: 'Missing Information', text: 'Please provide a title and select a video file.' },
  type: { title: 'Invalid File Type', text: 'Please select a video file.' },
  size: { title: 'File Too Large', text: 'Video file must be less than 50MB.' },
  thumbnailType: { title: 'Invalid File Type', text: 'Please select an image file (JPG, PNG, GIF, etc.)' },
  thumbnailSize: { title: 'File Too Large', text: 'Please select an image smaller than 5MB' },
} as const;
