import { inspectVideo } from './container.ts';
import type { Bytes } from './found.ts';

// Videos built byte by byte: small and with a correct structure, but without decodable pictures.

export const box = (type: string, ...parts: Buffer[]): Buffer => {
  const inside = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(inside.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, inside]);
};

const track = (handler: string, ...more: Buffer[]): Buffer =>
  box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box('mdia', box('hdlr', Buffer.alloc(8), Buffer.from(handler + '\0'.repeat(13)))),
    ...more,
  );

interface Mp4Options {
  brand?: string;
  handler?: string;
  /** Makes this video different from others. */
  seed?: number;
  /** Length of the picture data. */
  bytes?: number;
  /** Text in the movie box, where a camera writes the place. */
  place?: string;
}

/** An MP4 or MOV; `place` is written where phones write it. */
export function mp4({ brand = 'isom', handler = 'vide', seed = 0, bytes = 200, place }: Mp4Options = {}): Buffer {
  const written = place === undefined ? [] : [box('udta', box('\u00a9xyz', Buffer.from(place)))];
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mp42`)),
    box('moov', box('mvhd', Buffer.alloc(100)), track('soun'), track(handler, ...written), ...written),
    box('mdat', Buffer.alloc(bytes, seed + 1)),
    ...written,
  ]);
}

export const element = (id: string, ...parts: Buffer[]): Buffer => {
  const inside = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + inside.length);
  return Buffer.concat([Buffer.from(id, 'hex'), size, inside]);
};

/** A WebM without a declared length, as a browser's recorder writes it. */
export function webm({ docType = 'webm', trackType = 1, seed = 0, tags = '' } = {}): Buffer {
  const inside = [
    element('1549a966', Buffer.alloc(20)),
    element('1654ae6b', element('ae', element('83', Buffer.from([trackType])))),
    ...(tags ? [element('1254c367', Buffer.from(tags))] : []),
    element('1f43b675', Buffer.alloc(300, seed + 1)),
  ];
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from(docType))),
    Buffer.from('18538067' + '01ffffffffffffff', 'hex'),
    ...inside,
  ]);
}

const inMemory = (bytes: Buffer): Bytes => ({
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
});

/** The kind of a file, or why it is refused. */
export const judged = async (bytes: Buffer): Promise<string> =>
  inspectVideo(inMemory(bytes)).then(
    ({ kind }) => kind,
    (error: { code?: string }) => error.code ?? String(error),
  );
