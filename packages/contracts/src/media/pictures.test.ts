import { expect, test } from 'vitest';
import { photoUrl, storedSizes, tintOf } from './pictures.ts';
import { posterUrl } from './poster.ts';

const event = {
  id: 42,
  title: 'Jazz',
  location: 'Wharf',
  eventDate: '2027-05-28T04:00:00.000Z',
  eventStartTime: '17:00',
  tags: [],
};

test('a photo has all its sizes', () =>
  expect(storedSizes(photoUrl('0af3-c0ffee'))).toEqual([
    { url: photoUrl('0af3-c0ffee', 'small'), width: 640 },
    { url: photoUrl('0af3-c0ffee', 'medium'), width: 960 },
    { url: photoUrl('0af3-c0ffee', 'large'), width: 1600 },
  ]));
test('a poster has all its sizes', () =>
  expect(storedSizes(posterUrl(event))).toEqual([
    { url: posterUrl(event, 'small'), width: 640 },
    { url: posterUrl(event, 'medium'), width: 960 },
    { url: posterUrl(event), width: 1280 },
  ]));
test('a poster without words has all its sizes', () =>
  expect(storedSizes(posterUrl(event, 'large', 'plain'))).toEqual([
    { url: posterUrl(event, 'small', 'plain'), width: 640 },
    { url: posterUrl(event, 'medium', 'plain'), width: 960 },
    { url: posterUrl(event, 'large', 'plain'), width: 1280 },
  ]));
test('the URL of a smaller size has no further sizes', () =>
  expect([storedSizes(posterUrl(event, 'medium')), storedSizes(photoUrl('0af3-c0ffee', 'small'))]).toEqual([
    null,
    null,
  ]));
test.each(['https://pictures.example/media/images/0a-large.webp', 'data:image/png;base64,aa', '/media/images/0a.webp'])(
  '%s has no known sizes',
  (url) => expect(storedSizes(url)).toBeNull(),
);

test('reads the tint only from the URL of a stored photo', () => {
  expect(tintOf(photoUrl('0af3-c0ffee'))).toBe('#c0ffee');
  const others = [photoUrl('0af3'), posterUrl(event), 'https://a.example/media/images/0a-c0ffee-large.webp', null];
  expect(others.map(tintOf)).toEqual([null, null, null, null]);
});
