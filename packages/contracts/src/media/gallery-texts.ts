// No zod here: the page shows these before anything is sent (services/media/PRODUCT.md#gallery).

/** Bytes of a photo at most. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** Characters of a photo's title, and of its description. */
export const MAX_PHOTO_TITLE = 120;
export const MAX_PHOTO_DESCRIPTION = 1_000;
