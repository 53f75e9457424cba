import { expect, test } from 'vitest';
import { photoUrl, storedSizes } from './pictures.ts';
import { posterUrl } from './poster.ts';

const event = {
  id: 42,
  title: 'Jazz',
  location: 'Wharf',
  eventDate: '2027-05-28T04:00:00.000Z',
  eventStartTime: '17:00',
  tags: [],
};

test('names both sizes of a photo', () =>
  expect(storedSizes(photoUrl('0af3'))).toEqual([
    { url: photoUrl('0af3', 'small'), width: 640 },
    { url: photoUrl('0af3', 'large'), width: 1600 },
  ]));
test('names both sizes of a poster', () =>
  expect(storedSizes(posterUrl(event))).toEqual([
    { url: posterUrl(event, 'small'), width: 640 },
    { url: posterUrl(event), width: 1280 },
  ]));
test('names both sizes of a poster without words', () =>
  expect(storedSizes(posterUrl(event, 'large', 'plain'))).toEqual([
    { url: posterUrl(event, 'small', 'plain'), width: 640 },
    { url: posterUrl(event, 'large', 'plain'), width: 1280 },
  ]));
test.each(['https://pictures.example/media/images/0a-large.webp', 'data:image/png;base64,aa', '/media/images/0a.webp'])(
  'knows nothing of %s',
  (url) => expect(storedSizes(url)).toBeNull(),
);
