import { VIDEO_FAULTS } from '@beltway/contracts/media/top-picks-texts';

export type VideoRefusalCode = 'not-a-video' | 'video-too-large' | 'video-broken';

/** Fixed texts (frontend/PRODUCT.md#fixed-texts). */
export const VIDEO_REFUSALS: Record<VideoRefusalCode, { status: number; message: string }> = {
  'not-a-video': { status: 415, message: VIDEO_FAULTS.type.text },
  'video-too-large': { status: 413, message: VIDEO_FAULTS.size.text },
  'video-broken': {
    status: 422,
    message: 'This video is damaged, incomplete or of a kind that browsers do not play. Please select another one.',
  },
};

/** The video is not kept, and the sender can mend it. */
export class VideoRefused extends Error {
  readonly code: VideoRefusalCode;

  constructor(code: VideoRefusalCode) {
    super(VIDEO_REFUSALS[code].message);
    this.code = code;
  }
}
