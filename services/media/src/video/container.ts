import type { FileHandle } from 'node:fs/promises';
import type { Bytes, FoundVideo } from './found.ts';
import { isoVideo } from './iso-media.ts';
import { VideoRefused } from './refusal.ts';
import { webmVideo } from './webm.ts';

export const bytesOf = (file: FileHandle, size: number): Bytes => ({
  size,
  async read(offset, length) {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytesRead);
  },
});

/**
 * Checks a file by its signature and structure, and ignores the type that the sender declares. A valid file is a
 * complete MP4, MOV or WebM with a video track. Reads only headers, up to a maximum number. Throws `VideoRefused`.
 */
export async function inspectVideo(bytes: Bytes): Promise<FoundVideo> {
  const start = await bytes.read(0, 16);
  if (start.length < 16) throw new VideoRefused('not-a-video');
  if (start.readUInt32BE(0) === 0x1a45dfa3) return webmVideo(bytes);
  return isoVideo(bytes);
}
