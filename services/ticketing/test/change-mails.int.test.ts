import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventState } from '@beltway/contracts/catalog/events';
import { enqueue } from '@beltway/kit/jobs';
import { storedMails } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { eventChanges, startTellingChanges } from '../src/mail/changes.ts';
import {
  call,
  eventState,
  mailsIn,
  message,
  onSale,
  pay,
  startCheckout,
  type Ticketing,
  sequenceOf,
} from './support.ts';

const said = (version: number, change: Partial<EventState> = {}) =>
  message('catalog.event-updated', 'event-42', eventState(42, 20, { version, ...change }));
const postponed = { isPostponed: true as const, salesEnabled: false };
const NEW_DAY = '2030-08-01T04:00:00.000Z';

async function hear({ bus }: Ticketing, ...messages: ReturnType<typeof message>[]) {
  await bus.publish('catalog.events', messages);
  await eventually(async () => (await bus.lag('ticketing.catalog', ['catalog.events']))['catalog.events'] === 0);
}
async function buy(ticketing: Ticketing, email: string) {
  const { body } = await startCheckout(ticketing, { quantity: 1, ticketHolderEmail: email });
  await pay(ticketing, body.paymentIntentId);
  return body.orderId as string;
}
const isIdle = async ({ rows }: Ticketing) =>
  (await rows(`select from jobs where queue = 'event-change'`)).length === 0;
/** Makes collected changes due immediately and runs the worker. */
async function pass(ticketing: Ticketing) {
  await ticketing.rows(`update jobs set run_at = now() where queue = 'event-change'`);
  await work(ticketing);
}
async function work(ticketing: Ticketing) {
  const worker = startTellingChanges(ticketing.deps);
  await worker.work();
  await worker.stop();
  await eventually(() => isIdle(ticketing));
}
const queued = async (ticketing: Ticketing) =>
  (await mailsIn(ticketing, 'event-changed:')).map(({ orderId }) => orderId);
/** The mails about changes, in the order in which they were sent. */
async function mails({ dataDir, rows }: Ticketing, count: number) {
  await eventually(
    async () =>
      (await mailsIn({ rows }, 'event-changed:')).filter(({ status }) => status !== 'waiting').length >= count,
    { timeoutMs: 40_000, what: 'the mails are sent' },
  );
  const all = (await storedMails(join(dataDir, 'mail'))).filter(({ id }) => id.startsWith('event-changed'));
  return all.sort((one, other) => one.at.localeCompare(other.at));
}
const calendarOf = (mail: { attachments: Array<{ filename: string; content: string }> }) =>
  Buffer.from(mail.attachments.find(({ filename }) => filename === 'event.ics')?.content ?? '', 'base64').toString();

test('several edits within minutes cause one mail per order, with the old and the new state', async () => {
  const ticketing = await onSale(20, { version: 1, location: 'The Wharf, DC' });
  const [ann, bob] = [await buy(ticketing, 'ann@example.test'), await buy(ticketing, 'bob@example.test')];
  await hear(
    ticketing,
    said(2, { location: 'Anacostia Park' }),
    said(3, { location: 'Anacostia Park', eventStartTime: '20:00' }),
    said(4, {
      location: 'Anacostia Park',
      address: '1900 Anacostia Dr SE',
      eventStartTime: '21:30',
      title: 'Night at the Park',
    }),
  );
  expect(await queued(ticketing)).toEqual([]);
  await pass(ticketing);
  expect((await queued(ticketing)).sort()).toEqual([ann, bob].sort());
  const [mail] = await mails(ticketing, 2);
  expect(mail?.subject).toBe('Night at the Park: new time and location');
  for (const words of [
    'Previous time: Sat, Jun 1, 2030, 7 PM ET',
    'Previous location: The Wharf, DC',
    'Now: Sat, Jun 1, 2030, 9:30 PM ET, 1900 Anacostia Dr SE, Anacostia Park.',
    'Your tickets stay valid.',
  ])
    expect(mail?.text).toContain(words);
  expect(calendarOf(mail!)).toMatch(/METHOD:PUBLISH[^]*SEQUENCE:\d+[^]*DTSTART:20300602T013000Z/);
});

test('a change that is undone within these minutes causes no mail, and a new title never causes one', async () => {
  const ticketing = await onSale(20, { version: 1 });
  await buy(ticketing, 'ann@example.test');
  await hear(ticketing, said(2, { title: 'Another' }), said(3, { eventStartTime: '20:00' }), said(4));
  await pass(ticketing);
  expect(await queued(ticketing)).toEqual([]);
  expect(await ticketing.rows('select 1 from change_notices')).toEqual([]);
});

