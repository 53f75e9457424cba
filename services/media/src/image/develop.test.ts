import { expect, test } from 'vitest';
import { loadSharp } from '../workers/sharp.ts';
import { developImage } from './develop.ts';
import type { RefusalCode } from './refusal.ts';
import { PHOTOGRAPHER, SVG_WITH_SCRIPT, photo, pngOf } from './testing.ts';

const refuses = (bytes: Uint8Array, code: RefusalCode) => expect(developImage(bytes)).rejects.toMatchObject({ code });
const reads = async (bytes: Uint8Array) => (await loadSharp())(bytes);
const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6));

test.for(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('takes %s and writes WebP', async (format) => {
  const { large, medium, small } = await developImage(await photo(format));
  expect(await (await reads(large)).metadata()).toMatchObject({ format: 'webp', space: 'srgb' });
  for (const size of [medium, small])
    expect(await (await reads(size)).metadata()).toMatchObject({ format: 'webp', space: 'srgb' });
});

test('makes three sizes, 1600, 960 and 640 wide, in proportion', async () => {
  const sharp = await loadSharp();
  const wide = await sharp(await photo('png', 3200, 1600))
    .jpeg()
    .toBuffer();
  const { large, medium, small, width, height } = await developImage(wide);
  expect({ width, height }).toEqual({ width: 1600, height: 800 });
  expect(await sharp(large).metadata()).toMatchObject({ width: 1600, height: 800 });
  expect(await sharp(medium).metadata()).toMatchObject({ width: 960, height: 480 });
  expect(await sharp(small).metadata()).toMatchObject({ width: 640, height: 320 });
});

test('enlarges nothing', async () => {
  const { width, height, small } = await developImage(pngOf(300, 200, 200));
  expect({ width, height }).toEqual({ width: 300, height: 200 });
  expect(await (await reads(small)).metadata()).toMatchObject({ width: 300, height: 200 });
});

test('rotates the picture upright and removes the position where it was taken', async () => {
  const original = await photo();
  expect((await (await reads(original)).metadata()).exif).toBeDefined();
  expect(original.includes(PHOTOGRAPHER)).toBe(true);
  const { large, medium, small, width, height } = await developImage(original);
  expect({ width, height }).toEqual({ width: 200, height: 300 });
  for (const size of [large, medium, small]) {
    const kept = await (await reads(size)).metadata();
    expect([kept.exif, kept.icc, kept.xmp, kept.iptc, kept.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(size.includes(PHOTOGRAPHER)).toBe(false);
  }
});

test('turns the colors of other profiles into sRGB and drops the profile', async () => {
  const sharp = await loadSharp();
  const p3 = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
    .withIccProfile('p3')
    .png()
    .toBuffer();
  const { large } = await developImage(p3);
  expect((await sharp(large).metadata()).icc).toBeUndefined();
  const [red = 0, green = 255] = await sharp(large).raw().toBuffer();
  expect(red).toBeGreaterThan(245);
  expect(green).toBeLessThan(30);
});

test('accepts the color spaces of print and of scanners', async () => {
  const sharp = await loadSharp();
  const blue = sharp({ create: { width: 64, height: 64, channels: 3, background: '#2040c0' } });
  const print = await blue.clone().toColorspace('cmyk').jpeg().toBuffer();
  const scan = await blue.clone().greyscale().toColorspace('grey16').png().toBuffer();
  for (const bytes of [print, scan]) {
    expect(await sharp((await developImage(bytes)).large).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
  }
});

test('keeps the first frame of an animation', async () => {
  const sharp = await loadSharp();
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
  const animation = await sharp([await frame('#ff0000'), await frame('#0000ff')], { join: { animated: true } })
    .gif()
    .toBuffer();
  expect((await sharp(animation).metadata()).pages).toBe(2);
  const { large } = await developImage(animation);
  expect((await sharp(large).metadata()).pages ?? 1).toBe(1);
  const [red = 0, , blue = 255] = await sharp(large).removeAlpha().raw().toBuffer();
  expect(red).toBeGreaterThan(200);
  expect(blue).toBeLessThan(60);
});

test('gives the same bytes for the same bytes', async () => {
  const original = await photo();
  const [once, again] = [await developImage(original), await developImage(original)];
  expect(once.large.equals(again.large) && once.small.equals(again.small)).toBe(true);
});

test('computes the mean color, which is exact for a picture of one color', async () => {
  const sharp = await loadSharp();
  const plain = (background: string) =>
    sharp({ create: { width: 90, height: 60, channels: 3, background } })
      .png()
      .toBuffer();
  expect((await developImage(await plain('#0c2d48'))).tint).toBe('0c2d48');
  const left = await plain('#ff0000');
  const both = await sharp(await plain('#0000ff'))
    .composite([{ input: await sharp(left).resize(45, 60).toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
  const mean = (await developImage(both)).tint;
  for (const [at, value] of [0x80, 0, 0x80].entries())
    expect(Math.abs(parseInt(mean.slice(2 * at, 2 * at + 2), 16) - value)).toBeLessThanOrEqual(3);
  // A gray picture, with and without transparency.
  const grey = await sharp(await plain('#505050'))
    .toColorspace('b-w')
    .png()
    .toBuffer();
  expect((await developImage(grey)).tint).toBe('505050');
  const clear = sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } });
  expect((await developImage(await clear.png().toBuffer())).tint).toBe('808080');
});

test('keeps transparency', async () => {
  const sharp = await loadSharp();
  const clear = await sharp({
    create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  expect((await sharp((await developImage(clear)).large).metadata()).hasAlpha).toBe(true);
});

test('removes bytes hidden after the picture', async () => {
  const hidden = '<html><script>alert(document.cookie)</script></html>';
  const polyglot = Buffer.concat([await photo(), Buffer.from(hidden), Buffer.from('PK\x03\x04')]);
  const { large, small } = await developImage(polyglot);
  expect(large.includes('script') || small.includes('script')).toBe(false);
});

test('refuses files that are not pictures, whatever their name', async () => {
  await refuses(Buffer.from('I am a letter, renamed to holiday.jpg'), 'not-an-image');
  await refuses(SVG_WITH_SCRIPT, 'not-an-image');
  await refuses(Buffer.from('%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj'), 'not-an-image');
  await refuses(Buffer.from('II*\0\x08\0\0\0'.padEnd(64)), 'not-an-image');
  await refuses(Buffer.alloc(0), 'not-an-image');
});

test('refuses a markup file that begins like a picture', async () => {
  await refuses(
    Buffer.from(`GIF89a/*${'*'.repeat(40)}*/=1;alert(1)//<svg><script>alert(1)</script></svg>`),
    'image-broken',
  );
  await refuses(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), SVG_WITH_SCRIPT]), 'image-broken');
});

test('refuses a HEIC photo, which is not AVIF', () =>
  refuses(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'.padEnd(64), 'latin1'), 'image-is-heic'));

test.for(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('refuses a truncated %s', async (format) => {
  await refuses(half(await photo(format)), 'image-broken');
});

test('refuses a decompression bomb by its header, before decoding', async () => {
  const started = performance.now();
  await refuses(pngOf(30_000, 30_000, 4), 'image-too-many-pixels');
  await refuses(pngOf(12_001, 10, 10), 'image-too-many-pixels');
  await refuses(pngOf(8_000, 8_000, 4), 'image-too-many-pixels');
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('refuses a picture with less data than its header declares', () =>
  refuses(pngOf(5_000, 5_000, 10), 'image-broken'));

test('refuses more than 5 MB', () => refuses(Buffer.alloc(5 * 1024 * 1024 + 1, 0xff), 'image-too-large'));
