import { expect, test } from 'vitest';
import { fontFile, sfntOf } from './font-files.ts';

/** A table's sum as its font's directory has it: words of 32 bits (OpenType, "Calculating Checksums"). */
function checksum(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

test('each table of an unpacked font is what its directory says', () => {
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
      // The font's own sum stands in `head` and is not counted in it.
      if (tag === 'head') table.writeUInt32BE(0, 8);
      expect(checksum(table), tag).toBe(sum);
      tags.push(tag);
    }
    expect(tags).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'loca', 'name']));
  }
});

test('what is no WOFF is refused', () => {
  expect(() => sfntOf(Buffer.from('OTTO and more'))).toThrow('not a WOFF font');
});
