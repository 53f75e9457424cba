import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';

/**
 * A photo of the gallery or a video of Top Picks. Streams `photo-<id>` and `video-<id>`. Texts are rows outside the log
 * (`item_texts`), and so are likes and views.
 */
export type ItemEvent =
  /** A video is shown immediately. A photo is shown once its uploader's attendance or an admin verifies it. */
  | { type: 'ItemUploaded'; data: UploadedPhoto | UploadedVideo }
  /** Visible to all visitors from now on. */
  | { type: 'ItemShown'; data: { eventId: number | null; uploaderId: number; how: VerifiedBy } }
  /** An admin rejected the item: only its uploader sees the item and the reason. */
  | { type: 'ItemRejected'; data: Record<string, never> }
  /** Listed before items that are not featured. */
  | { type: 'ItemFeatured'; data: Record<string, never> }
  | { type: 'ItemUnfeatured'; data: Record<string, never> }
  /**
   * The item's texts, likes and views are deleted in the same transaction. Its files are deleted when nothing else
   * refers to them.
   */
  | { type: 'ItemRemoved'; data: { by: RemovedBy } };

interface Uploaded {
  uploaderId: number;
  /** The storage name of the photo, or of the video's thumbnail. */
  picture: string;
}

export interface UploadedPhoto extends Uploaded {
  eventId: number;
  /** Width of the large size, in pixels. */
  width: number;
  height: number;
}

export interface UploadedVideo extends Uploaded {
  category: VideoCategory;
  /** The video's name in storage. */
  file: string;
  /** The paid promotion that includes this clip. */
  promotionId: string | null;
}

/** `ticket`: the uploader held a ticket and the event has begun; `business`: a verified business; `admin`: an admin. */
export type VerifiedBy = 'ticket' | 'business' | 'admin';
/** `erasure`: the uploader's account was erased. */
export type RemovedBy = 'uploader' | 'admin' | 'erasure';

export type ItemCommand =
  /** `verifiedBy`: why no admin has to check the item; null if the item waits for an admin, or needs no check. */
  | { type: 'UploadItem'; item: UploadedPhoto | UploadedVideo; verifiedBy: VerifiedBy | null }
  | { type: 'ShowItem' }
  | { type: 'RejectItem' }
  | { type: 'FeatureItem' }
  | { type: 'UnfeatureItem' }
  | { type: 'RemoveItem'; by: RemovedBy };
