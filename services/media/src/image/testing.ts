import { crc32, deflateSync } from 'node:zlib';
import type { Kind } from '@beltway/contracts/media/picture-kinds';
import { loadSharp } from '../workers/sharp.ts';

/** The photographer's name in EXIF: too long to occur in compressed noise by chance. */
export const PHOTOGRAPHER = 'Ann Example Photography';

/** A photo-like picture with a position in its EXIF, rotated as phones store portraits. */
export async function photo(format: Kind = 'jpeg', width = 300, height = 200): Promise<Buffer> {
  const sharp = await loadSharp();
  const noise = { type: 'gaussian', mean: 120, sigma: 25 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .withExif({ IFD0: { Copyright: PHOTOGRAPHER }, IFD3: { GPSLatitude: '38/1 53/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toFormat(format, format === 'avif' ? { effort: 0 } : {})
    .toBuffer();
}

/** The same JPEG with face tags (names and positions, as XMP), like those that phones and photo programs write. */
export function withFaces(jpeg: Buffer, name: string): Buffer {
  const regions =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" ' +
    `mwg-rs:Type="Face" mwg-rs:Name="${name}"/></rdf:RDF></x:xmpmeta>`;
  const body = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${regions}`, 'latin1');
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** A well-formed PNG whose header has the full size, but which contains only the given number of rows. */
export function pngOf(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.alloc(rows * (width * 3 + 1)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

export const SVG_WITH_SCRIPT = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>',
);
