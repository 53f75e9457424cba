import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { codes, signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

test('a buyer cancels one ticket, the organizer refunds the rest: both see it, and stock and money are returned', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Half Empty', ticketPrice: 20, totalTickets: 5 });
  const bought = await here.api.buy(event.id, 3, 'ren@example.test');
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 3, held: 0 });

  const buyer = await here.visitor({ viewport: { width: 390, height: 844 } });
  await buyer.goto(`/event/${event.id}`);
  await buyer.getByText(/^Full refund until .+ ET\./).waitFor();
  const mail = await here.api.mailTo('ren@example.test');
  await buyer.goto(/https?:\/\/\S+\/ticket-success\?\S+/.exec(mail.text)![0]);
  await expect.poll(() => codes(buyer).count()).toBe(3);
  await buyer.getByRole('button', { name: 'Cancel tickets' }).click();
  const cancel = buyer.getByRole('dialog', { name: 'Cancel tickets' });
  expect(await faultsOf(buyer), 'cancel tickets').toEqual([]);
  // By keyboard, the space bar toggles a ticket's checkbox.
  await cancel.getByRole('checkbox', { name: /^Ticket 1/ }).focus();
  await buyer.keyboard.press('Space');
  await cancel.getByRole('checkbox', { name: /^Ticket 3/ }).uncheck();
  await cancel.getByRole('button', { name: 'Cancel 1 ticket · $20.00' }).click();
  await buyer.getByText('Tickets canceled', { exact: true }).first().waitFor();
  await buyer.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(buyer).count()).toBe(2);
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 2, held: 0 });
  // The money was refunded, and the page updates automatically.
  await buyer.getByText(/^Refunded, /).waitFor({ timeout: 60_000 });
  await buyer.getByText('Total after refunds').waitFor();
  expect(await faultsOf(buyer), 'an order that was refunded in part').toEqual([]);

  const page = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(page, organizer);
  await page.goto(`/dashboard/events/${event.id}`);
  await page.getByRole('button', { name: /^Refund\s/ }).click();
  const refund = page.getByRole('dialog', { name: 'Refund tickets' });
  expect(await faultsOf(page), 'refund tickets').toEqual([]);
  expect(await refund.getByRole('checkbox', { name: /^Ticket 2/ }).isDisabled()).toBe(true);
  await refund.getByLabel('Reason').fill('The second floor is closed');
  await refund.getByRole('button', { name: 'Refund 2 tickets · $40.00' }).click();
  await page.getByText('Refund requested', { exact: true }).first().waitFor();

  await buyer.reload();
  await buyer.getByRole('heading', { name: 'Your refund is on its way' }).waitFor({ timeout: 60_000 });
  await buyer.getByText('‘The second floor is closed’').waitFor();
  expect(await faultsOf(buyer), 'an order that was refunded').toEqual([]);
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 0, held: 0 });
  const order = await here.api.order(bought);
  expect(order.refunds.map(({ amount, state }) => [amount, state])).toEqual([
    [2_000, 'refunded'],
    [4_000, 'refunded'],
  ]);
  const sent = async () =>
    (await here.api.mailsTo('ren@example.test')).filter(
      ({ subject }) => subject === 'Your refund for Half Empty was sent',
    ).length;
  await expect.poll(sent, { timeout: 60_000 }).toBe(2);
  expect(await here.api.invariants()).toMatchObject({ ok: true });
});

test('refunds requested before the provider reported the payment; then one partial refund fails and is retried', async () => {
  const { organizer, event } = await here.api.organize({ ticketPrice: 20, totalTickets: 5 });
  await here.api.webhooks('lost');
  const bought = await here.api.buy(event.id, 3, 'pat@example.test');
  const refund = (body: object) =>
    here.api.call('POST', `/api/orders/${bought.orderId}/refund`, body, { token: organizer.token });
  const looksLike = async () => {
    const { status, refunds } = await here.api.order(bought);
    return [status, ...refunds.map(({ state }) => state)];
  };
  const becomes = (...expected: string[]) => expect.poll(looksLike, { timeout: 60_000 }).toEqual(expected);

  const { tickets } = await here.api.order(bought);
  await refund({ ticketIds: [tickets[0]!.id] });
  await becomes('fulfilled', 'refunded');
  // The provider reports the payment and the refund only now.
  await here.api.webhooks('normal');
  await here.api.call('POST', '/dev/payments/deliver-all', {});
  await refund({});
  await becomes('refunded', 'refunded', 'refunded');

  const { intents } = await here.api.call<{
    intents: Array<{ id: string; refunds: Array<{ id: string; amount: number; status: string }> }>;
  }>('GET', '/dev/payments/state?limit=500');
  const refunds = () => intents.find(({ id }) => id === bought.paymentIntentId)!.refunds;
  expect(refunds().map(({ amount }) => amount)).toEqual([2_000, 4_000]);
  await here.api.call('PUT', '/dev/payments/api', { mode: 'failing' });
  await here.api.call('POST', `/dev/payments/refunds/${refunds()[0]!.id}/fail`, {});
  await becomes('refunding', 'failed', 'refunded');
  await here.api.call('PUT', '/dev/payments/api', { mode: 'normal' });
  await becomes('refunded', 'refunded', 'refunded');
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 0, held: 0 });
  expect(await here.api.invariants()).toMatchObject({ ok: true });
});
