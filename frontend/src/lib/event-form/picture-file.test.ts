import { afterEach, expect, test, vi } from 'vitest';
import { fakeDrawing, pictureFile } from '../../testing/pictures.ts';
import { faultText, readPicture } from './picture-file.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const MB = 1024 * 1024;

test('a small picture stays unchanged', async () => {
  const drawn = fakeDrawing();
  const file = pictureFile('png');
  expect(await readPicture(file)).toBe(file);
  expect(drawn).toEqual([]);
});

test('a phone’s 8.5 MB photo is scaled down before its size is checked', async () => {
  const drawn = fakeDrawing({ width: 4_000, height: 3_000 });
  const read = await readPicture(pictureFile('jpeg', { size: 8.5 * MB, name: 'holiday.jpg' }));
  expect(read).toMatchObject({ name: 'holiday.jpg', type: 'image/jpeg', size: 1_000 });
  expect(drawn).toEqual(['1600×1200 image/jpeg']);
});

test('a large file with few pixels is encoded again', async () => {
  const drawn = fakeDrawing();
  expect(await readPicture(pictureFile('png', { size: 6 * MB }))).toMatchObject({ type: 'image/webp' });
  expect(drawn).toEqual(['800×600 image/webp']);
});

test('a tall strip is scaled to the media service’s maximum height', async () => {
  const drawn = fakeDrawing({ width: 1_000, height: 9_600 });
  await readPicture(pictureFile('jpeg', { size: 2 * MB }));
  expect(drawn).toEqual(['500×4800 image/jpeg']);
});

test('a picture that no format makes small enough is too large', async () => {
  const drawn = fakeDrawing({ width: 4_000, height: 3_000, writes: 6 * MB });
  expect(await readPicture(pictureFile('png', { size: 8 * MB }))).toBe('size');
  expect(drawn.map((one) => one.split(' ')[1])).toEqual(['image/webp', 'image/jpeg']);
  expect(await readPicture(pictureFile('png', { size: 51 * MB }))).toBe('size');
});

test('HEIC becomes JPEG if the browser can draw it, and is otherwise refused with the reason', async () => {
  fakeDrawing({ isAnyKind: true });
  expect(await readPicture(pictureFile('heic'))).toMatchObject({ type: 'image/jpeg' });
  // Windows derives a file's type from its extension and does not know HEIC, so the type is empty.
  const untyped = new File([pictureFile('heic')], 'IMG_0001.HEIC');
  expect(await readPicture(untyped)).toMatchObject({ type: 'image/jpeg' });
  fakeDrawing();
  expect(await readPicture(untyped)).toBe('heic');
  expect(faultText('heic').text).toBe('HEIC photos don’t work here. Save yours as JPG and select it again');
});

test.each([
  [
    'a letter that is named like a picture',
    new File(['Dear Ann, this is a letter'], 'a.jpg', { type: 'image/jpeg' }),
    'type',
  ],
  ['a document', new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' }), 'type'],
  ['an empty file', new File([], 'a.png', { type: 'image/png' }), 'type'],
])('%s is refused when it is chosen', async (_what, file, fault) => {
  fakeDrawing();
  expect(await readPicture(file)).toBe(fault);
});

test('a picture that cannot be decoded is damaged', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('no', 'InvalidStateError')));
  expect(await readPicture(pictureFile('png'))).toBe('damaged');
});
