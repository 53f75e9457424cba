import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventState } from '@beltway/contracts/catalog/events';
import { storedMails } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { startTellingChanges } from '../src/mail/changes.ts';
import { personObstacles } from '../src/person.ts';
import { call, eventState, mailsIn, message, onSale, pay, startCheckout, type Ticketing } from './support.ts';

// From Friday, May 31, to Sunday, June 2.
const DAYS = { eventDate: '2030-05-31T04:00:00.000Z', eventLastDate: '2030-06-02T04:00:00.000Z' };
const LAST_END = '2030-06-03T02:00:00.000Z';
const TEXT = 'Fri, May 31, 2030 – Sun, Jun 2, 2030, 7 PM ET';

async function hear({ bus }: Ticketing, version: number, change: Partial<EventState>) {
  const state = eventState(42, 20, { version, ...change });
  await bus.publish('catalog.events', [message('catalog.event-updated', 'event-42', state)]);
  await eventually(async () => (await bus.lag('ticketing.catalog', ['catalog.events']))['catalog.events'] === 0);
}
async function buy(ticketing: Ticketing) {
  const { body } = await startCheckout(ticketing, { quantity: 1, ticketHolderEmail: 'ann@example.test' });
  await pay(ticketing, body.paymentIntentId);
  const headers = { 'x-order-key': body.accessKey as string };
  const { body: order } = await call(ticketing.url, 'GET', `/api/orders/${body.orderId}`, { headers });
  return order;
}
/** Waits until the mails of a kind are sent; returns them. */
async function mails({ dataDir, rows }: Ticketing, kind: string) {
  await eventually(
    async () => {
      const all = await mailsIn({ rows }, kind);
      return all.length > 0 && all.every(({ status }) => status !== 'waiting');
    },
    { timeoutMs: 40_000, what: 'the mails are sent' },
  );
  return (await storedMails(join(dataDir, 'mail'))).filter(({ id }) => id.startsWith(kind));
}
const calendarOf = (mail: { attachments: Array<{ filename: string; content: string }> }) =>
  Buffer.from(mail.attachments.find(({ filename }) => filename === 'event.ics')?.content ?? '', 'base64').toString();
/** Makes collected changes due immediately; returns the mails about them. */
async function changed(ticketing: Ticketing) {
  await ticketing.rows(`update jobs set run_at = now() where queue = 'event-change'`);
  const worker = startTellingChanges(ticketing.deps);
  await worker.work();
  await worker.stop();
  return mails(ticketing, 'event-changed');
}

test('tickets, mail and calendar have the first and the last day; sales end with the last day, refunds before the first', async () => {
  const ticketing = await onSale(20, { version: 1, ...DAYS });
  expect(await ticketing.rows('select closes_at from availability')).toEqual([{ closes_at: new Date(LAST_END) }]);
  const order = await buy(ticketing);
  // The deadline is 24 hours before the first day's start.
  expect(order).toMatchObject({ event: DAYS, refundable: true, refundableUntil: '2030-05-30T23:00:00.000Z' });
  const [mail] = await mails(ticketing, 'tickets');
  expect(mail?.text).toContain(`When: ${TEXT}`);
  expect(mail?.text).toContain('until Thu, May 30, 2030, 7 PM ET');
  expect(calendarOf(mail!)).toMatch(/DTSTART:20300531T230000Z[^]*DTEND:20300603T020000Z/);
  const at = (time: string) => (ticketing.time.offsetMs = Date.parse(time) - Date.now());
  at('2030-06-02T12:00:00Z');
  expect(await personObstacles(ticketing.deps.pool, 7, new Date('2030-06-02T12:00:00Z'))).toHaveLength(1);
  expect((await startCheckout(ticketing, { quantity: 1 })).status).toBe(200);
  at(LAST_END);
  expect((await startCheckout(ticketing, { quantity: 1 })).status).toBe(409);
});

test('a changed last day is mailed as a new time; an unchanged last day is not mailed', async () => {
  const ticketing = await onSale(20, { version: 1, ...DAYS });
  await buy(ticketing);
  await hear(ticketing, 2, { ...DAYS, title: 'Another' });
  expect(await ticketing.rows('select 1 from change_notices')).toEqual([]);
  await hear(ticketing, 3, { ...DAYS, eventLastDate: '2030-06-01T04:00:00.000Z' });
  const [mail] = await changed(ticketing);
  expect(mail?.subject).toBe('Night 42: new time');
  expect(mail?.text).toContain(`Previous time: ${TEXT}`);
  expect(mail?.text).toContain('Now: Fri, May 31, 2030 – Sat, Jun 1, 2030, 7 PM ET.');
  expect(calendarOf(mail!)).toContain('DTEND:20300602T020000Z');
});

test('an event of one day, and a message without `eventLastDate`, work as before', async () => {
  const ticketing = await onSale(20, { version: 1 });
  const { eventDate } = eventState(42, 20);
  await buy(ticketing);
  await hear(ticketing, 2, { eventLastDate: null });
  await hear(ticketing, 3, {});
  expect(await ticketing.rows('select 1 from change_notices')).toEqual([]);
  expect(await ticketing.rows('select event_date, event_last_date from listings')).toEqual([
    { event_date: new Date(eventDate), event_last_date: null },
  ]);
});
