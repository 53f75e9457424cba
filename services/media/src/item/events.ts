import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';

/**
 * One photo of the gallery, or one video of Top Picks. Streams `photo-<id>` and `video-<id>`. Its words are rows beside the log
 * (`item_texts`), as are likes and views.
 */
export type ItemEvent =
  /** A video is shown from now on. A photo is not, until its uploader's attendance or an admin verifies it. */
  | { type: 'ItemUploaded'; data: UploadedPhoto | UploadedVideo }
  /** All visitors see it from now on. */
  | { type: 'ItemShown'; data: { eventId: number | null; uploaderId: number; how: VerifiedBy } }
  /** An admin rejected it: only its uploader sees it, and why. */
  | { type: 'ItemRejected'; data: Record<string, never> }
  /** It is listed before those that are not featured. */
  | { type: 'ItemFeatured'; data: Record<string, never> }
  | { type: 'ItemUnfeatured'; data: Record<string, never> }
  /** Its words, likes and views are deleted in the same transaction; its files as soon as nothing else has them. */
  | { type: 'ItemRemoved'; data: { by: RemovedBy } };

interface Uploaded {
  uploaderId: number;
  /** The name in storage of its picture, or of the picture of the video. */
  picture: string;
}

export interface UploadedPhoto extends Uploaded {
  eventId: number;
  /** The large size, in pixels. */
  width: number;
  height: number;
}

export interface UploadedVideo extends Uploaded {
  category: VideoCategory;
  /** Its name in storage. */
  file: string;
  /** The paid promotion that it is the clip of. */
  promotionId: string | null;
}

/** `ticket`: its uploader held a ticket and the event has begun; `business`: a verified business; `admin`: an admin verified it. */
export type VerifiedBy = 'ticket' | 'business' | 'admin';
/** `erasure`: its uploader's account was erased. */
export type RemovedBy = 'uploader' | 'admin' | 'erasure';

export type ItemCommand =
  /** `verifiedBy`: why no admin has to look at it; null: it waits for an admin, or needs no look. */
  | { type: 'UploadItem'; item: UploadedPhoto | UploadedVideo; verifiedBy: VerifiedBy | null }
  | { type: 'ShowItem' }
  | { type: 'RejectItem' }
  | { type: 'FeatureItem' }
  | { type: 'UnfeatureItem' }
  | { type: 'RemoveItem'; by: RemovedBy };
