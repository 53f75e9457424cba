import { expect, test } from 'vitest';
import { NIGHT, PAPER, posterGround, SHEETS } from './poster-ground.ts';

test('the background is the same for the same event, whether it has `id` or `eventId`', () =>
  expect(posterGround({ eventId: 42, tags: ['#music'] })).toBe(posterGround({ id: 42, tags: ['#music'] })));

test('the background is night, paper, or the color of the category’s Metro line', () => {
  const grounds = Array.from({ length: 200 }, (_, id) => posterGround({ id, tags: ['#music'] }));
  expect([...new Set(grounds)].sort()).toEqual([NIGHT, PAPER, SHEETS.red].sort());
});
