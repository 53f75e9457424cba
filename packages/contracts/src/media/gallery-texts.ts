// No zod here: the frontend displays these limits before an upload (services/media/PRODUCT.md#gallery).

/** Maximum bytes of a photo. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** Maximum characters of a photo's title, and of its description. */
export const MAX_PHOTO_TITLE = 120;
export const MAX_PHOTO_DESCRIPTION = 1_000;
