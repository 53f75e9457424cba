import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';
import sharp from 'sharp';
import { CLIP, clipFolder } from '../services/media/src/broadcast/clip.ts';
import { pictureAt, scenes } from './clips/scenes.ts';

/**
 * `node scripts/clips.ts` draws the clips for the demo's live streams, services/media/clips, and encodes them with
 * ffmpeg: H.264 without sound, cut into segments that each begin with a key frame. The clips are committed, so that no
 * start has to wait for them.
 */
const PICTURES_PER_SECOND = 15;

for (const [category, scene] of Object.entries(scenes)) {
  const folder = clipFolder(category as LivestreamCategory);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const every = PICTURES_PER_SECOND * CLIP.segmentSeconds;
  const encoder = spawn(
    'ffmpeg',
    [
      ...[
        '-v',
        'error',
        '-f',
        'image2pipe',
        '-framerate',
        String(PICTURES_PER_SECOND),
        '-c:v',
        'png',
        '-i',
        '-',
        '-map',
        '0:v',
      ],
      ...['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '31', '-pix_fmt', 'yuv420p', '-profile:v', 'main'],
      ...['-bf', '2', '-g', String(every), '-keyint_min', String(every), '-sc_threshold', '0'],
      // Removes the encoder's name and settings, which would be in each key frame.
      ...['-bsf:v', 'filter_units=remove_types=6', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
      ...['-f', 'segment', '-segment_time', String(CLIP.segmentSeconds), '-segment_format', 'mpegts'],
      ...['-segment_format_options', 'mpegts_flags=+initial_discontinuity:pat_period=10', join(folder, '%d.mpegts')],
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  const pictures = every * CLIP.segments;
  for (let i = 0; i < pictures; i++) {
    const png = await sharp(pictureAt(scene, i / pictures))
      .png({ compressionLevel: 1 })
      .toBuffer();
    if (!encoder.stdin.write(png)) await once(encoder.stdin, 'drain');
  }
  encoder.stdin.end();
  const [code] = (await once(encoder, 'exit')) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}
