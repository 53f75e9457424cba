import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Message, Problem } from '@beltway/contracts/common/basics';
import { posterUrl } from '@beltway/contracts/media/images';
import { rebuild } from '../src/rebuild.ts';
import {
  INTERNAL_TOKEN,
  concert,
  embedded,
  startCatalog,
  withTickets,
  type Answer,
  type Catalog,
  type Person,
} from './catalog.ts';

const ann = { id: 1 };
const bob = { id: 2 };
const business = { id: 3, role: 'business' as const };
const admin = { id: 9, role: 'admin' as const };

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

type Refused = Event & Omit<Problem, 'status'>;
const publish = (as: Person, body: unknown, key?: string) =>
  catalog.call<Refused>('POST', '/api/events', { as, body, headers: key ? { 'idempotency-key': key } : {} });
const change = (id: number, body: unknown, as?: Person, headers: Record<string, string> = {}) =>
  catalog.call<Refused>('PATCH', `/api/events/${id}`, { ...(as && { as }), body, headers });
const cancel = (id: number, as?: Person, headers: Record<string, string> = {}) =>
  catalog.call<Refused>('POST', `/api/events/${id}/cancel`, { ...(as && { as }), headers });
const read = async (id: number) => (await catalog.call<Event>('GET', `/api/events/${id}`)).body;
const outcome = ({ status, body }: Answer<Refused>) => [status, body.code];
const toldOf = async (id: number) => (await catalog.told()).filter((message) => message.key === `event-${id}`);
const typesOf = (messages: Message[]) => messages.map(({ type }) => type);
const countOf = async (table: string) =>
  Number((await catalog.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe('who may', () => {
  test('change an event: its organizer and admins', async () => {
    const { id } = await catalog.publish(ann);
    expect((await change(id, { title: 'Mine' })).status).toBe(401);
    expect(outcome(await change(id, { title: 'Mine' }, bob))).toEqual([403, 'forbidden']);
    expect(outcome(await change(id, { title: 'Mine' }, business))).toEqual([403, 'forbidden']);
    expect((await read(id)).title).toBe(concert.title);
    expect((await change(id, { title: 'By its organizer' }, ann)).body.title).toBe('By its organizer');
    expect((await change(id, { title: 'By an admin' }, admin)).body.title).toBe('By an admin');
    expect((await read(id)).userId).toBe(ann.id);
  });

  test('cancel an event: its organizer and admins', async () => {
    const [first, second] = [await catalog.publish(ann), await catalog.publish(ann)];
    expect((await cancel(first.id)).status).toBe(401);
    expect(outcome(await cancel(first.id, bob))).toEqual([403, 'forbidden']);
    expect((await read(first.id)).status).toBe('published');
    expect((await cancel(first.id, ann)).body.status).toBe('canceled');
    expect((await cancel(second.id, admin)).body.status).toBe('canceled');
  });

  test('publish an event: any account', async () => {
    for (const person of [ann, business, admin]) expect((await publish(person, concert)).status).toBe(201);
  });
});

describe('changing', () => {
  test('changes the fields that were sent and no others', async () => {
    const before = await catalog.publish(ann, {
      ...withTickets,
      eventEndTime: '23:00',
      imageUrl: 'https://pictures.test/a.jpg',
    });
    const { status, body } = await change(before.id, { title: 'New', eventEndTime: '', ticketPrice: '30.50' }, ann);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, title: 'New', eventEndTime: null, ticketPrice: '30.50', version: 2 });
  });

  test.each([
    ['an empty title', { title: ' ' }, 'title'],
    ['a field nobody may set', { soldTickets: 0 }, 'soldTickets'],
    ['another organizer', { userId: 2 }, 'userId'],
    ['a promotion', { isSponsored: true }, 'isSponsored'],
    ['tickets without a price', { hasTickets: true }, 'ticketPrice'],
    ['tickets without a number', { hasTickets: true, ticketPrice: 5 }, 'totalTickets'],
  ])('refuses %s', async (_what, wrong, field) => {
    const { id } = await catalog.publish(ann);
    const { status, body } = await change(id, wrong, ann);
    expect(status).toBe(400);
    expect(body.errors?.map((error) => error.field)).toContain(field);
  });

  test('refuses an unknown event', async () => {
    for (const id of ['text', '-1', '2147483648', '2147483647']) {
      expect((await catalog.call('PATCH', `/api/events/${id}`, { as: ann, body: { title: 'x' } })).status).toBe(404);
      expect((await catalog.call('POST', `/api/events/${id}/cancel`, { as: ann })).status).toBe(404);
    }
  });

  test('refuses to change or cancel a canceled event', async () => {
    const { id } = await catalog.publish(ann);
    await cancel(id, ann);
    expect(outcome(await change(id, { title: 'x' }, ann))).toEqual([409, 'event-canceled']);
    expect(outcome(await cancel(id, ann))).toEqual([409, 'event-canceled']);
    expect(typesOf(await toldOf(id))).toEqual(['catalog.event-published', 'catalog.event-canceled']);
  });

  test('refuses a change that would overwrite changes that the caller has not seen', async () => {
    const { id } = await catalog.publish(ann);
    const seen = (await change(id, { title: 'First' }, ann)).headers.get('etag') ?? '';
    expect((await change(id, { title: 'Second' }, ann, { 'if-match': seen })).status).toBe(200);
    expect(outcome(await change(id, { title: 'Third' }, ann, { 'if-match': seen }))).toEqual([
      412,
      'changed-meanwhile',
    ]);
    expect(outcome(await cancel(id, ann, { 'if-match': '"something-else"' }))).toEqual([412, 'changed-meanwhile']);
    expect((await read(id)).title).toBe('Second');
  });

  test('changes the poster when the text on it changes', async () => {
    const before = await catalog.publish(ann);
    const { body } = await change(before.id, { title: 'New' }, ann);
    expect(body.imageUrl).toBe(posterUrl(body));
    expect(body.imageUrl).not.toBe(before.imageUrl);
    const own = await change(before.id, { imageUrl: 'https://pictures.test/a.jpg' }, ann);
    expect(own.body.imageUrl).toBe('https://pictures.test/a.jpg');
    const gone = await change(before.id, { imageUrl: null }, ann);
    expect(gone.body.imageUrl).toBe(posterUrl(gone.body));
  });
});

