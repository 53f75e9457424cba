import type { TopPickReportReason } from '@beltway/contracts/media/top-picks';
import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';

/**
 * One video of Top Picks. Stream `video-<id>`. Its words are rows beside the log (`video_texts`), as are likes and views. Everybody sees it
 * from its upload on, until an admin rejects it.
 */
export type VideoEvent =
  | { type: 'VideoUploaded'; data: UploadedVideo }
  /** An admin thought better of a rejection: everybody sees it again. */
  | { type: 'VideoApproved'; data: VideoFacts }
  /** An admin looked and said no: only its uploader sees it, and why. What was reported of it is settled. */
  | { type: 'VideoRejected'; data: VideoFacts }
  /** It is shown before those that are not featured. */
  | { type: 'VideoFeatured'; data: VideoFacts }
  | { type: 'VideoUnfeatured'; data: VideoFacts }
  | { type: 'VideoReported'; data: VideoFacts & { reporterId: number; reason: TopPickReportReason } }
  /** An admin looked at what was reported, and it stays. */
  | { type: 'VideoKept'; data: VideoFacts }
  /** Its words, likes, views and reports go in the same transaction; its files as soon as nothing else has them. */
  | { type: 'VideoRemoved'; data: VideoFacts & { by: RemovedBy } };

export interface VideoFacts {
  videoId: number;
}

export interface UploadedVideo extends VideoFacts {
  uploaderId: number;
  category: VideoCategory;
  /** Its name in storage. */
  file: string;
  /** The name in storage of the picture that stands for it. */
  thumbnail: string;
  /** The paid promotion that it is the clip of. */
  promotionId: string | null;
}

/** `erasure`: its uploader's account is no more. */
export type RemovedBy = 'uploader' | 'admin' | 'erasure';

export type VideoCommand =
  | ({ type: 'UploadVideo' } & UploadedVideo)
  | { type: 'ApproveVideo' }
  | { type: 'RejectVideo' }
  | { type: 'FeatureVideo' }
  | { type: 'UnfeatureVideo' }
  | { type: 'ReportVideo'; reporterId: number; reason: TopPickReportReason }
  | { type: 'KeepVideo' }
  | { type: 'RemoveVideo'; by: RemovedBy };
