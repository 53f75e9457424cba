/// <reference lib="dom" />
import type { TicketStats } from '@beltway/contracts/catalog/stats';
import { beforeAll, expect, test } from 'vitest';
import { choosePlace, codes, fillCard, fillDetails, register } from './pages.ts';
import type { Stage } from './stage.ts';

interface Names {
  event: string;
  organizer: string;
  member: string;
}
const NAMES: Names = { event: 'Rooftop Go-Go', organizer: 'ola@example.test', member: 'maya@example.test' };

/** The main job's purchase. A system that already has an event or accounts with these names needs other names. */
export function purchase(here: Stage, { event, organizer: organizerMail, member: memberMail } = NAMES): void {
  test('an organizer launches an event, a member buys two tickets, and both see it', async () => {
    const organizer = await here.visitor({ viewport: { width: 1440, height: 900 } });
    await register(organizer, 'Ola Fakunle', organizerMail, true);

    await organizer.getByRole('button', { name: 'Launch My Event' }).first().click();
    const dialog = organizer.getByRole('dialog', { name: 'Add New Event' });
    await dialog.getByLabel('Event title', { exact: true }).fill(event);
    await dialog.getByLabel('Event description').fill('A band, a roof, and the whole city below.');
    await dialog.getByLabel('Event date').click();
    await dialog.getByRole('button', { name: 'Next month' }).click();
    await dialog.getByRole('gridcell').getByRole('button').filter({ hasText: /^15$/ }).click();
    await choosePlace(organizer, 'Adams Morgan, Washington, DC');
    await dialog.getByRole('button', { name: '#rooftop' }).click();
    await dialog.getByRole('switch', { name: 'Sell tickets' }).click();
    await dialog.getByLabel('Ticket price in $').fill('25');
    await dialog.getByLabel('Total tickets').fill('10');
    await dialog.getByRole('button', { name: 'Launch event' }).click();
    await organizer.getByText('Event Created!', { exact: true }).first().waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await organizer.getByRole('heading', { name: event }).first().waitFor();

    await organizer.getByRole('button', { name: 'Dashboard' }).click();
    const dashboard = organizer.getByRole('dialog', { name: 'Business Dashboard' });
    await dashboard.getByText('10 on sale').waitFor();

    const member = await here.visitor({ viewport: { width: 390, height: 844 } });
    await register(member, 'Maya Chen', memberMail);
    await member.goto('/');
    await member.getByRole('searchbox', { name: 'Search events' }).fill(event.toLowerCase());
    await member.getByRole('heading', { name: event }).first().click();
    await member.waitForURL(/\/event\/\d+$/);
    await member.getByText('10 of 10 available').waitFor();
    // Waits for the poster, so that it is rendered before the mail needs it. The mail would omit a poster that takes
    // too long to render.
    const poster = member.locator('article img').first();
    await expect.poll(() => poster.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    await member.getByRole('link', { name: 'Buy Tickets' }).click();
    expect(await member.getByLabel('Name on the tickets').inputValue()).toBe('Maya Chen');
    await fillDetails(member, 'Maya Chen', memberMail, 2);
    await fillCard(member);
    await member.getByRole('button', { name: 'Pay $50.00' }).click();
    await member.getByText('Tickets Purchased Successfully!', { exact: true }).first().waitFor();
    await member.getByText(`2 tickets for ${event}`).first().waitFor();
    await member.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
    await expect.poll(() => codes(member).count()).toBe(2);
    const shown = await codes(member).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));

    // The organizer's page updated without interaction.
    await dashboard.getByText('2 of 10 sold').waitFor();
    await dashboard.getByText('8 left · $50.00').waitFor();
    await dashboard.getByText('$47.50').waitFor();

    await member.getByRole('link', { name: 'My Tickets' }).first().click();
    await member.waitForURL(/\/my-tickets$/);
    await member.getByRole('heading', { name: 'My Tickets', level: 1 }).waitFor();
    await member.getByRole('heading', { name: event }).waitFor();
    await expect.poll(() => codes(member).count()).toBe(2);
    expect(await codes(member).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual(shown);
    expect(await member.getByText(/^Pending/).count()).toBe(2);
  });
}

/**
 * Defines the main job's tests in the calling file, whatever the system runs on. `isCrowded`: sixteen processes share
 * two cores, so rendering the poster may take longer than the mail waits (services/ticketing's mail/pictures.ts).
 */
export function mainJob(here: Stage, { isCrowded = false } = {}): void {
  const figures = () => here.api.call<TicketStats>('GET', '/api/tickets/stats');
  let before: TicketStats;
  beforeAll(async () => void (before = await figures()));

  purchase(here);

  test('the purchase mail has the codes, one PDF, one calendar file, and the total price', async () => {
    const mail = await here.api.mailTo('maya@example.test');
    expect(mail.subject).toBe('Your 2 tickets for Rooftop Go-Go');
    expect(mail.html).toContain('$50.00, all included');
    const types = mail.attachments.map(({ contentType }) => contentType.split(';')[0]);
    expect(types).toEqual([
      'image/png',
      'image/png',
      'image/png', // the mark
      ...(isCrowded && !types.includes('image/jpeg') ? [] : ['image/jpeg']), // the poster
      'application/pdf',
      'text/calendar',
    ]);

    const page = await here.visitor();
    await page.goto('/dev/mail');
    await page.getByRole('link', { name: /Your 2 tickets for Rooftop Go-Go/ }).click();
    const pictures = page.frameLocator('iframe').getByRole('img', { name: /^QR code of ticket/ });
    await expect.poll(() => pictures.count()).toBe(2);
    const widths = await pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(200);

    const file = async (name: string) => {
      const at = mail.attachments.findIndex(({ filename }) => filename === name);
      return (await page.request.get(`/dev/mail/${mail.id}/attachments/${at}`)).body();
    };
    expect((await file('tickets.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const calendar = (await file('event.ics')).toString();
    expect(calendar).toContain('SUMMARY:Rooftop Go-Go');
    expect(calendar).toMatch(/DTSTART;TZID=America\/New_York:\d{8}T190000|DTSTART:\d{8}T(23|00)0000Z/);
    expect(await here.api.mailsTo('maya@example.test')).toHaveLength(1);
  });

  test('the region’s ticket stats include the purchase', async () => {
    expect(await figures()).toEqual({
      totalTicketsSold: before.totalTicketsSold + 2,
      totalRevenue: before.totalRevenue + 50,
      totalEvents: before.totalEvents + 1,
    });
  });
}
