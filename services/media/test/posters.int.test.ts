import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventPublishedV1, EventState } from '@beltway/contracts/catalog/events';
import { anEventState } from '@beltway/contracts/testing/events';
import { posterUrl } from '@beltway/contracts/media/images';
import { eventually } from '@beltway/kit/testing';
import { loadSharp } from '../src/workers/sharp.ts';
import { startMedia } from './service.ts';
import type { Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

let nextId = 100;
const event = (change: Partial<EventState> = {}) =>
  anEventState({
    eventId: nextId++,
    title: 'Jazz in the Garden',
    location: 'Sculpture Garden',
    eventDate: '2027-05-28T04:00:00.000Z',
    eventStartTime: '17:00',
    tags: ['#music', '#free'],
    ...change,
  });

async function tell(
  type: 'catalog.event-published' | 'catalog.event-updated',
  data: EventState,
  occurredAt = new Date().toISOString(),
) {
  const message = {
    id: randomUUID(),
    key: `event-${data.eventId}`,
    occurredAt,
    correlationId: randomUUID(),
    causationId: randomUUID(),
    type: type as 'catalog.event-published',
    version: 1,
    data,
  } satisfies EventPublishedV1;
  await media.bus.publish('catalog.events', [message]);
  return message;
}

const known = (data: EventState) =>
  eventually(
    async () => {
      const { rows } = await media.pool.query('select title from posters where event_id = $1', [data.eventId]);
      return rows[0]?.title === data.title;
    },
    { what: 'the event in the posters table' },
  );

test('draws the poster of a known event, in three sizes, and stores it', async () => {
  const sharp = await loadSharp();
  const show = event();
  await tell('catalog.event-published', show);
  await known(show);

  for (const [size, width, height] of [
    ['large', 1280, 800],
    ['medium', 960, 600],
    ['small', 640, 400],
  ] as const) {
    const response = await media.get(posterUrl(show, size));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('image/webp');
    const body = Buffer.from(await response.arrayBuffer());
    expect(await sharp(body).metadata()).toMatchObject({ format: 'webp', width, height });
    const again = await media.get(posterUrl(show, size), {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(Buffer.from(await (await media.get(posterUrl(show, size))).arrayBuffer()).equals(body)).toBe(true);
  }
});

test('also draws the poster without text, under another URL', async () => {
  const show = event();
  await tell('catalog.event-published', show);
  await known(show);
  const bodies = await Promise.all(
    (['titled', 'plain'] as const).map(async (look) => {
      const response = await media.get(posterUrl(show, 'small', look));
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    }),
  );
  expect(bodies[0]!.equals(bodies[1]!)).toBe(false);
  const old = await media.get(posterUrl({ ...show, title: 'Never drawn' }, 'small', 'plain'));
  expect(old.headers.get('location')).toBe(posterUrl(show, 'small', 'plain'));
});

test('waits a moment for the message about an event that is still unknown', async () => {
  const show = event({ title: 'Quicker than the bus' });
  const asked = media.get(posterUrl(show));
  await tell('catalog.event-published', show);
  expect((await asked).status).toBe(200);
});

test('returns an uncached 404 for an event that does not exist', async () => {
  const response = await media.get(posterUrl(event()));
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await response.json()).toMatchObject({ code: 'not-found' });
});

test.for([
  '/media/posters/1.webp',
  '/media/posters/0-0123456789abcd.webp',
  '/media/posters/99999999999-0123456789abcd.webp',
  '/media/posters/1-..%2f.webp',
])('returns 404 for %s', async (path) => expect((await media.get(path)).status).toBe(404));

test('after a change, draws the new URL; an old URL still works if it was drawn before, else it redirects', async () => {
  const before = event({ title: 'Early title' });
  await tell('catalog.event-published', before);
  await known(before);
  expect((await media.get(posterUrl(before))).status).toBe(200);

  const after = { ...before, title: 'Late title', version: 2 };
  await tell('catalog.event-updated', after);
  await known(after);
  expect((await media.get(posterUrl(after))).status).toBe(200);
  expect((await media.get(posterUrl(before))).status).toBe(200);

  const never = await media.get(posterUrl({ ...before, title: 'Never drawn' }, 'small'));
  expect([never.status, never.headers.get('location'), never.headers.get('cache-control')]).toEqual([
    302,
    posterUrl(after, 'small'),
    'no-store',
  ]);
});

test('a late message does not overwrite a newer one', async () => {
  const newer = event({ title: 'Newer', version: 2 });
  await tell('catalog.event-published', newer);
  await known(newer);
  await tell('catalog.event-updated', { ...newer, title: 'Older', version: 1 });
  const marker = event({ title: 'Marker' });
  // The same key, so that it is handled after the older message.
  await media.bus.publish('catalog.events', [
    {
      ...(await tell('catalog.event-updated', marker)),
      id: randomUUID(),
      key: `event-${newer.eventId}`,
      // This message is newer, whichever message is handled first.
      data: { ...marker, title: 'Marked', version: 2 },
    },
  ]);
  await known({ ...marker, title: 'Marked' });
  await known(newer);
});

test('uses the version of the event, not the sender’s clock', async () => {
  const newer = event({ title: 'Newer', version: 3 });
  await tell('catalog.event-updated', newer, '2026-11-21T11:00:00.000Z');
  await known(newer);
  // The message comes from an instance whose clock is ahead.
  const late = await tell(
    'catalog.event-updated',
    { ...newer, title: 'Older', version: 2 },
    '2026-11-21T12:00:00.000Z',
  );
  await eventually(
    async () =>
      (await media.pool.query(`select from inbox where message_id = $1 and group_name = 'media.posters'`, [late.id]))
        .rowCount === 1,
  );
  await known(newer);
});

test('draws one poster once for concurrent requests', async () => {
  const show = event({ title: 'Crowd' });
  await tell('catalog.event-published', show);
  await known(show);
  const before = media.made.posters;
  const answers = await Promise.all(Array.from({ length: 12 }, () => media.get(posterUrl(show, 'small'))));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(media.made.posters).toBe(before + 1);
});
