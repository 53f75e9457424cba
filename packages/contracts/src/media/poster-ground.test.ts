import { expect, test } from 'vitest';
import { NIGHT, PAPER, posterGround, SHEETS } from './poster-ground.ts';

test('is the same for the same event, under either name of its id', () =>
  expect(posterGround({ eventId: 42, tags: ['#music'] })).toBe(posterGround({ id: 42, tags: ['#music'] })));

test('is night, paper, or the color of the category’s line', () => {
  const grounds = Array.from({ length: 200 }, (_, id) => posterGround({ id, tags: ['#music'] }));
  expect([...new Set(grounds)].sort()).toEqual([NIGHT, PAPER, SHEETS.red].sort());
});
