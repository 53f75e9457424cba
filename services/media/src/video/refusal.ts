export type VideoRefusalCode = 'not-a-video' | 'video-too-large' | 'video-broken';

/**
 * HTTP status for each refusal code. The refusal code is also the key of the text (frontend/PRODUCT.md#fixed-texts).
 */
export const VIDEO_REFUSALS: Record<VideoRefusalCode, number> = {
  'not-a-video': 415,
  'video-too-large': 413,
  'video-broken': 422,
};

/** The video was refused for a reason that the sender can fix. */
export class VideoRefused extends Error {
  readonly code: VideoRefusalCode;

  constructor(code: VideoRefusalCode) {
    super(code);
    this.code = code;
  }
}
