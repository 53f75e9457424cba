import type { Bytes, FoundVideo, Stretch } from './found.ts';
import { VideoRefused } from './refusal.ts';

// ISO/IEC 14496-12 (MP4), and its ancestor QuickTime: boxes with a length and a type of four characters.

/** Maximum boxes inspected in a file. A fragmented video of 50 MB has a few hundred. */
const MAX_BOXES = 20_000;
/** Pictures use boxes too (HEIF, AVIF), but are not videos. */
const PICTURES = new Set(['avif', 'avis', 'mif1', 'msf1', 'heic', 'heix', 'hevc', 'heim', 'heis', 'miaf']);
/** Boxes in which cameras write place, time and owner. */
const METADATA = new Set(['udta', 'meta', 'uuid']);

interface Box extends Stretch {
  type: string;
  /** The offset at which the content begins. */
  inside: number;
}

/** Iterates over boxes, with one limit for all levels. */
function walker(bytes: Bytes) {
  let seen = 0;
  return async function* boxes(from: number, to: number): AsyncGenerator<Box> {
    for (let offset = from; offset < to;) {
      // QuickTime ends some lists with four zeros.
      if (to - offset < 8) return;
      if (++seen > MAX_BOXES) throw new VideoRefused('video-broken');
      const head = await bytes.read(offset, 16);
      if (head.length < 8) throw new VideoRefused('video-broken');
      const short = head.readUInt32BE(0);
      const type = head.toString('latin1', 4, 8);
      const isLong = short === 1;
      if (isLong && head.length < 16) throw new VideoRefused('video-broken');
      const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - offset : short;
      const inside = offset + (isLong ? 16 : 8);
      // A truncated file also gets here, because its last box extends beyond the end of the file.
      if (!Number.isSafeInteger(length) || offset + length > to || inside > offset + length)
        throw new VideoRefused('video-broken');
      yield { type, offset, length, inside };
      offset += length;
    }
  };
}

/** An MP4 or MOV with a video track. Throws `VideoRefused`. */
export async function isoVideo(bytes: Bytes): Promise<FoundVideo> {
  const boxes = walker(bytes);
  const head = await bytes.read(0, 64);
  if (head.toString('latin1', 4, 8) !== 'ftyp') throw new VideoRefused('not-a-video');
  const brands: string[] = [];
  for (let at = 8; at + 4 <= Math.min(head.readUInt32BE(0), head.length); at += 4)
    if (at !== 12) brands.push(head.toString('latin1', at, at + 4));
  if (PICTURES.has(brands[0] ?? '')) throw new VideoRefused('not-a-video');

  const metadata: Stretch[] = [];
  let hasPictures = false;
  let hasMovie = false;
  let hasData = false;
  for await (const box of boxes(0, bytes.size)) {
    if (METADATA.has(box.type)) metadata.push(box);
    if (box.type === 'mdat' || box.type === 'moof') hasData = true;
    if (box.type !== 'moov') continue;
    hasMovie = true;
    for await (const part of boxes(box.inside, box.offset + box.length)) {
      if (METADATA.has(part.type)) metadata.push(part);
      // A reference (`rmra`) or a compressed header (`cmov`). Browsers can play neither.
      if (part.type === 'rmra' || part.type === 'cmov') throw new VideoRefused('video-broken');
      if (part.type !== 'trak') continue;
      for await (const ofTrack of boxes(part.inside, part.offset + part.length)) {
        if (METADATA.has(ofTrack.type)) metadata.push(ofTrack);
        if (ofTrack.type === 'mdia' && (await isOfPictures(ofTrack))) hasPictures = true;
      }
    }
  }
  if (!hasMovie || !hasData) throw new VideoRefused('video-broken');
  if (!hasPictures) throw new VideoRefused('not-a-video');
  return { kind: brands[0] === 'qt  ' ? 'mov' : 'mp4', metadata };

  /** Whether a track's media handler is for video (`vide`). */
  async function isOfPictures(media: Box): Promise<boolean> {
    for await (const { type, inside } of boxes(media.inside, media.offset + media.length))
      if (type === 'hdlr') return (await bytes.read(inside + 8, 4)).toString('latin1') === 'vide';
    return false;
  }
}
