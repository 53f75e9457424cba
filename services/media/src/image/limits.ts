import { PHOTO_WIDTHS } from '@beltway/contracts/media/pictures';

/** What an event's picture may be (services/catalog/PRODUCT.md#launching-an-event). */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_PIXELS = 40_000_000;
/** AVIF is unpacked whole, at about 20 bytes a pixel: two kilobytes can ask for 800 MB. Phones and cameras do not write it. */
export const MAX_AVIF_PIXELS = 16_000_000;
export const MAX_SIDE = 12_000;

/** Widths in pixels of what is kept. Nothing is enlarged. */
export const LARGE_WIDTH = PHOTO_WIDTHS.large;
export const MEDIUM_WIDTH = PHOTO_WIDTHS.medium;
export const SMALL_WIDTH = PHOTO_WIDTHS.small;
/** Only for pictures more than three times as tall as wide, so that a strip stays a sensible file. */
export const MAX_ASPECT = 3;

/** Seconds one picture may take, decoding and all sizes together. */
export const IMAGE_SECONDS = 15;
