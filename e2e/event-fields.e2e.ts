import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import { endOf } from '@beltway/contracts/common/times';
import { queryOf, runScript } from './support/operations.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
const READERS = ['catalog', 'ticketing', 'payments', 'media', 'realtime', 'identity'];
/** Every stored copy of an event's title. */
const COPIES = [
  ...['catalog.listings', 'ticketing.listings', 'payments.promotable_events', 'identity.engagement_events'],
  ...[
    'media.posters',
    'media.gallery_events',
    'media.broadcast_terms',
    'realtime.chat_events',
    'realtime.noted_events',
  ],
];

const required = {
  title: 'Any fields',
  description: 'Three bands, one pocket.',
  location: 'Shaw, Washington, DC',
  eventDate: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  eventStartTime: '20:00',
  contactEmail: 'box@example.test',
};
const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom<T | null | ''>(null, '', ...values), { nil: undefined });
/** Two days after the event's first date. */
const lastDate = new Date(Date.now() + 9 * 86_400_000).toISOString();
const changeable = {
  eventLastDate: maybe(lastDate),
  eventEndTime: maybe('23:30', '02:00'),
  imageUrl: maybe('https://example.test/poster.jpg'),
  videoUrl: maybe('https://example.test/clip'),
  ticketSalesStartTime: maybe('2026-01-01T00:00:00Z'),
  ticketSalesEndTime: maybe('2099-01-01T00:00:00Z'),
};
const ofNew = fc.record({
  ...changeable,
  tags: maybe(['#liveDJ']),
  isSponsored: maybe(false),
  promotionLevel: maybe('none'),
});
const selling = { hasTickets: true, ticketSalesEnabled: true, ticketPrice: 25, totalTickets: 50 };

/** Rows about an event in every table of a service that stores the event's title. */
async function copiesIn(
  service: string,
  eventId: number,
): Promise<Array<{ table: string; row: Record<string, unknown> }>> {
  const query = await queryOf(here.beltway.dataDir);
  const tables = await query(
    service,
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('event_id', 'title') group by table_name having count(*) = 2`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await query(service, `select * from ${String(name)} where event_id = $1`, [eventId]);
      return rows.map((row) => ({ table: `${service}.${String(name)}`, row }));
    }),
  );
  return found.flat();
}

/** Resolves when each service shows the event as the catalog does. */
async function isKnownEverywhere(event: Event): Promise<void> {
  await expect
    .poll(async () => {
      const copies = (await Promise.all(READERS.map((service) => copiesIn(service, event.id)))).flat();
      const current = copies.filter(({ row }) => row['title'] === event.title);
      for (const { table, row } of current) {
        if ('event_end_time' in row) expect([table, row['event_end_time']]).toEqual([table, event.eventEndTime]);
        if ('event_last_date' in row) {
          const last = row['event_last_date'] as Date | string | null;
          expect([table, last && new Date(last).toISOString()]).toEqual([table, event.eventLastDate]);
        }
        if (row['ends_at'] instanceof Date) expect([table, row['ends_at']]).toEqual([table, endOf(event)]);
      }
      return current.map(({ table }) => table).sort();
    })
    .toEqual(expect.arrayContaining([...COPIES].sort()));
}

test('every service receives an event and its changes, whichever optional fields are missing, and the event is on sale', async () => {
  const organizer = await here.api.register('Ola Fakunle', 'business');
  let launched = 0;
  await fc.assert(
    fc.asyncProperty(ofNew, fc.record(changeable), fc.boolean(), async (fields, changes, isSelling) => {
      const title = `Any fields ${++launched}`;
      const event = await here.api.call<Event>(
        'POST',
        '/api/events',
        { ...required, ...fields, title, ...(isSelling && selling) },
        { token: organizer.token },
      );
      await isKnownEverywhere(event);
      if (isSelling) {
        await expect
          .poll(async () => (await here.api.ask('GET', `/api/events/${event.id}/availability`)).status)
          .toBe(200);
        expect(await here.api.hold(event.id)).toMatchObject({ eventId: event.id });
      }
      const changed = await here.api.call<Event>(
        'PATCH',
        `/api/events/${event.id}`,
        { ...changes, title: `${title}, changed` },
        { token: organizer.token },
      );
      await isKnownEverywhere(changed);
    }),
    { numRuns: 12 },
  );
  expect((await runScript('dead-letters.ts', [], here.beltway.dataDir)).output.trim()).toBe('No dead letters.');
});