describe('the same request twice', () => {
  test('returns the same event, which is published once', async () => {
    const first = await publish(ann, concert, 'the-key-1');
    const second = await publish(ann, concert, 'the-key-1');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(typesOf(await toldOf(first.body.id))).toEqual(['catalog.event-published']);
  });

  test('returns the same event for concurrent requests, too', async () => {
    const before = await countOf('listings');
    const answers = await Promise.all(Array.from({ length: 12 }, () => publish(ann, concert, 'key-at-once')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await countOf('listings')).toBe(before + 1);
  });

  test('with another body is refused', async () => {
    const first = await publish(ann, concert, 'the-key-2');
    expect(outcome(await publish(ann, { ...concert, title: 'Else' }, 'the-key-2'))).toEqual([
      422,
      'idempotency-key-reused',
    ]);
    expect((await read(first.body.id)).title).toBe(concert.title);
  });

  test('from another user is a new request', async () => {
    const anns = await publish(ann, concert, 'the-key-3');
    const bobs = await publish(bob, { ...concert, title: "Bob's" }, 'the-key-3');
    expect(bobs.status).toBe(201);
    expect(bobs.body.id).not.toBe(anns.body.id);
  });

  test('without a key is a new request', async () => {
    expect((await publish(ann, concert)).body.id).not.toBe((await publish(ann, concert)).body.id);
  });

  test('changes and cancels once, and publishes each change once', async () => {
    const { id } = await catalog.publish(ann);
    const key = { 'idempotency-key': 'one-change' };
    for (let times = 0; times < 2; times++) expect((await change(id, { title: 'New' }, ann, key)).status).toBe(200);
    expect(outcome(await change(id, { title: 'Else' }, ann, key))).toEqual([422, 'idempotency-key-reused']);
    for (let times = 0; times < 2; times++) expect((await cancel(id, ann, key)).body.status).toBe('canceled');
    expect(typesOf(await toldOf(id))).toEqual([
      'catalog.event-published',
      'catalog.event-updated',
      'catalog.event-canceled',
    ]);
  });

  test.each(['', 'with space', 'ü', '7letter', 'x'.repeat(129)])('is refused with a bad key: "%s"', async (key) => {
    const { status, body } = await catalog.call<Problem>('POST', '/api/events', {
      as: ann,
      body: concert,
      headers: { 'idempotency-key': key },
    });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'Idempotency-Key']);
  });
});

