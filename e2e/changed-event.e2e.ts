import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { choosePlace, codes, signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = sharedStage();

/** Chooses the last day of next month. */
async function chooseDay(page: Page): Promise<void> {
  await page.getByLabel('Event date').click();
  await page.getByRole('button', { name: /next month/i }).click();
  await page.locator('[role=gridcell] button:not([disabled])').last().click();
}

test('a series: one date is edited on two devices, postponed and rescheduled; its buyer gets a mail each time', async () => {
  const organizer = await here.api.register('Ola Fakunle', 'business');
  const page = await here.visitor();
  await signedIn(page, organizer);
  await page.goto('/#launch');
  await page.getByRole('textbox', { name: 'Event title' }).fill('Basement Jazz');
  await page.getByLabel('Event description').fill('A trio, and no stage.');
  await choosePlace(page, 'Shaw, Washington, DC');
  await page.getByRole('button', { name: '#liveDJ' }).click();
  await chooseDay(page);
  await page.getByLabel('How often').selectOption('week');
  await page.getByLabel('How many dates').fill('3');
  await page.getByRole('switch', { name: 'Sell tickets' }).click();
  await page.getByLabel('Ticket price in $').fill('25');
  await page.getByLabel('Total tickets').fill('10');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Launch 3 events' }).click();
  await page.waitForURL(/\/event\/\d+$/);
  const others = page.getByRole('region', { name: 'Other dates' }).getByRole('link');
  await expect.poll(() => others.count()).toBe(2);
  const eventId = Number(/\d+$/.exec(page.url())![0]);

  await eventually(async () => (await here.api.ask('GET', `/api/events/${eventId}/availability`)).status === 200);
  const email = `jazz.${eventId}@example.test`;
  await here.api.buy(eventId, 2, email);
  const told = (subject: RegExp) =>
    eventually(async () => (await here.api.mailsTo(email)).find((mail) => subject.test(mail.subject)), {
      timeoutMs: 60_000,
      what: `a mail about ${subject}`,
    });

  // While the page has its form open, another device changes the location.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Event title' }).fill('Basement Jazz, Late');
  await here.api.call(
    'PATCH',
    `/api/events/${eventId}`,
    { location: 'Adams Morgan, Washington, DC', eventStartTime: '21:30' },
    { token: organizer.token },
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else edited this event').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.getByRole('textbox', { name: 'Event title' }).inputValue()).toBe('Basement Jazz, Late');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Basement Jazz, Late', level: 1 }).waitFor();
  await page.getByText('Adams Morgan, Washington, DC').first().waitFor();
  const moved = await told(/new time and location$/);
  expect(moved.text).toContain('Previous location: Shaw, Washington, DC');

  await page.getByRole('button', { name: 'Postpone', exact: true }).click();
  await page.getByRole('button', { name: 'Postpone event' }).click();
  await page.getByRole('heading', { name: 'This event is postponed' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await told(/ is postponed$/);
  const buyer = await here.visitor();
  await buyer.goto(/http\S+ticket-success\S+/.exec(moved.text)![0]);
  await buyer.getByText('Your tickets stay valid for the new date.', { exact: false }).waitFor();
  await expect.poll(() => codes(buyer).count()).toBe(2);
  expect(await faultsOf(buyer)).toEqual([]);
  const stranger = await here.visitor();
  await stranger.goto(`/ticket-checkout?eventId=${eventId}`);
  await stranger.getByText('Tickets go back on sale when it has a new date.', { exact: false }).waitFor();

  await page.getByRole('button', { name: 'Set new date' }).click();
  await chooseDay(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByRole('heading', { name: 'This event is postponed' }).count()).toBe(0);
  const dated = await told(/ has a new date$/);
  expect(dated.attachments.map(({ filename }) => filename)).toContain('event.ics');
  await eventually(async () => (await here.api.ask('POST', '/api/holds', { eventId, quantity: 1 })).status === 201);
  expect((await here.api.mailsTo(email)).map(({ subject }) => subject)).toHaveLength(4);
});
