export type VideoKind = 'mp4' | 'mov' | 'webm';

/** The MIME types of videos. */
export const VIDEO_TYPES: Record<VideoKind, string> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};

/** Reads the bytes of a file at an offset. */
export interface Bytes {
  size: number;
  /** Up to `length` bytes. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** A byte range of the file. */
export interface Stretch {
  offset: number;
  length: number;
}

/**
 * The kind of a file, derived from its structure, and the places in the file where the camera wrote its position and
 * model.
 */
export interface FoundVideo {
  kind: VideoKind;
  /** Boxes or elements of metadata, with their headers. */
  metadata: Stretch[];
}