describe('messages on the bus', () => {
  const golden = (name: string): Message =>
    JSON.parse(readFileSync(new URL(`../../../packages/contracts/golden/${name}.v1.json`, import.meta.url), 'utf8'));

  test('publishes each log event once, in order, as the contract defines', async () => {
    const { id } = await catalog.publish(ann, {
      ...withTickets,
      title: 'Go-Go at the Wharf',
      imageUrl: `/media/images/${'0a'.repeat(32)}-large.webp`,
      eventEndTime: '23:30',
      ticketPrice: 25.5,
      totalTickets: 300,
      ticketSalesStartTime: '2026-11-22T10:00:00-05:00',
      ticketSalesEndTime: '2026-12-06T00:00:00Z',
    });
    await change(id, { totalTickets: 350 }, ann);
    await cancel(id, ann);

    const messages = await toldOf(id);
    const names = ['catalog.event-published', 'catalog.event-updated', 'catalog.event-canceled'];
    const expected = names.map(golden).map((message, index) => {
      const { id: messageId, occurredAt, correlationId, causationId } = messages[index] as Message;
      const data = { ...(message.data as object), eventId: id, ownerId: ann.id };
      return { ...message, id: messageId, occurredAt, correlationId, causationId, key: `event-${id}`, data };
    });
    expect(messages).toEqual(expected);
    expect(new Set(messages.map((message) => message.id)).size).toBe(3);
  });

  test('links log events and messages to the request that caused them', async () => {
    const { body } = await catalog.call<Event>('POST', '/api/events', {
      as: ann,
      body: concert,
      headers: { 'x-request-id': 'request-4711' },
    });
    expect((await toldOf(body.id))[0]?.correlationId).toBe('request-4711');
  });
});

describe('stock', () => {
  const taken = async (id: number) => {
    const { soldTickets, heldTickets } = await read(id);
    return [soldTickets, heldTickets];
  };

  test('is the latest stock from ticketing, in any order and with any number of messages', async () => {
    const { id } = await catalog.publish(ann, withTickets);
    for (const [version, sold, held] of [
      [2, 1, 1],
      [5, 4, 2],
      [3, 2, 9],
      [5, 4, 2],
      [4, 3, 9],
    ] as const)
      await catalog.hear(id, { version, sold, held });
    await catalog.heard();
    expect(await taken(id)).toEqual([4, 2]);
    const { body } = await catalog.call<Event[]>('GET', '/api/events');
    expect(body.find((event) => event.id === id)).toMatchObject({ soldTickets: 4, heldTickets: 2 });
    const own = await catalog.call<Event[]>('GET', `/api/users/${ann.id}/events`, { as: ann });
    expect(own.body.find((event) => event.id === id)).toMatchObject({ soldTickets: 4, heldTickets: 2 });
  });

  test('may arrive before the event exists', async () => {
    const { rows } = await catalog.pool.query<{ last: string }>('select last_value as last from event_ids');
    const next = Number(rows[0]?.last) + 1;
    await catalog.hear(next, { version: 1, sold: 3, held: 0 });
    await catalog.heard();
    const event = await catalog.publish(ann, withTickets);
    expect([event.id, event.soldTickets]).toEqual([next, 3]);
  });

  test('limits how far the capacity can be reduced', async () => {
    const { id } = await catalog.publish(ann, withTickets);
    await catalog.hear(id, { version: 1, sold: 40, held: 2 });
    await catalog.heard();
    const { status, body } = await change(id, { totalTickets: 41 }, ann);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([409, 'capacity-below-taken', 'totalTickets']);
    expect(outcome(await change(id, { hasTickets: false }, ann))).toEqual([409, 'tickets-taken']);
    expect((await change(id, { totalTickets: 42 }, ann)).body.totalTickets).toBe(42);
  });
});

