import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { codes, fillCard, fillDetails, pay } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
const DECLINED = '4000000000000002';
const ASKS_THE_BANK = '4000002500003155';

const bank = (page: Page) => page.frameLocator('iframe[title^="3-D Secure"]');

test('a guest’s card is declined; another card passes 3-D Secure, and the mailed link opens the tickets', async () => {
  const { event } = await here.api.organize({ title: 'Canal Jazz', ticketPrice: 18.5 });
  const guest = await here.visitor();
  await guest.goto(`/event/${event.id}`);
  await guest.getByRole('link', { name: 'Buy Tickets' }).click();
  await fillDetails(guest, 'Gail Guest', 'gail@example.test', 2);
  await fillCard(guest, DECLINED);
  await pay(guest);
  await guest.getByText('Payment Failed', { exact: true }).first().waitFor();
  await guest.getByRole('alert').filter({ hasText: 'Your card was declined' }).first().waitFor();

  // The form keeps the input after the failure.
  expect(await guest.getByLabel('Security code').inputValue()).toBe('123');
  await guest.getByLabel('Card number').fill(ASKS_THE_BANK);
  await guest.getByRole('button', { name: 'Pay $37.00' }).click();
  await bank(guest).getByRole('button', { name: 'Complete' }).click();
  await guest.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(guest).count()).toBe(2);
  expect(guest.url()).not.toContain('key=');

  const mail = await here.api.mailTo('gail@example.test');
  const link = /https?:\/\/\S+\/ticket-success\?\S+/.exec(mail.text)![0];
  const key = new URLSearchParams(new URL(link).hash.slice(1)).get('key')!;
  expect(new URL(link).search).not.toContain('key');
  const elsewhere = await here.visitor({ viewport: { width: 390, height: 844 } });
  await elsewhere.goto(link);
  await elsewhere.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(elsewhere).count()).toBe(2);
  expect(elsewhere.url()).not.toContain(key);
  expect(elsewhere.url()).toContain('/ticket-success');
  // A reload still shows the tickets.
  await elsewhere.reload();
  await expect.poll(() => codes(elsewhere).count()).toBe(2);

  const stranger = await here.visitor();
  await stranger.goto(elsewhere.url());
  await stranger.getByRole('heading', { name: 'Order not found' }).waitFor();
  const guessed = new URL(link);
  guessed.hash = `key=${key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`;
  await stranger.goto(guessed.href);
  await stranger.getByRole('heading', { name: 'Order not found' }).waitFor();
  expect(await codes(stranger).count()).toBe(0);
});

test("a buyer who fails the bank's challenge sees why, and can pay again", async () => {
  const { event } = await here.api.organize({ title: 'Quiet Room' });
  const guest = await here.visitor();
  await guest.goto(`/ticket-checkout?eventId=${event.id}`);
  await fillDetails(guest, 'Gail Guest', 'gail.again@example.test');
  await fillCard(guest, ASKS_THE_BANK);
  await pay(guest);
  await bank(guest).getByRole('button', { name: 'Fail' }).click();
  await guest.getByText('Payment Failed', { exact: true }).first().waitFor();
  await guest
    .getByRole('alert')
    .filter({ hasText: /authenticat/i })
    .first()
    .waitFor();

  await pay(guest);
  await guest.getByRole('button', { name: 'Cancel', exact: true }).click();
  await guest.getByText('Payment Failed', { exact: true }).first().waitFor();

  await fillCard(guest);
  await pay(guest);
  await guest.getByRole('heading', { name: 'Your ticket is here' }).waitFor();
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 1, held: 0 });
  await here.api.mailTo('gail.again@example.test');
});

test('a guest saves the tickets to a new account: they are under My Tickets, and the mailed link stops working', async () => {
  const { event } = await here.api.organize({ title: 'Porch Songs' });
  const guest = await here.visitor();
  await guest.goto(`/ticket-checkout?eventId=${event.id}`);
  await guest.getByText('Held for you:', { exact: false }).waitFor();
  expect(await here.api.stock(event.id)).toMatchObject({ held: 1 });
  // A reload and a second tab use the same hold.
  await guest.reload();
  const second = await guest.context().newPage();
  await second.goto(`/ticket-checkout?eventId=${event.id}`);
  for (const page of [guest, second]) await page.getByText('Held for you:', { exact: false }).waitFor();
  expect(await here.api.stock(event.id)).toMatchObject({ held: 1 });
  await second.close();
  await fillDetails(guest, 'Nora New', 'nora@example.test', 2);
  await fillCard(guest);
  await pay(guest);
  await guest.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  const mail = await here.api.mailTo('nora@example.test');
  const link = /https?:\/\/\S+\/ticket-success\?\S+/.exec(mail.text)![0];

  await guest.getByRole('button', { name: 'Save to an account' }).click();
  const form = guest.getByRole('form', { name: 'Register' });
  await form.getByLabel('Name', { exact: true }).fill('Nora New');
  await form.getByLabel('Email').fill('nora.other@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Register' }).click();
  await guest.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await guest.getByText('Saved to your account').first().waitFor();
  await guest.getByRole('main').getByRole('link', { name: 'My Tickets' }).click();
  await guest.getByText('Porch Songs').first().waitFor();
  await expect.poll(() => codes(guest).count()).toBeGreaterThan(0);

  const finder = await here.visitor();
  await finder.goto(link);
  await finder.getByRole('heading', { name: 'Order not found' }).waitFor();
});
