import { expect, test } from 'vitest';
import { areas } from './areas.ts';
import { findPlace } from './find.ts';

const all = areas.flatMap(({ places }) => places);

test('there are 57 places to choose from', () => expect(new Set(all)).toHaveProperty('size', 57));

test.each(all)('%s is in the gazetteer', (label) => {
  const [name, state] = [label.split(', ')[0], label.slice(-2)];
  expect(findPlace(label)).toMatchObject({ match: 'name', place: { name, state } });
});
