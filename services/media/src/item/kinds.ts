import type { PlainText } from '@beltway/contracts/problems/texts';
import type { Unavailable } from '@beltway/kit/problems';

/**
 * A photo of the gallery (services/media/PRODUCT.md#gallery) or a video of Top Picks
 * (services/media/PRODUCT.md#top-picks).
 */
export const ITEM_KINDS = ['photo', 'video'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The rules that differ between kinds of items. */
export interface ItemRules {
  /** Whether an upload is hidden until it is verified. */
  needsLook: boolean;
  /** Uploads of an account in an hour, including refused and deleted uploads. */
  uploadsPerHour: number;
  /** Concurrent uploads of an account, each counted from its first byte to the response. */
  uploadsOfAccount: number;
  /** Concurrent uploads in total. */
  uploadsTogether: number;
  tooManyUploads: Unavailable;
  tooManyInAnHour: PlainText;
  /** The path of the page that shows items of this kind. */
  path: string;
}

export const ITEMS: Record<ItemKind, ItemRules> = {
  photo: {
    needsLook: true,
    uploadsPerHour: 100,
    uploadsOfAccount: 3,
    uploadsTogether: 8,
    tooManyUploads: 'too-many-pictures',
    tooManyInAnHour: 'too-many-photos',
    path: '/gallery',
  },
  video: {
    needsLook: false,
    uploadsPerHour: 20,
    uploadsOfAccount: 2,
    uploadsTogether: 12,
    tooManyUploads: 'too-many-videos',
    tooManyInAnHour: 'too-many-videos.hour',
    path: '/top-picks',
  },
};
