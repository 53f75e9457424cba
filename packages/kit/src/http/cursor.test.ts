import { expect, test } from 'vitest';
import { z } from 'zod';
import { cursorOf, Micros, PlainText, readCursor } from './cursor.ts';

const Place = z.tuple([Micros, z.uuid(), PlainText]);
const ID = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';

test('a cursor survives a round trip', () => {
  const place = ['1700000000123456', ID, 'pi_3ann'];
  expect(readCursor(cursorOf(place), Place)).toEqual(place);
});

test.each([
  '',
  'x',
  'not base64 at all!',
  Buffer.from('{').toString('base64url'),
  cursorOf([]),
  cursorOf(['2026-19-39 29:00:00+00', ID, 'x']),
  cursorOf(['1'.repeat(18), ID, 'x']),
  cursorOf(['1', 'no-id', 'x']),
  cursorOf(['1', ID, 'nul \0']),
  cursorOf(['1', ID, 'x'.repeat(301)]),
  cursorOf(['1', ID, 'x', 'more']),
])('%j is refused as a cursor, with its parameter named', (text) => {
  expect(() => readCursor(text, Place, ['after', 'next'])).toThrow(
    expect.objectContaining({
      status: 400,
      code: 'bad-cursor',
      message: '`after` must be the `next` of a page.',
      text: 'bad-cursor',
      params: { parameter: 'after', field: 'next' },
      errors: [
        {
          ...{ field: 'after', message: 'must be the `next` of a page' },
          ...{ text: 'invalid.cursor-of-page', params: { field: 'next' } },
        },
      ],
    }),
  );
});
