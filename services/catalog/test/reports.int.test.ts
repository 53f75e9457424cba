import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewedAd } from '@beltway/contracts/catalog/served-ads';
import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import type { ReportedContent } from '@beltway/contracts/identity/moderation';
import { INTERNAL_TOKEN, startCatalog, withTickets, type Catalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const ann = { id: 21 };
const admin = { id: 9, role: 'admin' as const };
const load = (kind: string, id: number | string, reporterId = 30, token = INTERNAL_TOKEN) =>
  catalog.call<ReportedContent & Omit<Problem, 'status'>>('POST', `/internal/content/${kind}/${id}`, {
    headers: { 'x-internal-token': token },
    body: { reporterId },
  });
let lastDecision = 0;
const decide = (kind: string, id: number | string, action: string, decision = ++lastDecision) =>
  catalog.hearCase('content-moderated', { kind, id: String(id), action, decision, adminId: 9 } as never);
const read = async (id: number) => (await catalog.call<Event>('GET', `/api/events/${id}`)).body;
const found = async (words: string) =>
  (await catalog.call<EventPage>('GET', `/api/events?q=${words}`)).body.items.map(({ id }) => id);

test('identity receives the organizer and the first words of a reported event; organizers cannot report their own events', async () => {
  const { id } = await catalog.publish(ann, { ...withTickets, title: 'Free iPads', description: 'x'.repeat(400) });
  const { status, body } = await load('event', id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ authorId: ann.id, path: `/event/${id}`, version: 1, since: 0 });
  expect(body.excerpt).toMatch(/^Free iPads\nx+…$/);
  expect(await load('event', id, ann.id)).toMatchObject({ status: 409, body: { code: 'own-content' } });
  expect((await load('event', 999_999)).status).toBe(404);
  expect((await load('event', id, 30, 'x'.repeat(31))).status).toBe(403);
});

test('an event that is hidden after a report is in no list until it is restored, whatever its organizer does', async () => {
  const organizer = { id: 22 };
  const { id } = await catalog.publish(organizer, { ...withTickets, title: 'Numbat Night' });
  await decide('event', id, 'hide', 2);
  expect(await read(id)).toMatchObject({ isSuspended: true });
  expect(await found('numbat')).toEqual([]);
  expect((await load('event', id)).status).toBe(404);
  const edited = await catalog.call('PATCH', `/api/events/${id}`, { as: organizer, body: { title: 'Numbat Day' } });
  expect(edited.status).toBe(200);
  expect(await found('numbat')).toEqual([]);
  // The event stays suspended after its organizer's account is suspended and reinstated.
  await catalog.suspend(organizer.id, 3);
  await catalog.suspend(organizer.id, 4, false);
  expect(await read(id)).toMatchObject({ isSuspended: true });
  // An older decision that arrives late is ignored.
  await decide('event', id, 'restore', 1);
  expect(await found('numbat')).toEqual([]);
  await decide('event', id, 'restore', 3);
  await decide('event', id, 'restore', 3);
  expect(await found('numbat')).toEqual([id]);
  // Restoring the event does not list it while its organizer's account is suspended.
  await decide('event', id, 'hide', 4);
  await catalog.suspend(organizer.id, 5);
  await decide('event', id, 'restore', 5);
  expect(await found('numbat')).toEqual([]);
  await catalog.suspend(organizer.id, 6, false);
  expect(await found('numbat')).toEqual([id]);
});

test('an edit lets accounts that reported the event report it again', async () => {
  const { id } = await catalog.publish(ann, withTickets);
  await catalog.hearCase('content-reported', { kind: 'event', id: String(id), reports: 1 } as never);
  expect((await load('event', id)).body.since).toBe(0);
  await catalog.call('PATCH', `/api/events/${id}`, { as: ann, body: { description: 'Now with fewer iPads' } });
  expect((await load('event', id)).body).toMatchObject({ version: 2, since: 2 });
});

test('a shown ad is reported and hidden; changed content needs approval, and can be reported again', async () => {
  const adId = randomUUID();
  const content = (n: number) => ({
    ...{ imageUrl: `/media/images/${n}.webp`, linkUrl: 'https://shop.example/', title: `Sale ${n}`, alt: 'A shop' },
  });
  const context = () => ({ commandId: randomUUID() });
  await catalog.ads.handle(
    adId,
    {
      type: 'BookAd',
      terms: {
        ...{ paymentId: 'pi_1', packageId: 'banner-7d', amountCents: 4_999, slot: 'banner', days: 7 },
        ...{ maxImpressions: null, guaranteedImpressions: null, businessName: 'Shop', eventTitle: '', keyHash: '0' },
      },
    },
    context(),
  );
  const submit = (n: number) => catalog.ads.handle(adId, { type: 'SubmitAd', content: content(n) }, context());
  const approve = (submission: number) =>
    catalog.call<ReviewedAd>('POST', `/api/admin/ads/${adId}/review`, {
      as: admin,
      body: { action: 'approve', submission },
    });
  await submit(1);
  expect((await load('ad', adId)).status).toBe(404);
  expect((await approve(1)).status).toBe(200);
  expect((await load('ad', adId)).body).toMatchObject({
    ...{ authorId: null, excerpt: 'Sale 1\nhttps://shop.example/', version: 1, since: 0 },
  });
  await catalog.hearCase('content-reported', { kind: 'ad', id: adId, reports: 1 } as never);
  await decide('ad', adId, 'keep');
  expect((await load('ad', adId)).status).toBe(200);
  await decide('ad', adId, 'hide');
  expect((await load('ad', adId)).status).toBe(404);
  const { rows } = await catalog.pool.query('select rejection, shown_submission from ads where ad_id = $1', [adId]);
  expect(rows).toMatchObject([{ rejection: expect.stringContaining('reported'), shown_submission: null }]);
  await submit(2);
  await approve(2);
  expect((await load('ad', adId)).body).toMatchObject({ version: 2, since: 2 });
});