describe('pictures', () => {
  const picture = embedded(1_000);

  test('are stored by media, and the event contains their URLs', async () => {
    const { body } = await publish(ann, { ...concert, imageUrl: picture });
    expect(body.imageUrl).toBe(`/media/images/${picture.length}-large.webp`);
    expect(catalog.media.stored).toContain(picture);
  });

  test('of five megabytes are accepted, larger ones are refused', async () => {
    const most = await publish(ann, { ...concert, imageUrl: embedded(5 * 1024 * 1024) });
    expect(most).toMatchObject({ status: 201, body: { imageUrl: expect.stringMatching(/^\/media\/images\//) } });
    const more = await publish(ann, { ...concert, imageUrl: embedded(5.4 * 1024 * 1024) });
    expect([400, 413]).toContain(more.status);
  });

  test('that are URLs of other sites stay unchanged, and media is not called', async () => {
    const before = catalog.media.stored.length;
    const { body } = await publish(ann, { ...concert, imageUrl: 'https://pictures.test/a.jpg?x=1' });
    expect(body.imageUrl).toBe('https://pictures.test/a.jpg?x=1');
    expect(catalog.media.stored.length).toBe(before);
  });

  test('that are invalid are reported at the form’s field', async () => {
    catalog.media.mode = 'refuses';
    const { status, body } = await publish(ann, { ...concert, imageUrl: picture });
    catalog.media.mode = 'up';
    expect([status, body.code]).toEqual([400, 'not-an-image']);
    expect(body.errors).toMatchObject([
      { field: 'imageUrl', message: 'Please select an image file (JPG, PNG, GIF, etc.)', text: 'not-an-image' },
    ]);
  });

  test('wait for media: nothing is published while it is down, and the same key publishes once it is up', async () => {
    const [listed, logged] = [await countOf('listings'), await countOf('events')];
    catalog.media.mode = 'down';
    const down = await publish(ann, { ...concert, imageUrl: picture }, 'key-media');
    expect(outcome(down)).toEqual([503, 'unavailable']);
    expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([await countOf('listings'), await countOf('events')]).toEqual([listed, logged]);
    expect((await publish(ann, concert)).status).toBe(201);

    catalog.media.mode = 'up';
    const up = await publish(ann, { ...concert, imageUrl: picture }, 'key-media');
    const again = await publish(ann, { ...concert, imageUrl: picture }, 'key-media');
    expect([up.status, again.status, again.body.id]).toEqual([201, 201, up.body.id]);
    expect(catalog.media.stored.filter((stored) => stored === picture)).toHaveLength(2);
  });

  test('that media has stored are kept before the event refers to them, or refused if media has deleted them', async () => {
    const stored = (digit: string) => `/media/images/${digit.repeat(64)}-0a0b0c-large.webp`;
    const { id } = (await publish(ann, { ...concert, imageUrl: stored('1') })).body;
    await change(id, { imageUrl: stored('2') }, ann);
    expect(catalog.media.kept.slice(-2)).toEqual([stored('1'), stored('2')]);
    const asked = catalog.media.kept.length;

    catalog.media.mode = 'has-none';
    const logged = await countOf('events');
    for (const refused of [
      await publish(ann, { ...concert, imageUrl: stored('1') }),
      await change(id, { imageUrl: stored('1') }, ann),
    ]) {
      const message = 'This photo is gone. Select it again';
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ field: 'imageUrl', message, text: 'invalid.picture-gone' }],
      ]);
    }
    expect(await countOf('events')).toBe(logged);

    // The event already refers to its own picture, so other changes are saved while media is down.
    catalog.media.mode = 'down';
    expect(outcome(await change(id, { imageUrl: stored('3') }, ann))).toEqual([503, 'unavailable']);
    const own = await change(id, { imageUrl: stored('2'), title: 'With its picture' }, ann);
    catalog.media.mode = 'up';
    expect(own.body).toMatchObject({ imageUrl: stored('2'), title: 'With its picture' });
    expect(catalog.media.kept).toHaveLength(asked + 2);
  });

  test('are in use, in any size, by events (even canceled), by submitted and shown ads, and by unpublished series', async () => {
    const url = (number: number, size = 'large') =>
      `/media/images/${String(number).padStart(64, '0')}-0a0b0c-${size}.webp`;
    const ask = (urls: unknown, headers = { 'x-internal-token': INTERNAL_TOKEN }) =>
      catalog.call<{ named: string[] }>('POST', '/internal/pictures/named', { body: { urls }, headers });
    const { id } = (await publish(ann, { ...concert, imageUrl: url(1, 'small') })).body;
    const other = (await publish(ann, { ...concert, imageUrl: url(2) })).body;
    await cancel(other.id, ann);
    await catalog.pool.query(
      `insert into ads (ad_id, payment_id, package_id, slot, days, business_name, event_title, key_hash, submission,
         is_waiting, is_extended, bought_at, sent_image_url, shown_image_url)
       values (gen_random_uuid(), 'pi_named', 'basic', 'block', 7, 'B', 'E', 'h', 2, true, false, now(), $1, $2)`,
      [url(3), url(4)],
    );
    await catalog.pool.query(
      `insert into event_series (series_id, organizer_id, details, asked_at, published_at)
       values (900001, 1, $1, now(), null), (900002, 1, $2, now(), now())`,
      [JSON.stringify({ pictureUrl: url(5) }), JSON.stringify({ pictureUrl: url(6) })],
    );
    const sizes = [1, 2, 3, 4, 5, 6, 7].flatMap((number) =>
      ['large', 'medium', 'small'].map((size) => url(number, size)),
    );
    const named = async () => (await ask(sizes)).body.named.sort();
    expect(await named()).toEqual([url(1, 'small'), url(2), url(3), url(4), url(5)].sort());
    await change(id, { imageUrl: url(7) }, ann);
    expect(await named()).toEqual([url(2), url(3), url(4), url(5), url(7)].sort());
    await catalog.pool.query(`delete from ads where payment_id = 'pi_named'`);
    await catalog.pool.query('delete from event_series where series_id > 900000');

    expect((await ask(['/media/posters/1-00000000.webp', 'https://a.test/1.png'])).body.named).toEqual([]);
    expect((await ask(sizes, { 'x-internal-token': 'none' })).status).toBe(403);
    expect((await ask(Array.from({ length: 201 }, () => url(1)))).status).toBe(400);
  });

  test('are accepted from signed-in accounts only', async () => {
    // The response is 401 before the body is read, whatever its size and format.
    for (const body of [{ ...concert, imageUrl: 'x'.repeat(10_000_000) }, '{"title":']) {
      expect((await catalog.call('POST', '/api/events', { body })).status).toBe(401);
      expect((await catalog.call('PATCH', '/api/events/1', { body })).status).toBe(401);
    }
  });
});

