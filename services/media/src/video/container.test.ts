import { open, mkdtemp, rm, writeFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { photo } from '../image/testing.ts';
import { bytesOf, inspectVideo } from './container.ts';
import { takeOutMetadata } from './take-out-metadata.ts';
import { box, element, judged, mp4, webm } from './testing.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

test('MP4, MOV and WebM are recognized by their structure', async () => {
  expect(await judged(mp4())).toBe('mp4');
  expect(await judged(mp4({ brand: 'qt  ' }))).toBe('mov');
  expect(await judged(webm())).toBe('webm');
});

test.each<[string, Buffer]>([
  ['text', Buffer.from('This is no video at all, whatever its name says.')],
  ['nothing', Buffer.alloc(0)],
  ['a few bytes', Buffer.from('ftyp')],
  ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
  ['a zip', Buffer.from('504b0304140000000800', 'hex')],
  ['sound alone', mp4({ handler: 'soun' })],
  ['sound alone in WebM', webm({ trackType: 2 })],
  ['a picture in boxes', mp4({ brand: 'avif' })],
  ['Matroska, which browsers do not play', webm({ docType: 'matroska' })],
])('%s is not a video', async (_what, bytes) => {
  expect(await judged(bytes)).toBe('not-a-video');
});

test('a photo is not a video', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const)
    expect(await judged(await photo(format, 40, 30))).toBe('not-a-video');
});

test('a video that is truncated anywhere, or whose parts declare a wrong length, is refused', async () => {
  for (const whole of [mp4(), webm()]) {
    for (let length = 0; length < whole.length - 1; length += 7) {
      // A recorder's file has no end marker. Only its last part declares a length.
      expect(['not-a-video', 'video-broken']).toContain(await judged(whole.subarray(0, length)));
    }
  }
  const lies = mp4();
  const at = lies.indexOf('moov') - 4;
  for (const length of [0xffffffff, 7, 9, 2]) {
    lies.writeUInt32BE(length, at);
    expect(['not-a-video', 'video-broken']).toContain(await judged(lies));
  }
});

test('reads a bounded number of headers: endless boxes and loops are refused', async () => {
  const head = box('ftyp', Buffer.from('isom\0\0\0\0'));
  const empty = Buffer.concat(Array.from({ length: 30_000 }, () => box('free')));
  expect(await judged(Buffer.concat([head, empty]))).toBe('video-broken');
  const many = Buffer.concat(Array.from({ length: 30_000 }, () => element('ec')));
  expect(await judged(Buffer.concat([webm().subarray(0, 20), many]))).toBe('video-broken');
  const elsewhere = Buffer.concat([head, box('moov', box('rmra', Buffer.from('http://127.0.0.1/a.mov'))), box('mdat')]);
  expect(await judged(elsewhere)).toBe('video-broken');
});

test.each([
  ['MP4', mp4({ place: '+38.8895-077.0353/' })],
  ['WebM', webm({ tags: '+38.8895-077.0353/' })],
])('the place that a camera wrote into %s is removed, and all other bytes stay in place', async (_kind, bytes) => {
  const folder = await mkdtemp(join(tmpdir(), 'beltway-video-'));
  folders.push(folder);
  const path = join(folder, 'a');
  await writeFile(path, bytes);
  expect(bytes.includes('+38.8895')).toBe(true);
  const file = await open(path, 'r+');
  const found = await inspectVideo(bytesOf(file, bytes.length));
  await takeOutMetadata(file, found);
  await file.close();
  const left = await readFile(path);
  expect(left.length).toBe(bytes.length);
  expect(left.includes('38.88')).toBe(false);
  expect(await judged(left)).toBe(found.kind);
  const data = Buffer.alloc(100, 1);
  expect(left.indexOf(data)).toBe(bytes.indexOf(data));
});
