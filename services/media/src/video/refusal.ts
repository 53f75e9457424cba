export type VideoRefusalCode = 'not-a-video' | 'video-too-large' | 'video-broken';

/** The code of each is its text (frontend/PRODUCT.md#fixed-texts). */
export const VIDEO_REFUSALS: Record<VideoRefusalCode, number> = {
  'not-a-video': 415,
  'video-too-large': 413,
  'video-broken': 422,
};

/** The video is not kept, and the sender can mend it. */
export class VideoRefused extends Error {
  readonly code: VideoRefusalCode;

  constructor(code: VideoRefusalCode) {
    super(code);
    this.code = code;
  }
}
