import { PNG } from 'pngjs';
import { toBuffer } from 'qrcode';
import { expect, test } from 'vitest';
import { qrPng } from './documents.ts';

test('the picture of a code is the one that qrcode draws, in a smaller file', async () => {
  const text = `BW1.0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10.42.ABCD-EFGH-JKMN.${'xY9-_'.repeat(17)}`;
  const ours = await qrPng(text);
  const theirs = await toBuffer(text, { errorCorrectionLevel: 'M', margin: 2, scale: 6 });
  const [a, b] = [PNG.sync.read(ours), PNG.sync.read(theirs)];
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  expect(a.data.equals(b.data)).toBe(true);
  expect(ours.length).toBeLessThan(theirs.length);
});
