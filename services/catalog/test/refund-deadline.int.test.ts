import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { rebuild } from '../src/rebuild.ts';
import { concert, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

type Refused = Event & Omit<Problem, 'status'>;
const publish = (body: object) => catalog.call<Refused>('POST', '/api/events', { as: ann, body });
const change = (id: number, body: object) => catalog.call<Refused>('PATCH', `/api/events/${id}`, { as: ann, body });
const hoursOf = async (id: number) => (await catalog.call<Event>('GET', `/api/events/${id}`)).body.refundDeadlineHours;
const told = async (id: number) =>
  (await catalog.told())
    .filter(({ key }) => key === `event-${id}`)
    .map(({ data }) => (data as { refundDeadlineHours?: number | null }).refundDeadlineHours);

test('the organizer sets until when buyers may cancel, or excludes cancellations; the default is 24 hours', async () => {
  const selling = { ...concert, ...withTickets };
  const silent = (await publish(selling)).body.id;
  const never = (await publish({ ...selling, refundDeadlineHours: null })).body.id;
  const twoDays = (await publish({ ...selling, refundDeadlineHours: 48 })).body.id;
  for (const [id, hours] of [
    [silent, 24],
    [never, null],
    [twoDays, 48],
  ] as const)
    expect(await hoursOf(id)).toBe(hours);
  expect((await change(twoDays, { refundDeadlineHours: 0 })).body.refundDeadlineHours).toBe(0);
  expect((await change(twoDays, { title: 'Another name' })).body.refundDeadlineHours).toBe(0);
  expect((await change(twoDays, { refundDeadlineHours: 24 })).body.refundDeadlineHours).toBe(24);
  expect(await told(silent)).toEqual([24]);
  expect(await told(never)).toEqual([null]);
  expect(await told(twoDays)).toEqual([48, 0, 0, 24]);
});

test.each([-1, 1.5, 8_761, '24', Number.NaN])('%o hours are refused', async (refundDeadlineHours) => {
  const { status, body } = await publish({ ...concert, ...withTickets, refundDeadlineHours });
  // JSON encodes NaN as null, which here means that no refunds are given on request.
  if (Number.isNaN(refundDeadlineHours)) return expect([status, body.refundDeadlineHours]).toEqual([201, null]);
  expect([status, body.errors?.map(({ field }) => field)]).toEqual([400, ['refundDeadlineHours']]);
});

test('the log contains the default, and a rebuild keeps it', async () => {
  const { id } = (await publish({ ...concert, ...withTickets })).body;
  const { rows } = await catalog.pool.query<{ hours: number }>(
    `select (data->'details'->>'refundDeadlineHours')::int as hours from events where stream = $1`,
    [`event-${id}`],
  );
  expect(rows).toEqual([{ hours: 24 }]);
  await rebuild(catalog.databaseUrl);
  expect(await hoursOf(id)).toBe(24);
});
