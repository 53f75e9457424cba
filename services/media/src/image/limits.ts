import { PHOTO_WIDTHS } from '@beltway/contracts/media/pictures';

/** Limits of an event's picture (services/catalog/PRODUCT.md#launching-an-event). */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_PIXELS = 40_000_000;
/**
 * AVIF is decoded as a whole, at about 20 bytes a pixel. With the general limit, a file of two kilobytes could require
 * 800 MB. Phones and cameras do not write AVIF.
 */
export const MAX_AVIF_PIXELS = 16_000_000;
export const MAX_SIDE = 12_000;

/** Stored widths in pixels. Nothing is enlarged. */
export const LARGE_WIDTH = PHOTO_WIDTHS.large;
export const MEDIUM_WIDTH = PHOTO_WIDTHS.medium;
export const SMALL_WIDTH = PHOTO_WIDTHS.small;
/** Crops only pictures more than three times as tall as wide, so that a strip stays a reasonable file. */
export const MAX_ASPECT = 3;

/** Time limit for one picture in seconds, including decoding and all sizes. */
export const IMAGE_SECONDS = 15;