test('the postponement and the new date are each mailed once, and the calendar file follows', async () => {
  const ticketing = await onSale(20, { version: 1 });
  await buy(ticketing, 'ann@example.test');
  const off = said(2, postponed);
  await hear(ticketing, off, off, { ...off, id: crypto.randomUUID() });
  await pass(ticketing);
  const [first] = await mails(ticketing, 1);
  expect(first?.subject).toBe('Night 42 is postponed');
  expect(first?.text).toContain('It won’t take place on Sat, Jun 1, 2030, 7 PM ET.');
  expect(calendarOf(first!)).toMatch(/METHOD:CANCEL/);

  await hear(ticketing, said(3, { eventDate: NEW_DAY }));
  await pass(ticketing);
  const [, second] = await mails(ticketing, 2);
  expect(second?.subject).toBe('Night 42 has a new date');
  expect(second?.text).toContain('New date: Thu, Aug 1, 2030, 7 PM ET. Your tickets are valid for it.');
  expect(calendarOf(second!)).toMatch(/METHOD:PUBLISH/);
  expect(sequenceOf(calendarOf(second!))).toBeGreaterThanOrEqual(sequenceOf(calendarOf(first!)));
  expect(await mails(ticketing, 2)).toHaveLength(2);
});

test('a suspension and its end are mailed; a suspension that ends within minutes is not', async () => {
  const ticketing = await onSale(20, { version: 1 });
  await buy(ticketing, 'ann@example.test');
  const suspended = { isSuspended: true as const, salesEnabled: false };
  await hear(ticketing, said(2, suspended), said(3));
  await pass(ticketing);
  expect(await queued(ticketing)).toEqual([]);

  await hear(ticketing, said(4, suspended));
  await pass(ticketing);
  const [first] = await mails(ticketing, 1);
  expect(first?.subject).toBe('Night 42 is not on sale for now');
  expect(first?.text).toContain('Your tickets stay valid.');
  expect(calendarOf(first!)).toMatch(/METHOD:PUBLISH/);

  await hear(ticketing, said(5));
  await pass(ticketing);
  const [, second] = await mails(ticketing, 2);
  expect(second?.subject).toBe('Night 42 is on sale again');
});

test('a buyer whose payment is in progress gets the mail, too; a buyer who begins later does not', async () => {
  const ticketing = await onSale(20, { version: 1 });
  const slow = (await startCheckout(ticketing, { ticketHolderEmail: 'slow@example.test' })).body;
  await hear(ticketing, said(2, { eventStartTime: '20:00' }));
  const after = await buy(ticketing, 'after@example.test');
  await pass(ticketing);
  expect(await queued(ticketing)).toEqual([]);
  await pay(ticketing, slow.paymentIntentId);
  await eventually(async () => (await queued(ticketing)).length === 1);
  await eventually(async () => (await mailsIn(ticketing, 'tickets')).length === 2);
  expect(await queued(ticketing)).toEqual([slow.orderId]);
  expect(after).not.toBe(slow.orderId);
});

test('if a part of the mails is queued again after a crash, each order still gets one mail', async () => {
  const ticketing = await onSale(20, { version: 1 });
  const orders = [];
  for (const name of ['ann', 'bob', 'cy']) orders.push(await buy(ticketing, `${name}@example.test`));
  await hear(ticketing, said(2, { eventStartTime: '20:00' }));
  await pass(ticketing);
  const [notice] = await ticketing.rows('select id::text from change_notices');
  await ticketing.rows(`delete from jobs where key like $1`, [`${orders[1]}/event-changed:%`]);
  await enqueue(ticketing.deps.pool, eventChanges, [
    { key: `notice/${String(notice!['id'])}`, data: { noticeId: String(notice!['id']) } },
  ]);
  await work(ticketing);
  expect((await queued(ticketing)).sort()).toEqual(orders.sort());
});

test('a canceled event sends no mails about changes, and void tickets get none', async () => {
  const ticketing = await onSale(20, { version: 1 });
  await buy(ticketing, 'ann@example.test');
  await hear(
    ticketing,
    said(2, { eventStartTime: '20:00' }),
    message('catalog.event-canceled', 'event-42', { eventId: 42, ownerId: 7, version: 3 }),
  );
  await pass(ticketing);
  expect(await queued(ticketing)).toEqual([]);
});

test('an older message that arrives late changes nothing and causes no mail', async () => {
  const ticketing = await onSale(20, { version: 3 });
  await buy(ticketing, 'ann@example.test');
  await hear(ticketing, said(2, { eventStartTime: '20:00' }), said(1, postponed));
  await pass(ticketing);
  expect(await queued(ticketing)).toEqual([]);
  expect(await ticketing.rows('select 1 from change_notices')).toEqual([]);
  expect((await call(ticketing.url, 'GET', '/api/events/42/availability')).status).toBe(200);
});

test('an organizer who edits all day does not delay mails indefinitely', async () => {
  const ticketing = await onSale(20, { version: 1 });
  await hear(ticketing, said(2, { eventStartTime: '20:00' }));
  await ticketing.rows(`update change_notices set opened_at = now() - interval '29 minutes'`);
  await hear(ticketing, said(3, { eventStartTime: '20:30' }));
  expect(
    await ticketing.rows(
      `select run_at between now() and now() + interval '1 minute' as soon from jobs where queue = 'event-change'`,
    ),
  ).toEqual([{ soon: true }]);
});
