import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventPublishedV1, EventUpdatedV1, type Event } from '@beltway/contracts/catalog/events';
import { rebuild } from '../src/rebuild.ts';
import { concert, startCatalog, type Catalog } from './catalog.ts';

const ann = { id: 1 };
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const { eventEndTime: _end, tags: _tags, ...required } = concert;
/** Each optional field, with a value for it. */
const VALUES = {
  eventLastDate: '2026-12-06',
  eventEndTime: '23:30',
  address: '815 V St NW',
  tags: ['#music'],
  imageUrl: 'https://example.test/poster.jpg',
  videoUrl: 'https://example.test/clip',
  hasTickets: false,
  freeEntry: true,
  ticketSalesEnabled: true,
  ticketPrice: 25,
  totalTickets: 100,
  ticketSalesStartTime: '2026-12-01T00:00:00Z',
  ticketSalesEndTime: '2026-12-04T00:00:00Z',
  repeat: { every: 'week', count: 2 },
};
const names = Object.keys(VALUES) as Array<keyof typeof VALUES>;

/** All variants of a body, in which each of these fields is absent, null, empty or has a value. */
const waysOf = (fields: ReadonlyArray<keyof typeof VALUES>) =>
  fc.tuple(...fields.map(() => fc.constantFrom('absent', 'null', 'empty', 'given'))).map((ways) =>
    Object.fromEntries(
      fields.flatMap((name, at) => {
        const way = ways[at]!;
        if (way === 'absent') return [];
        return [[name, way === 'given' ? VALUES[name] : way === 'null' ? null : '']];
      }),
    ),
  );
/** The same body without fields that are null or empty. */
const absentOf = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));

async function launch(body: object): Promise<Event> {
  const { status, body: event } = await catalog.call<Event>('POST', '/api/events', { as: ann, body });
  if (status !== 201) throw new Error(JSON.stringify(event));
  return event;
}
const told = async (id: number) => (await catalog.told()).filter(({ key }) => key === `event-${id}`);
/** The event, with fixed values instead of the values that only this event has. */
const sayingOf = (event: object) => ({
  ...event,
  ...{ id: 0, eventId: 0, createdAt: '', imageUrl: '', seriesId: 0, livestreamUrl: '' },
});

/** Details that the log always contains: null if the form had no value. */
const NULLABLE = ['eventEndTime', 'videoUrl', 'pictureUrl', 'priceCents', 'capacity', 'salesStart', 'salesEnd'];
/** The details that have a value in the last log event of this stream. */
async function storedFields(id: number): Promise<string[]> {
  const { rows } = await catalog.pool.query<{ data: { details: object } }>(
    'select data from events where stream = $1 order by version desc limit 1',
    [`event-${id}`],
  );
  return Object.keys(rows[0]!.data.details);
}

test('absent, null and empty text are the same in a new event, are stored as null, and every message fits', () =>
  fc.assert(
    fc.asyncProperty(waysOf(names), async (given) => {
      const [event, same] = [
        await launch({ ...required, ...given }),
        await launch({ ...required, ...absentOf(given) }),
      ];
      expect(sayingOf(event)).toEqual(sayingOf(same));
      for (const { id } of [event, same]) {
        const [published] = await told(id);
        const { data } = EventPublishedV1.parse(published);
        expect(Object.keys(data)).toEqual(expect.arrayContaining(['eventEndTime', 'salesStart', 'salesEnd']));
        expect(await storedFields(id)).toEqual(expect.arrayContaining(NULLABLE));
      }
    }),
    { numRuns: 25 },
  ));

test('a change removes null and empty fields, keeps absent ones, and its message is valid', () =>
  fc.assert(
    fc.asyncProperty(
      waysOf([
        'eventEndTime',
        'address',
        'imageUrl',
        'videoUrl',
        'freeEntry',
        'ticketPrice',
        'totalTickets',
        'ticketSalesEndTime',
      ]),
      async (changes) => {
        const { repeat: _none, ...all } = VALUES;
        const { id } = await launch({ ...required, ...all });
        const { status, body } = await catalog.call<Event>('PATCH', `/api/events/${id}`, { as: ann, body: changes });
        expect([status, body]).toMatchObject([200, {}]);
        const shown = await catalog.call<Event>('GET', `/api/events/${id}/managed`, { as: ann });
        const keeps = (name: string) => !(name in changes) || absentOf(changes)[name] !== undefined;
        expect(shown.body).toMatchObject({
          eventEndTime: keeps('eventEndTime') ? '23:30' : null,
          address: keeps('address') ? '815 V St NW' : null,
          videoUrl: keeps('videoUrl') ? all.videoUrl : null,
          freeEntry: keeps('freeEntry') ? true : null,
          ticketPrice: keeps('ticketPrice') ? '25.00' : null,
          totalTickets: keeps('totalTickets') ? 100 : null,
          ticketSalesEndTime: keeps('ticketSalesEndTime') ? '2026-12-04T00:00:00.000Z' : null,
        });
        const [, updated] = await told(id);
        if (updated) EventUpdatedV1.parse(updated);
        expect(await storedFields(id)).toEqual(expect.arrayContaining(NULLABLE));
      },
    ),
    { numRuns: 25 },
  ));

test('if an event has no optional fields, they are null after a change, another publication and a rebuild', async () => {
  const { id } = await launch(required);
  const change = await catalog.call('PATCH', `/api/events/${id}`, { as: ann, body: { title: 'Another name' } });
  expect(change.status).toBe(200);
  const { data } = EventUpdatedV1.parse((await told(id)).at(-1));
  expect(data).toMatchObject({ title: 'Another name', eventEndTime: null, salesStart: null, priceCents: null });
  await rebuild(catalog.databaseUrl);
  expect((await catalog.call<Event>('GET', `/api/events/${id}`)).body).toMatchObject({
    ...{ title: 'Another name', eventEndTime: null, videoUrl: null },
  });
});