test('a rebuild restores its listings exactly, and keeps the stock', async () => {
  const { id } = await catalog.publish(ann, {
    ...withTickets,
    location: `"Quoted", {odd}; it's`,
    tags: ['#a', '#Fête', '#音楽'],
    videoUrl: 'https://videos.test/1',
  });
  await change(id, { ticketPrice: 0.01, tags: [] }, ann);
  await cancel((await catalog.publish(bob)).id, bob);
  await catalog.hear(id, { version: 1, sold: 5, held: 0 });
  await catalog.heard();
  const before = await read(id);

  const { tables, events } = await rebuild(catalog.databaseUrl);
  expect(events).toBeGreaterThan(20);
  expect(tables.map(({ table }) => table)).toEqual([
    'listings',
    'promotions',
    'event_search',
    'canceled_search',
    'search_words',
    'ads',
  ]);
  for (const { before, after } of tables) expect(after).toBe(before);
  expect(await read(id)).toEqual(before);
  expect(before.soldTickets).toBe(5);

  // Checks that the digest detects a wrong row and that the rebuild repairs it.
  await catalog.pool.query(`update listings set title = 'wrong' where event_id = $1`, [id]);
  const [listings] = (await rebuild(catalog.databaseUrl)).tables;
  expect(listings?.after).not.toBe(listings?.before);
  expect(await read(id)).toEqual(before);
});

test('answers live and ready', async () => {
  expect((await catalog.call('GET', '/health/live')).status).toBe(200);
  expect((await catalog.call('GET', '/health/ready')).status).toBe(200);
});
