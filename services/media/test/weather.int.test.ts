import { Weather } from '@beltway/contracts/media/weather';
import { PLACES } from '@beltway/places/gazetteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMedia, type Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

const locationOf = async (query: string) => {
  const answer = await media.get(`/api/weather${query}`);
  expect(answer.status).toBe(200);
  return Weather.parse(await answer.json()).location;
};

test('GET /api/weather returns the weather of Washington, of a place, and of a position', async () => {
  expect(await locationOf('')).toBe('Washington, DC');
  expect(await locationOf('?near=bethesda-md')).toBe('Bethesda, MD');
  expect(await locationOf('?near=38.9843,-77.0944')).toBe('Bethesda, MD');
});

test('the weather of each place where an event can be is requested by tenths of a degree', async () => {
  const refused: string[] = [];
  const positions = new Map(PLACES.map(({ id, lat, lon }) => [`${lat.toFixed(1)},${lon.toFixed(1)}`, id]));
  for (const [near, id] of positions)
    if ((await media.get(`/api/weather?near=${near}`)).status !== 200) refused.push(id);
  expect(refused).toEqual([]);
});

test('the response is public, cached briefly, and has a cache tag', async () => {
  const { headers } = await media.get('/api/weather');
  expect(headers.get('cache-control')).toBe('public, max-age=60');
  expect(headers.get('cache-tag')).toBe('weather');
});

test.each([
  ['no position', '1e9'],
  ['a place that there is not', 'atlantis'],
  ['another part of the world', '48.85,2.35'],
  ['a long text', '1'.repeat(10_000)],
])('the 400 for %s names the field `near`', async (_name, near) => {
  const answer = await media.get(`/api/weather?near=${near}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ field: 'near' }] });
});
