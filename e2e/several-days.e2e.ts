import { daysAfter } from '@beltway/contracts/common/times';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { choosePlace, codes, signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = sharedStage();

/** Converts "12/04/2026" to "2026-12-04". */
const dayFrom = (text: string) => text.replace(/(\d\d)\/(\d\d)\/(\d{4})/, '$3-$1-$2').trim();
/** Formats a day as in mails: "Fri, Dec 4, 2026". */
const inMail = (day: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    ...{ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
  }).format(new Date(day));

test('a festival of three days: launched, found on its second day, bought, shortened, and its buyer gets a mail', async () => {
  const organizer = await here.api.register('Ola Fakunle', 'business');
  const page = await here.visitor();
  await signedIn(page, organizer);
  await page.goto('/#launch');
  await page.getByRole('textbox', { name: 'Event title' }).fill('Trilogy of Go-Go');
  await page.getByLabel('Event description').fill('A band each night.');
  await choosePlace(page, 'Shaw, Washington, DC');
  await page.getByRole('button', { name: '#liveDJ' }).click();
  await page.getByLabel('Event date').click();
  await page.getByRole('button', { name: /next month/i }).click();
  await page.locator('[role=gridcell] button:not([disabled])').first().click();
  await page.getByRole('switch', { name: 'Takes several days' }).click();
  await page.getByLabel('Last day').click();
  await page.locator('[role=gridcell] button:not([disabled])').nth(1).click();
  const first = dayFrom((await page.getByLabel('Event date').textContent())!);
  const last = dayFrom((await page.getByLabel('Last day').textContent())!);
  expect(last).toBe(daysAfter(first, 2));
  await page.getByLabel('End time').fill('23:00');
  await page.getByText(/^It ends on /).waitFor();
  await page.getByRole('switch', { name: 'Sell tickets' }).click();
  await page.getByLabel('Ticket price in $').fill('25');
  await page.getByLabel('Total tickets').fill('10');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Launch event' }).click();
  await page.waitForURL(/\/event\/\d+$/);
  const eventId = Number(/\d+$/.exec(page.url())![0]);
  const long = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' });
  await page
    .getByText(`${long.format(new Date(first))} – ${long.format(new Date(last))}`)
    .first()
    .waitFor();

  // The event is listed on its second day, in the list and in the calendar.
  const visitor = await here.visitor();
  const second = daysAfter(first, 1);
  await visitor.goto(`/?when=${second}`);
  await visitor.getByRole('heading', { name: 'Trilogy of Go-Go' }).first().waitFor();
  await visitor.goto('/?view=calendar&q=trilogy');
  await visitor.getByRole('button', { name: /next month/i }).click();
  for (const day of [first, second, last])
    await visitor.getByRole('button', { name: `${long.format(new Date(day))}, 1 event` }).waitFor();
  const { status, body: html } = await here.api.ask<string>('GET', `/event/${eventId}`);
  expect([status, html]).toEqual([200, expect.stringContaining(`"endDate":"${last}T23:00:00`)]);

  await eventually(async () => (await here.api.ask('GET', `/api/events/${eventId}/availability`)).status === 200);
  const email = `festival.${eventId}@example.test`;
  await here.api.buy(eventId, 2, email);
  const mailAbout = (subject: RegExp) =>
    eventually(async () => (await here.api.mailsTo(email)).find((mail) => subject.test(mail.subject)), {
      timeoutMs: 60_000,
      what: `a mail about ${subject}`,
    });
  const tickets = await mailAbout(/ticket/i);
  expect(tickets.text).toContain(`${inMail(first)} – ${inMail(last)}, 7 PM ET`);
  const buyer = await here.visitor();
  await buyer.goto(/http\S+ticket-success\S+/.exec(tickets.text)![0]);
  await expect.poll(() => codes(buyer).count()).toBe(2);
  await buyer
    .getByText(/ – \w{3}, .*, 7 PM/)
    .first()
    .waitFor();
  expect(await faultsOf(buyer)).toEqual([]);

  // The organizer shortens the event by one day.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Last day').click();
  await page.locator('[role=gridcell] button:not([disabled])').first().click();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(`${long.format(new Date(first))} – ${long.format(new Date(second))}`)
    .first()
    .waitFor();
  const moved = await mailAbout(/new time$/);
  expect(moved.text).toContain(`Previous time: ${inMail(first)} – ${inMail(last)}, 7 PM ET`);
});
