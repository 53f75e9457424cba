import type { Bytes, FoundVideo, Stretch } from './found.ts';
import { VideoRefused } from './refusal.ts';

// ISO/IEC 14496-12 (MP4), and QuickTime, from which it comes: boxes of a length and a type of four letters.

/** Boxes that are looked at in one file. A video of 50 MB in fragments has some hundred. */
const MAX_BOXES = 20_000;
/** Pictures are kept in boxes too (HEIF, AVIF): they are no videos. */
const PICTURES = new Set(['avif', 'avis', 'mif1', 'msf1', 'heic', 'heix', 'hevc', 'heim', 'heis', 'miaf']);
/** Where cameras write place, time and owner. */
const METADATA = new Set(['udta', 'meta', 'uuid']);

interface Box extends Stretch {
  type: string;
  /** Where what is in it begins. */
  inside: number;
}

/** Walks boxes, all of which count towards one limit. */
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
      // Also of a file that was cut off: its last box goes on behind its end.
      if (!Number.isSafeInteger(length) || offset + length > to || inside > offset + length)
        throw new VideoRefused('video-broken');
      yield { type, offset, length, inside };
      offset += length;
    }
  };
}

/** An MP4 or MOV with a track of pictures. Throws `VideoRefused`. */
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
      // It may lie elsewhere (`rmra`), or be packed (`cmov`): browsers play neither.
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

  /** Whether the handler of a track's media is for pictures (`vide`). */
  async function isOfPictures(media: Box): Promise<boolean> {
    for await (const { type, inside } of boxes(media.inside, media.offset + media.length))
      if (type === 'hdlr') return (await bytes.read(inside + 8, 4)).toString('latin1') === 'vide';
    return false;
  }
}
