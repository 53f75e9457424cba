import { join } from 'node:path';
import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

/** What the demo's live streams play: some seconds, again and again, in files of this repository (`node scripts/clips.ts` draws them). */
export const CLIP = { segments: 6, segmentSeconds: 2 } as const;

/** Where the segments of a clip are: `0.mpegts` and so on. */
export const clipFolder = (clip: LivestreamCategory): string =>
  join(import.meta.dirname, '..', '..', 'clips', clip.toLowerCase().replaceAll(' ', '-'));

/** The file of a segment; undefined: the clip has no such one. */
export const clipFile = (clip: LivestreamCategory, number: number): string | undefined =>
  number < CLIP.segments ? join(clipFolder(clip), `${number}.mpegts`) : undefined;

/**
 * The playlist of a clip that has been live since `liveSince`: the same for all who ask, and on every instance. It names whole loops' worth of
 * segments from the start on, so that a player can begin at once; where the clip begins anew is a discontinuity.
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
    // Joints that are no longer in the list.
    `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor(Math.max(0, first - 1) / segments)}`,
  ];
  for (let number = first; number < first + segments; number++) {
    if (isJoint(number)) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXTINF:${segmentSeconds.toFixed(3)},`, `clip-${number % segments}.ts`);
  }
  return `${lines.join('\n')}\n`;
}
