/// <reference lib="dom" />
import { expect, test } from 'vitest';
import { codes, fillCard, fillDetails, pay } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

test('one buyer holds the last two tickets, and the open pages of another visitor update', async () => {
  const { event } = await here.api.organize({ title: 'Two Chairs', totalTickets: 2 });
  const watching = await here.visitor();
  await watching.goto(`/event/${event.id}`);
  await watching.getByText('2 of 2 available').waitFor();
  const feed = await watching.context().newPage();
  await feed.goto('/');
  const card = feed.getByRole('article').filter({ hasText: 'Two Chairs' }).first();
  await card.getByText('2 available').waitFor();

  const buyer = await here.visitor();
  await buyer.goto(`/ticket-checkout?eventId=${event.id}`);
  await fillDetails(buyer, 'Ada Able', 'ada@example.test', 2);
  const order = () => buyer.evaluate((slot) => localStorage.getItem(slot), `beltway.order.${event.id}`);
  const { orderId } = (JSON.parse((await order())!) as { order: { orderId: string } }).order;

  // The other visitor's pages updated without interaction.
  await watching.getByText('The last tickets are in other people’s carts.', { exact: false }).waitFor();
  await card.getByText('Everything left is in someone’s cart.', { exact: false }).waitFor();
  expect(await card.getByText('Sold Out').count()).toBe(0);
  await watching.getByRole('link', { name: 'Buy Tickets' }).click();
  await watching.getByRole('alert').filter({ hasText: 'The last tickets are in other people’s carts' }).waitFor();
  expect(await watching.getByRole('button', { name: 'All in other carts' }).isDisabled()).toBe(true);

  // The buyer's own hold is not shown as "sold out", and a reload continues the same order.
  await buyer.reload();
  await buyer.getByLabel('Card number').waitFor();
  expect(JSON.parse((await order())!)).toMatchObject({ order: { orderId, quantity: 2 } });
  await buyer.getByText('Held for you:', { exact: false }).waitFor();
  expect(await buyer.getByText('Sold Out').count()).toBe(0);
  expect(await here.api.stock(event.id)).toMatchObject({ held: 2, sold: 0 });

  await watching.goto(`/event/${event.id}`);
  await watching.getByRole('link', { name: 'Buy Tickets' }).waitFor();
  await fillCard(buyer);
  await pay(buyer);
  await buyer.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(buyer).count()).toBe(2);
  expect(buyer.url()).toContain(orderId);

  await watching.getByText('Sold Out', { exact: true }).waitFor();
  expect(await watching.getByRole('link', { name: 'Buy Tickets' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Sold Out' }).waitFor();
  expect(await card.getByRole('button', { name: 'Sold Out' }).isDisabled()).toBe(true);
  await watching.goto(`/ticket-checkout?eventId=${event.id}`);
  await watching.getByRole('heading', { name: 'Sold Out' }).waitFor();
  expect(await here.api.stock(event.id)).toMatchObject({ held: 0, sold: 2 });
});

test('released tickets are available again, and every open page updates', async () => {
  const { event } = await here.api.organize({ title: 'One Chair', totalTickets: 1 });
  const { orderId, accessKey } = await here.api.hold(event.id);
  const page = await here.visitor();
  await page.goto(`/event/${event.id}`);
  await page.getByText('The last tickets are in other people’s carts.', { exact: false }).waitFor();
  await here.api.call('DELETE', `/api/holds/${orderId}`, undefined, { headers: { 'x-order-key': accessKey } });
  await page.getByText('1 of 1 available').waitFor();
});

test('forty concurrent buyers for ten tickets: ten are sold, and no other buyer is charged', async () => {
  const { event } = await here.api.organize({ title: 'Ten Chairs', totalTickets: 10 });
  const tries = await Promise.allSettled(Array.from({ length: 40 }, () => here.api.buy(event.id)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect(refusals.filter((text) => !/"code":"(sold-out|all-held)"/.test(text))).toEqual([]);
  expect(await here.api.stock(event.id)).toMatchObject({ capacity: 10, sold: 10, held: 0 });
});
