/// <reference lib="dom" />
import type { CommentPage } from '@beltway/contracts/realtime/comments';
import type { PersonExport } from '@beltway/contracts/identity/people';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { register } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
const EMAIL = 'paula.private@example.test';

test('a member downloads and deletes the account’s data, which is erased everywhere; the ticket stays valid', async () => {
  const { event } = await here.api.organize({ title: 'Lightwell Sessions' });
  const page = await here.visitor({ acceptDownloads: true });
  await register(page, 'Paula Private', EMAIL);
  await page.waitForURL(/\/$/);
  const token = (await page.evaluate(() => localStorage.getItem('beltway.token')))!;
  const other = await page.context().newPage();
  await other.goto('/saved');
  await other.getByRole('heading', { name: 'Nothing saved yet' }).waitFor();

  const bought = await here.api.call<{
    orderId: string;
    accessKey: string;
    paymentIntentId: string;
    clientSecret: string;
  }>(
    'POST',
    '/api/create-ticket-payment-intent',
    { eventId: event.id, quantity: 1, ticketHolderName: 'Paula Private', ticketHolderEmail: EMAIL },
    { token, headers: { 'idempotency-key': 'paulas-only-order' } },
  );
  await here.api.confirm(bought as never);
  const order = await here.api.fulfilled(bought);
  await here.api.call('POST', `/api/events/${event.id}/comments`, { text: 'Paula will be there' }, { token });
  await here.api.call('PUT', `/api/events/${event.id}/like`, undefined, { token });
  await here.api.mailTo(EMAIL);

  await page.goto('/account');
  await page.getByRole('heading', { name: 'Your data', exact: true }).waitFor();
  expect(await faultsOf(page), 'account').toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = JSON.parse(await readFile(await (await download).path(), 'utf8')) as PersonExport;
  expect(file.account.email).toBe(EMAIL);
  expect(file.catalog).toMatchObject({ reactions: [{ kind: 'like' }] });
  expect(file.realtime).toMatchObject({ comments: [{ text: 'Paula will be there' }] });
  expect(file.ticketing).toMatchObject({ orders: [{ orderId: bought.orderId, holderEmail: EMAIL, tickets: [{}] }] });
  expect(file.payments).toMatchObject({ payments: [{ id: bought.orderId, status: 'succeeded' }] });

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByText('Your tickets stay valid, but they leave My Tickets.').waitFor();
  expect(await faultsOf(page), 'dialog').toEqual([]);
  await dialog.getByLabel('Your password', { exact: true }).fill('not-my-password');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await dialog.getByText('That’s not your current password.').waitFor();
  await dialog.getByLabel('Your password', { exact: true }).fill('orange-line-42');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByText('Your account was deleted').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/auth');
  await other.waitForURL(/\/auth/);

  for (const [method, path] of [
    ['GET', '/api/auth/me'],
    ['GET', '/api/tickets/my-tickets'],
    ['POST', '/api/events'],
  ] as const)
    await expect
      .poll(async () => (await here.api.ask(method, path, method === 'POST' ? {} : undefined, { token })).status)
      .toBe(401);
  const login = await here.api.ask('POST', '/api/auth/login', { email: EMAIL, password: 'orange-line-42' });
  expect(login.status).toBe(401);
  const comments = () => here.api.call<CommentPage>('GET', `/api/events/${event.id}/comments`);
  await expect.poll(async () => (await comments()).items).toEqual([]);
  await expect.poll(async () => (await here.api.order(bought)).ticketHolderName).toBe('Deleted account');
  const after = await here.api.order(bought);
  expect(after).toMatchObject({ status: 'fulfilled', ticketHolderEmail: '' });
  expect(after.tickets.map(({ ticketCode }) => ticketCode)).toEqual(order.tickets.map(({ ticketCode }) => ticketCode));
  expect(here.errorsOf(page)).toEqual([]);

  await register(page, 'Paula Anew', EMAIL);
  await page.goto('/my-tickets');
  await page.getByRole('heading', { name: 'No Tickets Yet' }).waitFor();
});
