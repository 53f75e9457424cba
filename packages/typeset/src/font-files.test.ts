import { expect, test } from 'vitest';
import { fontFile, sfntOf } from './font-files.ts';

/** A table's checksum as in its font's directory: the sum of its 32-bit words (OpenType, "Calculating Checksums"). */
function checksum(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

test('each table of an unpacked font matches the checksum in its directory', () => {
  for (const [family, weight] of [
    ['bricolage-grotesque', 700],
    ['instrument-sans', 400],
  ] as const) {
    const sfnt = fontFile(family, 'latin', weight);
    const tags: string[] = [];
    for (let index = 0; index < sfnt.readUInt16BE(4); index++) {
      const at = 12 + index * 16;
      const tag = sfnt.toString('latin1', at, at + 4);
      const [sum, offset, length] = [4, 8, 12].map((place) => sfnt.readUInt32BE(at + place)) as [
        number,
        number,
        number,
      ];
      const table = Buffer.from(sfnt.subarray(offset, offset + length));
      expect(offset % 4).toBe(0);
      // The checksum of the whole font is stored in `head` and does not count.
      if (tag === 'head') table.writeUInt32BE(0, 8);
      expect(checksum(table), tag).toBe(sum);
      tags.push(tag);
    }
    expect(tags).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'loca', 'name']));
  }
});

test('a file that is not WOFF is refused', () => {
  expect(() => sfntOf(Buffer.from('OTTO and more'))).toThrow('not a WOFF font');
});
