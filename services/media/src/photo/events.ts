import type { PhotoReportReason } from '@beltway/contracts/media/gallery';

/**
 * One photo of an event, in the gallery. Stream `photo-<id>`. Its words are rows beside the log (`photo_texts`), as are likes.
 * It is pending until its uploader's being there, or an admin's look, verifies it.
 */
export type PhotoEvent =
  | { type: 'PhotoUploaded'; data: UploadedPhoto }
  /** Everybody sees it from now on. */
  | { type: 'PhotoVerified'; data: PhotoFacts & { eventId: number; uploaderId: number; how: VerifiedBy } }
  /** An admin looked and said no: only its uploader sees it, and why. What was reported of it is settled. */
  | { type: 'PhotoRejected'; data: PhotoFacts }
  | { type: 'PhotoReported'; data: PhotoFacts & { reporterId: number; reason: PhotoReportReason } }
  /** An admin looked at what was reported, and it stays. */
  | { type: 'PhotoKept'; data: PhotoFacts }
  /** Its words, likes and reports go in the same transaction; its files as soon as no other photo has them. */
  | { type: 'PhotoRemoved'; data: PhotoFacts & { by: RemovedBy } };

export interface PhotoFacts {
  photoId: number;
}

export interface UploadedPhoto extends PhotoFacts {
  eventId: number;
  uploaderId: number;
  /** Its name in storage. */
  picture: string;
  /** Of the large size, in pixels. */
  width: number;
  height: number;
}

/** `ticket`: its uploader held a ticket and the event has begun; `business`: a verified business; `admin`: by an admin's look. */
export type VerifiedBy = 'ticket' | 'business' | 'admin';
/** `erasure`: its uploader's account is no more. */
export type RemovedBy = 'uploader' | 'admin' | 'erasure';

export type PhotoCommand =
  /** `verifiedBy`: why it needs no look; null: it waits for one. */
  | ({ type: 'UploadPhoto'; verifiedBy: VerifiedBy | null } & UploadedPhoto)
  | { type: 'VerifyPhoto' }
  | { type: 'RejectPhoto' }
  | { type: 'ReportPhoto'; reporterId: number; reason: PhotoReportReason }
  | { type: 'KeepPhoto' }
  | { type: 'RemovePhoto'; by: RemovedBy };
