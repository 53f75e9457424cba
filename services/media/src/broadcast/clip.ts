import { join } from 'node:path';
import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

/**
 * The demo's live streams loop a clip of a few seconds. The clip's files are in this repository and are drawn by `node
 * scripts/clips.ts`.
 */
export const CLIP = { segments: 6, segmentSeconds: 2 } as const;

/** The folder of a clip's segments: `0.mpegts` and so on. */
export const clipFolder = (clip: LivestreamCategory): string =>
  join(import.meta.dirname, '..', '..', 'clips', clip.toLowerCase().replaceAll(' ', '-'));

/** The file of a segment; undefined if the clip has no such segment. */
export const clipFile = (clip: LivestreamCategory, number: number): string | undefined =>
  number < CLIP.segments ? join(clipFolder(clip), `${number}.mpegts`) : undefined;

/**
 * The playlist of a clip that has been live since `liveSince`. The playlist is the same for all callers and on every
 * instance. It lists a whole loop of segments from the start, so that a player can begin immediately. Each restart of
 * the clip is a discontinuity.
 */
export function clipPlaylist(liveSince: Date, now: Date): string {
  const { segments, segmentSeconds } = CLIP;
  const first = Math.floor(Math.max(0, now.getTime() - liveSince.getTime()) / (segmentSeconds * 1_000));
  const isJoint = (number: number) => number > 0 && number % segments === 0;
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${segmentSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    // The number of discontinuities that have left the list.
    `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor(Math.max(0, first - 1) / segments)}`,
  ];
  for (let number = first; number < first + segments; number++) {
    if (isJoint(number)) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXTINF:${segmentSeconds.toFixed(3)},`, `clip-${number % segments}.ts`);
  }
  return `${lines.join('\n')}\n`;
}
