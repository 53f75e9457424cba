import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedMails } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { startExpiring } from '../src/checkout/jobs.ts';
import { eventState, putOnSale, startCheckout, startTicketing, mailsIn, wereSent } from './support.ts';

const MINUTE = 60_000;
const BUYERS = 6;

test('with two instances, each hold lapses, each mail is sent and each message is published only once', async () => {
  const ticketing = await startTicketing(2);
  const { all, bus, fake, rows, time, dataDir } = ticketing;
  const urls = all.map(({ url }) => url);
  await putOnSale(ticketing, eventState(42, 100));

  const checkOut = async (buyer: number) => {
    const who = { ticketHolderName: `Ann ${buyer}`, ticketHolderEmail: `ann${buyer}@example.test` };
    return (await startCheckout({ url: urls[buyer % 2]! }, { quantity: 1, ...who })).body;
  };
  const buyers = Array.from({ length: BUYERS }, (_, buyer) => buyer);
  await Promise.all(buyers.map(checkOut)); // these leave without paying
  const paying = await Promise.all(buyers.map(checkOut));
  for (const { paymentIntentId } of paying) fake.become(paymentIntentId, 'succeeded');

  time.offsetMs = 11 * MINUTE;
  const reconcilers = all.map(({ deps }) => startExpiring(deps, 10));
  await eventually(async () => (await rows(`select from orders where status = 'held'`)).length === 0);
  await eventually(() => wereSent({ rows }, BUYERS), {
    what: 'all mails',
  });
  await Promise.all(reconcilers.map((reconciler) => reconciler.stop()));

  // For each lapsed hold, the payment was closed once, and the hold was released or sold once.
  expect(fake.state.cancels).toBe(2 * BUYERS);
  const happened = await rows(
    `select type, count(*)::int as n from events where type in ('HoldReleased', 'TicketsSold', 'PaymentNotFulfilled') group by type order by type`,
  );
  expect(happened).toEqual([
    { type: 'HoldReleased', n: BUYERS },
    { type: 'TicketsSold', n: BUYERS },
  ]);
  const mails = await storedMails(join(dataDir, 'mail'));
  expect(mails.map(({ to }) => to).sort()).toEqual(buyers.map((buyer) => `ann${buyer}@example.test`));

  expect(new Set((await mailsIn({ rows })).map(({ attempts }) => attempts))).toEqual(new Set([1]));

  const published: string[] = [];
  const purchases: string[] = [];
  const listen = async () => {
    published.length = purchases.length = 0;
    await bus.replay('ticketing.events', async (batch) => {
      for (const { message: one } of batch as Array<{ message: { id: string; type: string } }>) {
        published.push(one.id);
        if (one.type === 'ticketing.ticket-purchased') purchases.push(one.id);
      }
    });
    return purchases.length >= BUYERS;
  };
  await eventually(listen, { what: 'messages to be published' });
  expect(purchases).toHaveLength(BUYERS);
  expect(new Set(published).size).toBe(published.length);
});
