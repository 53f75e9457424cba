export type VideoKind = 'mp4' | 'mov' | 'webm';

/** What browsers are told a video is. */
export const VIDEO_TYPES: Record<VideoKind, string> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};

/** Bytes of a file, at an offset. */
export interface Bytes {
  size: number;
  /** As many as there are, `length` at most. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** A stretch of the file. */
export interface Stretch {
  offset: number;
  length: number;
}

/** What a file is, by its own structure; and where in it the device wrote where and with what it was taken. */
export interface FoundVideo {
  kind: VideoKind;
  /** Boxes or elements of metadata, with their heads. */
  metadata: Stretch[];
}
