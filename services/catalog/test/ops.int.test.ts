import { afterAll, beforeAll, expect, test } from 'vitest';
import { TimelineOf } from '@beltway/contracts/ops/timelines';
import { startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const headers = { 'x-internal-token': 'x'.repeat(32) };
const ask = (id: unknown) => catalog.call('GET', `/internal/ops/events/${String(id)}/timeline`, { headers });
const timeline = async (id: number) => TimelineOf.parse((await ask(id)).body);
const change = (id: number, body: object) => catalog.call('PATCH', `/api/events/${id}`, { as: ann, body });

test("an event's history reads as sentences, without personal data", async () => {
  const { id } = await catalog.publish(ann, { ...withTickets, title: 'Zydeco Brunch' });
  await change(id, { ticketPrice: 30, title: 'Zydeco <b>Supper</b>' });
  // Buyers do not see these changes.
  await change(id, { tags: ['zydeco'] });
  await change(id, { contactEmail: 'ann.private@example.test' });
  await catalog.call('POST', `/api/events/${id}/postpone`, { as: ann });
  await change(id, { eventDate: '2026-12-12' });
  await catalog.call('POST', `/api/events/${id}/cancel`, { as: ann });
  const { known, steps, isCut } = await timeline(id);
  expect([known, isCut]).toEqual([true, false]);
  expect(steps.map(({ type, text }) => [type, text])).toEqual([
    ['EventPublished', expect.stringMatching(/^The event was published\. \d+ tickets at \$25\.00\.$/)],
    [
      'EventUpdated',
      expect.stringMatching(/^The event was changed: (title, price|price, title)\. \d+ tickets at \$30\.00\.$/),
    ],
    ['EventPostponed', 'The event was postponed: it has no date.'],
    ['EventRescheduled', expect.stringMatching(/^The event has a new date: 2026-12-12, start \d\d:\d\d\.$/)],
    ['EventCanceled', 'The event was canceled.'],
  ]);
  expect(JSON.stringify(steps)).not.toMatch(/@|Zydeco|<b>/);
});

test('a long history shows the newest changes, and states that there are more', async () => {
  const { id } = await catalog.publish(ann, withTickets);
  await catalog.pool.query(
    `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
     select stream, n, 'EventUpdated', json_build_object('ownerId', 1, 'details', data->'details', 'changed', '["title"]'::json), 'c', 'c', now()
     from events, generate_series(2, 260) n where stream = $1 and version = 1`,
    [`event-${id}`],
  );
  const { steps, isCut } = await timeline(id);
  expect([steps.length, isCut]).toEqual([200, true]);
  expect(new Set(steps.map(({ type }) => type))).toEqual(new Set(['EventUpdated']));
});

test('only our own services may call it, and only with valid event ids', async () => {
  const { id } = await catalog.publish(ann, withTickets);
  expect((await catalog.call('GET', `/internal/ops/events/${id}/timeline`)).status).toBe(403);
  expect((await catalog.call('GET', `/internal/ops/events/${id}/timeline`, { as: ann })).status).toBe(403);
  expect(await timeline(999_999)).toEqual({ known: false, steps: [], isCut: false });
  for (const wrong of ['x', '0', '-1', '1.5', '99999999999', "1'--"])
    expect((await ask(encodeURIComponent(wrong))).status, wrong).toBe(400);
});
