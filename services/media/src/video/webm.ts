import type { Bytes, FoundVideo, Stretch } from './found.ts';
import { VideoRefused } from './refusal.ts';

// EBML (RFC 8794) and Matroska (RFC 9559): elements with an id, a length and content.

const [EBML, DOC_TYPE, SEGMENT, TRACKS, TRACK_ENTRY, TRACK_TYPE, CLUSTER, TAGS] = [
  ...[0x1a45dfa3, 0x4282, 0x18538067, 0x1654ae6b, 0xae, 0x83, 0x1f43b675, 0x1254c367],
] as const;
/** Maximum elements inspected in a file. A cluster contains one or two seconds. */
const MAX_ELEMENTS = 20_000;
const OF_PICTURES = 1;

interface Element extends Stretch {
  id: number;
  inside: number;
  /** A live recording has no length. It ends with the file, or with the next element that cannot be inside. */
  hasLength: boolean;
}

/**
 * A number of variable length. The number of leading zeros gives the number of bytes. undefined if the number is
 * invalid.
 */
function vint(
  head: Buffer,
  at: number,
  keepsMarker: boolean,
): { value: number; width: number; isUnknown: boolean } | undefined {
  const first = head[at];
  if (first === undefined || first === 0) return undefined;
  const width = Math.clz32(first) - 23;
  if (at + width > head.length || (keepsMarker && width > 4)) return undefined;
  let value = keepsMarker ? first : first & (0xff >> width);
  let isUnknown = !keepsMarker && value === 0xff >> width;
  for (let more = 1; more < width; more++) {
    const byte = head[at + more]!;
    if (byte !== 0xff) isUnknown = false;
    value = value * 256 + byte;
  }
  return Number.isSafeInteger(value) || isUnknown ? { value, width, isUnknown } : undefined;
}

function walker(bytes: Bytes) {
  let seen = 0;
  return async function* elements(from: number, to: number): AsyncGenerator<Element> {
    for (let offset = from; offset < to;) {
      if (++seen > MAX_ELEMENTS) throw new VideoRefused('video-broken');
      const head = await bytes.read(offset, 12);
      const id = vint(head, 0, true);
      const size = id && vint(head, id.width, false);
      if (!id || !size) throw new VideoRefused('video-broken');
      const inside = offset + id.width + size.width;
      const length = size.isUnknown ? to - offset : inside - offset + size.value;
      // Also true of a truncated file.
      if (offset + length > to) throw new VideoRefused('video-broken');
      yield { id: id.value, offset, length, inside, hasLength: !size.isUnknown };
      offset += length;
    }
  };
}

/** A WebM with a video track. Throws `VideoRefused`. */
export async function webmVideo(bytes: Bytes): Promise<FoundVideo> {
  const elements = walker(bytes);
  const metadata: Stretch[] = [];
  let isWebm = false;
  let hasPictures = false;
  let hasData = false;
  for await (const { id, inside, offset, length } of elements(0, bytes.size)) {
    const end = offset + length;
    if (id === EBML) {
      for await (const part of elements(inside, end))
        if (part.id === DOC_TYPE)
          isWebm = /^webm\0*$/.test(
            (await bytes.read(part.inside, 8)).toString('latin1', 0, part.offset + part.length - part.inside),
          );
      if (!isWebm) throw new VideoRefused('not-a-video');
    }
    if (id !== SEGMENT) continue;
    for await (const part of elements(inside, end)) {
      if (part.id === TRACKS) hasPictures ||= await hasTrackOfPictures(part);
      if (part.id === TAGS && part.hasLength) metadata.push(part);
      if (part.id === CLUSTER) hasData = true;
    }
  }
  if (!isWebm) throw new VideoRefused('not-a-video');
  if (!hasData) throw new VideoRefused('video-broken');
  if (!hasPictures) throw new VideoRefused('not-a-video');
  return { kind: 'webm', metadata };

  async function hasTrackOfPictures(tracks: Element): Promise<boolean> {
    for await (const track of elements(tracks.inside, tracks.offset + tracks.length)) {
      if (track.id !== TRACK_ENTRY) continue;
      for await (const { id, inside } of elements(track.inside, track.offset + track.length))
        if (id === TRACK_TYPE && (await bytes.read(inside, 1))[0] === OF_PICTURES) return true;
    }
    return false;
  }
}
