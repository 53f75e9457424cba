import { afterEach, expect, test } from 'vitest';
import { codes, fillCard, fillDetails, pay } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
afterEach(() => here.api.webhooks('normal'));

/** A paid order whose buyer closed the page immediately. */
async function paidAndGone(quantity: number) {
  const { event } = await here.api.organize();
  const email = `gone.${event.id}@example.test`;
  const order = await here.api.intent(event.id, quantity, email);
  expect(await here.api.confirm(order)).toBe('succeeded');
  return { order, email, event };
}

async function hasTicketsOnce({ order, email, event }: Awaited<ReturnType<typeof paidAndGone>>, quantity: number) {
  const { tickets } = await here.api.fulfilled(order);
  expect(new Set(tickets.map(({ ticketCode }) => ticketCode)).size).toBe(quantity);
  expect((await here.api.mailTo(email)).attachments.filter(({ cid }) => cid?.startsWith('ticket-'))).toHaveLength(
    quantity,
  );
  expect(await here.api.stock(event.id)).toMatchObject({ sold: quantity, held: 0 });
}

test("the page is closed before it can report the payment: the provider's webhook issues the tickets", async () => {
  const { event } = await here.api.organize({ title: 'Closed Tab' });
  const buyer = await here.visitor();
  await buyer.route('**/api/process-ticket-purchase', (route) => route.abort());
  await buyer.goto(`/ticket-checkout?eventId=${event.id}`);
  await fillDetails(buyer, 'Cleo Closed', 'cleo@example.test', 2);
  await fillCard(buyer);
  await pay(buyer);
  await buyer.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(buyer).count()).toBe(2);
  await here.api.mailTo('cleo@example.test');
});

test('late webhooks issue the same tickets', async () => {
  await here.api.webhooks('lost');
  const paid = await paidAndGone(2);
  expect((await here.api.order(paid.order)).status).not.toBe('fulfilled');
  await here.api.webhooks('normal');
  await here.api.call('POST', '/dev/payments/deliver-all', {});
  await hasTicketsOnce(paid, 2);
});

test('duplicate webhooks in any order issue one set of tickets and one mail', async () => {
  for (const mode of ['doubled', 'shuffled']) {
    await here.api.webhooks(mode, 2);
    const orders = await Promise.all([paidAndGone(3), paidAndGone(1)]);
    await hasTicketsOnce(orders[0], 3);
    await hasTicketsOnce(orders[1], 1);
    // The provider delivers every webhook again, and the browser also returns.
    const { intents } = await here.api.call<{ intents: Array<{ id: string; events: Array<{ id: string }> }> }>(
      'GET',
      '/dev/payments/state?limit=2',
    );
    for (const { id } of intents.flatMap(({ events }) => events))
      await here.api.call('POST', `/dev/payments/events/${id}/deliver`, {});
    for (const { order } of orders) expect((await here.api.process(order)).status).toBe('fulfilled');
    await expect
      .poll(async () => {
        const { queue } = await here.api.call<{ queue: { pending: number } }>('GET', '/dev/payments/state');
        return queue.pending;
      })
      .toBe(0);
    await hasTicketsOnce(orders[0], 3);
    for (const { email } of orders) expect(await here.api.mailsTo(email)).toHaveLength(1);
  }
});
