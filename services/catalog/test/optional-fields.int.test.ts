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
/** Each field that may be left out, with a value for it. */
const VALUES = {
  eventEndTime: '23:30',
  tags: ['#music'],
  imageUrl: 'https://example.test/poster.jpg',
  videoUrl: 'https://example.test/clip',
  hasTickets: false,
  ticketSalesEnabled: true,
  ticketPrice: 25,
  totalTickets: 100,
  ticketSalesStartTime: '2026-12-01T00:00:00Z',
  ticketSalesEndTime: '2026-12-04T00:00:00Z',
  repeat: { every: 'week', count: 2 },
};
const names = Object.keys(VALUES) as Array<keyof typeof VALUES>;

/** Absent, null, empty text or a value, for each of these fields. */
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
/** The same without a field that is null or empty. */
const absentOf = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));

async function launch(body: object): Promise<Event> {
  const { status, body: event } = await catalog.call<Event>('POST', '/api/events', { as: ann, body });
  if (status !== 201) throw new Error(JSON.stringify(event));
  return event;
}
const told = async (id: number) => (await catalog.told()).filter(({ key }) => key === `event-${id}`);
/** An event without what no two events share. */
const sayingOf = (event: object) => ({
  ...event,
  ...{ id: 0, eventId: 0, createdAt: '', imageUrl: '', seriesId: 0, livestreamUrl: '' },
});

/** Details that are null where nothing was given. The log has a value for each. */
const NULLABLE = ['eventEndTime', 'videoUrl', 'pictureUrl', 'priceCents', 'capacity', 'salesStart', 'salesEnd'];
/** The details that the last event of this stream has a value for. */
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

test('a change takes away what is null or empty, keeps what is absent, and its message fits', () =>
  fc.assert(
    fc.asyncProperty(
      waysOf(['eventEndTime', 'imageUrl', 'videoUrl', 'ticketPrice', 'totalTickets', 'ticketSalesEndTime']),
      async (changes) => {
        const { repeat: _none, ...all } = VALUES;
        const { id } = await launch({ ...required, ...all });
        const { status, body } = await catalog.call<Event>('PATCH', `/api/events/${id}`, { as: ann, body: changes });
        expect([status, body]).toMatchObject([200, {}]);
        const shown = await catalog.call<Event>('GET', `/api/events/${id}/managed`, { as: ann });
        const keeps = (name: string) => !(name in changes) || absentOf(changes)[name] !== undefined;
        expect(shown.body).toMatchObject({
          eventEndTime: keeps('eventEndTime') ? '23:30' : null,
          videoUrl: keeps('videoUrl') ? all.videoUrl : null,
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

test('an event without optional fields has them as null when it is changed, published again and rebuilt', async () => {
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
