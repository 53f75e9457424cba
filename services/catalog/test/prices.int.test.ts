import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownPrices } from '@beltway/contracts/ops/invariants';
import { startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const internal = { headers: { 'x-internal-token': 'x'.repeat(32) } };
const contactOf = (id: number, headers: Record<string, string> = internal.headers) =>
  catalog.call<{ email: string | null }>('GET', `/internal/events/${id}/contact`, { headers });
const prices = async (query = '') =>
  (await catalog.call<ShownPrices>('GET', `/internal/prices${query}`, internal)).body;
const soon = { eventDate: new Date(Date.now() + 30 * 86_400_000).toISOString() };
const publish = async (more: object) => (await catalog.publish(ann, { ...soon, ...more })).id;
const aMinuteOld = () => catalog.pool.query(`update events set occurred_at = now() - interval '61 seconds'`);

test('returns prices of events with tickets in parts, after ticketing must have received the prices', async () => {
  const first = await publish(withTickets);
  await publish({});
  await publish({ ...withTickets, ticketSalesEnabled: false });
  const second = await publish({ ...withTickets, ticketPrice: 40 });
  const canceled = await publish(withTickets);
  await catalog.call('POST', `/api/events/${canceled}/cancel`, { as: ann });
  expect(await prices()).toEqual({ prices: [], next: null });
  await aMinuteOld();
  const shown = [
    { eventId: first, priceCents: 2500 },
    { eventId: second, priceCents: 4000 },
  ];
  expect(await prices()).toEqual({ prices: shown, next: null });
  expect(await prices('?limit=1')).toEqual({ prices: [shown[0]], next: first });
  expect(await prices(`?limit=1&after=${first}`)).toEqual({ prices: [shown[1]], next: second });
  expect(await prices(`?limit=1&after=${second}`)).toEqual({ prices: [], next: null });

  await catalog.call('PATCH', `/api/events/${first}`, { as: ann, body: { ticketPrice: 30 } });
  expect(await prices()).toEqual({ prices: [shown[1]], next: null });
  await aMinuteOld();
  expect((await prices()).prices[0]).toEqual({ eventId: first, priceCents: 3000 });
});

test('only our own services may call it', async () => {
  expect((await catalog.call('GET', '/internal/prices')).status).toBe(403);
});

test('only our own services read the email address at which an organizer receives buyers’ messages', async () => {
  const id = await publish({ contactEmail: 'box-office@example.test' });
  expect((await contactOf(id)).body).toEqual({ email: 'box-office@example.test' });
  expect((await contactOf(id, {})).status).toBe(403);
  expect((await contactOf(999_999)).body).toEqual({ email: null });
});
