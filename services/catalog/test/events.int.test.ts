import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Event, EventList, type Event as EventAnswer } from '@beltway/contracts/catalog/events';
import { posterUrl } from '@beltway/contracts/media/images';
import type { Problem } from '@beltway/contracts/common/basics';
import { concert, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
const bob = { id: 2 };
const admin = { id: 9, role: 'admin' as const };

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const get = <Body = EventAnswer>(path: string, as?: typeof ann) => catalog.call<Body>('GET', path, as && { as });

describe('publishing', () => {
  test('returns the event as its contract defines it', async () => {
    const { status, headers, body } = await catalog.call<EventAnswer>('POST', '/api/events', {
      as: ann,
      body: { ...concert, ...withTickets, isSponsored: false, promotionLevel: 'none', imageUrl: '' },
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/events/${body.id}`);
    expect(Event.strict().parse(body)).toMatchObject({
      title: 'Go-Go at the Wharf',
      ticketPrice: '25.00',
      totalTickets: 100,
      soldTickets: 0,
      heldTickets: 0,
      stockVersion: 0,
      eventEndTime: null,
      contactEmail: 'booking@example.test',
      status: 'published',
      userId: 1,
      promotionLevel: 'none',
      livestreamStatus: 'scheduled',
    });
    expect(body.imageUrl).toBe(posterUrl(body));
    const read = await get(`/api/events/${body.id}`);
    expect(read.body).toEqual({ ...body, contactEmail: null });
  });

  test.each([
    ['a title that is missing', { title: undefined }, 'title'],
    ['a title of spaces', { title: '   ' }, 'title'],
    ['a title that is a number', { title: 7 }, 'title'],
    ['a title too long', { title: 'x'.repeat(201) }, 'title'],
    ['a date that is none', { eventDate: 'tomorrow' }, 'eventDate'],
    ['a date out of all reason', { eventDate: '0000-01-01' }, 'eventDate'],
    ['a date that is past', { eventDate: '2026-11-30' }, 'eventDate'],
    ['a start earlier today', { eventDate: '2026-12-01', eventStartTime: '06:59' }, 'eventStartTime'],
    ['a time that is none', { eventStartTime: '25:00' }, 'eventStartTime'],
    ['no address to write to', { contactEmail: 'nobody' }, 'contactEmail'],
    ['tags that are no list', { tags: '#free' }, 'tags'],
    ['a tag of two words', { tags: ['#free', 'two words'] }, 'tags.1'],
    ['a tag with more than letters and digits', { tags: ['#words!'] }, 'tags.0'],
    ['a price that is no number', { ...withTickets, ticketPrice: 'abc' }, 'ticketPrice'],
    ['a price of half a cent', { ...withTickets, ticketPrice: 12.345 }, 'ticketPrice'],
    ['a price of half a cent as text', { ...withTickets, ticketPrice: '12.345' }, 'ticketPrice'],
    ['a price below the least cent', { ...withTickets, ticketPrice: 1e-7 }, 'ticketPrice'],
    ['a price of nothing', { ...withTickets, ticketPrice: 0 }, 'ticketPrice'],
    ['tickets without a price', { ...withTickets, ticketPrice: undefined }, 'ticketPrice'],
    ['tickets without a number', { ...withTickets, totalTickets: undefined }, 'totalTickets'],
    ['half a ticket', { ...withTickets, totalTickets: 1.5 }, 'totalTickets'],
    [
      'sales that end before they start',
      { ...withTickets, ticketSalesStartTime: '2026-12-02T00:00:00Z', ticketSalesEndTime: '2026-12-01T00:00:00Z' },
      'ticketSalesEndTime',
    ],
    ['a promotion that was not bought', { isSponsored: true }, 'isSponsored'],
    ['a promotion level that was not bought', { promotionLevel: 'premium' }, 'promotionLevel'],
    ['a picture that is none', { imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
    ['a picture elsewhere on this machine', { imageUrl: '/media/../../etc/passwd' }, 'imageUrl'],
    ['a picture that media does not serve', { imageUrl: '/media/images/a.webp' }, 'imageUrl'],
    ['a picture that is not encrypted', { imageUrl: 'http://pictures.test/a.jpg' }, 'imageUrl'],
    ['a picture with a password', { imageUrl: 'https://a:b@pictures.test/a.jpg' }, 'imageUrl'],
    ['a picture with spaces', { imageUrl: 'https://pictures.test/a b.jpg' }, 'imageUrl'],
    ['a picture whose address reads otherwise', { imageUrl: 'https://pictures.test/\u202egpj.exe' }, 'imageUrl'],
    ['a document as a picture', { imageUrl: 'data:text/html;base64,PGI+' }, 'imageUrl'],
    ['a picture that is no base64', { imageUrl: 'data:image/png;base64,<script>' }, 'imageUrl'],
    ['a video whose address reads otherwise', { videoUrl: 'https://videos.test/\u202e4pm' }, 'videoUrl'],
    ['a title of nothing to see', { title: '\u200b' }, 'title'],
    ['half a character', { title: 'a\ud800' }, 'title'],
    ['a title of piled-up marks', { title: `Z${'\u0335\u0316'.repeat(20)}` }, 'title'],
    ['a place of nothing to see', { location: '\u3164' }, 'location'],
    ['a tag of nothing to see', { tags: ['#free', '\u200d'] }, 'tags.1'],
    ['a video that is none', { videoUrl: 'javascript:alert(1)' }, 'videoUrl'],
  ])('refuses %s, and names the field', async (_what, wrong, field) => {
    const { status, body } = await catalog.call<Problem>('POST', '/api/events', {
      as: ann,
      body: { ...concert, ...wrong },
    });
    expect(status).toBe(400);
    expect(body.errors?.map((error) => error.field)).toContain(field);
  });

  test('removes invisible characters, and writes titles and places on one line', async () => {
    const event = await catalog.publish(ann, {
      title: 'Free \u202etickets\u200b\nto\u001b see',
      location: 'The Wharf\r\nDC',
      description: 'a\0b\u2066c',
    });
    expect(event).toMatchObject({ title: 'Free tickets to see', location: 'The Wharf DC', description: 'abc' });
  });

  test('normalizes texts: composed, trimmed, with plain line breaks', async () => {
    const event = await catalog.publish(ann, { title: ' Cafe\u0301 ', description: 'One\r\nTwo\n', tags: ['#שלום'] });
    expect(event).toMatchObject({ title: 'Caf\u00e9', description: 'One\nTwo', tags: ['#שלום'] });
  });

  test('accepts price and number as text too', async () => {
    const event = await catalog.publish(ann, { ...withTickets, ticketPrice: '19.5', totalTickets: '30' });
    expect(event).toMatchObject({ ticketPrice: '19.50', totalTickets: 30 });
  });

  test('a date with an offset means the day in New York at that instant', async () => {
    for (const eventDate of ['2026-12-05T19:00-05:00', '2026-12-06T01:00:00+01:00', '2026-12-05', '2026-12-05T00:00Z'])
      expect((await catalog.publish(ann, { eventDate })).eventDate, eventDate).toBe('2026-12-05T05:00:00.000Z');
  });

  test('a repeated request to publish an event gets the same response even after the start', async () => {
    const headers = { 'idempotency-key': 'a-retry-after-its-start' };
    const publish = () => catalog.call<EventAnswer>('POST', '/api/events', { as: ann, body: concert, headers });
    const first = await publish();
    const { now } = catalog.time;
    catalog.time.now = new Date('2026-12-24T12:00:00Z');
    const again = await publish();
    catalog.time.now = now;
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  });

  test('refuses guests', async () => {
    const { status, body } = await catalog.call<Problem>('POST', '/api/events', { body: concert });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  test('refuses malformed, deep and huge bodies', async () => {
    const malformed = await catalog.call<Problem>('POST', '/api/events', { as: ann, body: '{"title":' });
    expect([malformed.status, malformed.body.code]).toEqual([400, 'malformed-json']);
    const deep = await catalog.call<Problem>('POST', '/api/events', {
      as: ann,
      body: '[{"a":'.repeat(2_000) + '1' + '}]'.repeat(2_000),
    });
    expect([deep.status, deep.body.code]).toEqual([400, 'too-deep']);
    const huge = await catalog.call<Problem>('POST', '/api/events', {
      as: ann,
      body: { ...concert, imageUrl: 'x'.repeat(10_000_000) },
    });
    expect([huge.status, huge.body.code]).toEqual([413, 'too-large']);
  });
});

describe('reading', () => {
  test.each(['text', '-1', '0', '1.5', '2147483648', '99999999999999999999', '2147483647', '1%00'])(
    'returns 404 for the event %s',
    async (id) => {
      const { status, headers } = await get(`/api/events/${id}`);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toContain('application/problem+json');
    },
  );

  test('marks public responses as cacheable, and personal responses as private', async () => {
    const { id } = await catalog.publish(ann);
    for (const [path, tag] of [
      ['/api/events', 'events'],
      ['/api/events/featured', 'events'],
      ['/api/events/all', 'events'],
      [`/api/events/${id}`, `event-${id}`],
    ] as const) {
      const { headers } = await get(path, bob);
      expect([headers.get('cache-control'), headers.get('cache-tag')]).toEqual(['public, max-age=1', tag]);
    }
    for (const path of [`/api/events/${id}/managed`, `/api/users/${ann.id}/events`]) {
      const { headers } = await get(path, ann);
      expect([headers.get('cache-control'), headers.get('cache-tag')]).toEqual(['private, no-store', null]);
    }
  });

  test('public reads return the same bytes to every caller', async () => {
    const { id } = await catalog.publish(ann);
    for (const path of ['/api/events', '/api/events/featured', '/api/events/all', `/api/events/${id}`]) {
      const answers = await Promise.all([undefined, bob, ann, admin].map((as) => get(path, as)));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(JSON.stringify(answers[0]!.body)).not.toContain('booking@example.test');
    }
  });

  test('shows the contact address and the version to the organizer and admins only', async () => {
    const { id } = await catalog.publish(ann);
    const managed = (as?: typeof ann) => get(`/api/events/${id}/managed`, as);
    expect((await managed()).status).toBe(401);
    expect((await managed(bob)).status).toBe(403);
    expect((await get('/api/events/2147483647/managed', ann)).status).toBe(404);
    for (const as of [ann, admin]) {
      const { body, headers } = await managed(as);
      expect([body.contactEmail, headers.get('etag')]).toEqual(['booking@example.test', '"1"']);
    }
  });

  test('the response to a write has the cache tags that the gateway purges', async () => {
    const { body, headers } = await catalog.call<EventAnswer>('POST', '/api/events', { as: ann, body: concert });
    expect(headers.get('cache-tag')).toBe(`events, event-${body.id}`);
    const changed = await catalog.call('PATCH', `/api/events/${body.id}`, { as: ann, body: { title: 'Other' } });
    const canceled = await catalog.call('POST', `/api/events/${body.id}/cancel`, { as: ann });
    for (const answer of [changed, canceled]) expect(answer.headers.get('cache-tag')).toBe(`events, event-${body.id}`);
  });

  test('treats an invalid token as signed out', async () => {
    const { id } = await catalog.publish(ann);
    const { status, body } = await catalog.call<EventAnswer>('GET', `/api/events/${id}`, {
      headers: { authorization: 'Bearer a.b.c' },
    });
    expect([status, body.contactEmail]).toEqual([200, null]);
  });

  test('lists current events soonest first, then past events, and no canceled events', async () => {
    const { now } = catalog.time;
    catalog.time.now = new Date('2026-09-01T12:00:00Z');
    const at = (eventDate: string) => catalog.publish(bob, { eventDate, tags: ['#order'] });
    const later = await at('2026-12-20');
    const over = await at('2026-11-20');
    const soon = await at('2026-12-02');
    const longOver = await at('2026-10-01');
    const tonight = await at('2026-11-30T19:00:00-05:00');
    const gone = await at('2026-12-03');
    await catalog.call('POST', `/api/events/${gone.id}/cancel`, { as: bob });

    // An event on November 30 counts as current for 30 hours, until 6 AM on December 1.
    catalog.time.now = new Date('2026-12-01T10:59:59Z');
    const { body } = await get<EventAnswer[]>('/api/events');
    catalog.time.now = now;
    const order = EventList.parse(body).filter((event) => event.tags.includes('#order'));
    expect(order.map((event) => event.id)).toEqual([tonight, soon, later, over, longOver].map((event) => event.id));
    const all = await get<EventAnswer[]>('/api/events/all');
    expect(all.body.map((event) => event.id)).not.toContain(gone.id);
    expect((await get(`/api/events/${gone.id}`)).body.status).toBe('canceled');
  });

  test('returns no featured event without a promotion', async () => {
    const { id } = await catalog.publish(ann);
    expect((await get<EventAnswer[]>('/api/events/featured')).body).toEqual([]);
    await catalog.pool.query(
      `insert into promotions (event_id, level, ends_at) values ($1, 'featured', '2026-12-01T13:00:00Z')`,
      [id],
    );
    expect((await get<EventAnswer[]>('/api/events/featured')).body.map((event) => event.id)).toEqual([id]);
    await catalog.pool.query(`update promotions set ends_at = '2026-12-01T11:00:00Z' where event_id = $1`, [id]);
    expect((await get<EventAnswer[]>('/api/events/featured')).body).toEqual([]);
  });

  test("lists a user's own events, newest first, for the user and admins only", async () => {
    const carl = { id: 31 };
    const first = await catalog.publish(carl);
    const second = await catalog.publish(carl);
    await catalog.call('POST', `/api/events/${first.id}/cancel`, { as: carl });
    const path = `/api/users/${carl.id}/events`;
    for (const as of [carl, admin]) {
      const { body } = await get<EventAnswer[]>(path, as);
      expect(EventList.parse(body).map(({ id, status }) => [id, status])).toEqual([
        [second.id, 'published'],
        [first.id, 'canceled'],
      ]);
      expect(body[0]?.contactEmail).toBe('booking@example.test');
    }
    expect((await get(path, bob)).status).toBe(403);
    expect((await get(path)).status).toBe(401);
    expect((await get('/api/users/text/events', bob)).status).toBe(404);
  });
});
