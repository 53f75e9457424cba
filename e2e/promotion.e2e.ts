import type { Event } from '@beltway/contracts/catalog/events';
import type { LiveStream } from '@beltway/contracts/catalog/livestream';
import type { ConfirmedPromotion, PromotionPayment } from '@beltway/contracts/catalog/promotion';
import { expect, test } from 'vitest';
import { fillCard, signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

/** Returns the card form's data for a promotion's payment. */
async function intentFor(token: string, promotionLevel: string, eventId: number) {
  const ask = () =>
    here.api.ask<PromotionPayment>('POST', '/api/create-promotion-payment', { promotionLevel, eventId }, { token });
  // The payments service receives a new event in a bus message.
  await expect.poll(async () => (await ask()).status).toBe(200);
  const { body } = await ask();
  const paymentIntentId = body.clientSecret.slice(0, body.clientSecret.indexOf('_secret'));
  return { ...body, paymentIntentId, orderId: '', accessKey: '', holdUntil: '' } as unknown as Parameters<
    typeof here.api.confirm
  >[0] & { amount: number };
}
const promoted = (id: number, level: string) =>
  expect.poll(async () => (await here.api.call<Event>('GET', `/api/events/${id}`)).promotionLevel).toBe(level);

test('a declined card promotes nothing; the next card promotes by the webhook alone, even if the page is closed', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Promoted Go-Go' });
  const intent = await intentFor(organizer.token, 'featured', event.id);
  expect(intent.amount).toBe(2_999);
  await expect(here.api.confirm(intent, '4000000000000002')).rejects.toThrow(/card_declined/);
  expect((await here.api.call<Event>('GET', `/api/events/${event.id}`)).isSponsored).toBe(false);
  expect(await here.api.confirm(intent)).toBe('succeeded');
  await promoted(event.id, 'featured');
  const page = await here.visitor();
  await page.goto('/');
  const strip = page.getByRole('list', { name: 'Featured events' });
  await strip.getByRole('link', { name: 'Promoted Go-Go' }).first().waitFor();
  await strip.getByText('FEATURED').first().waitFor();
});

test('the page’s confirmation activates a premium promotion; payments for a canceled event are refunded', async () => {
  const { organizer, event } = await here.api.organize();
  const { token } = organizer;
  const confirm = (paymentIntentId: string) =>
    here.api.call<ConfirmedPromotion>('POST', '/api/confirm-promotion-payment', { paymentIntentId }, { token });
  const intent = await intentFor(token, 'premium', event.id);
  await here.api.confirm(intent);
  expect(await confirm(intent.paymentIntentId)).toEqual({
    status: 'paid',
    eventId: event.id,
    promotionLevel: 'premium',
  });
  await promoted(event.id, 'premium');

  const late = await intentFor(token, 'featured', event.id);
  await here.api.webhooks('lost');
  await here.api.confirm(late);
  await here.api.call('POST', `/api/events/${event.id}/cancel`, {}, { token });
  await here.api.webhooks('normal');
  await expect.poll(async () => (await confirm(late.paymentIntentId)).status).toBe('refunded');
  // The earlier promotion is refunded as well.
  await expect.poll(async () => (await confirm(intent.paymentIntentId)).status).toBe('refunded');
  await promoted(event.id, 'none');
  expect((await here.api.invariants()).checks).toSatisfy((checks: Array<{ ok: boolean }>) =>
    checks.every(({ ok }) => ok),
  );
});

const DECLINED = '4000000000000002';
const ASKS_THE_BANK = '4000002500003155';

test('an organizer chooses a package, is declined, passes 3-D Secure, and the event is promoted', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Canal Promoted' });
  const page = await here.visitor({ viewport: { width: 390, height: 844 } });
  await signedIn(page, organizer);
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: 'Promote', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Promote your event' });
  await dialog.getByRole('link', { name: 'Choose Premium' }).click();
  await page.waitForURL(`**/checkout?level=premium&eventId=${event.id}`);
  const pay = page.getByRole('button', { name: 'Promote Event - $49.99' });
  await fillCard(page, DECLINED);
  await pay.click();
  await page.getByRole('alert').filter({ hasText: 'You weren’t charged' }).waitFor();
  await page.getByLabel('Card number').fill(ASKS_THE_BANK);
  await pay.click();
  await page.frameLocator('iframe[title^="3-D Secure"]').getByRole('button', { name: 'Complete' }).click();
  await page.getByText('Your event has been promoted successfully!').first().waitFor();
  await page.waitForURL((url) => url.pathname === '/');
  await promoted(event.id, 'premium');
});

test('a live stream is configured, paid with 3-D Secure after a decline, listed, and canceled with its event', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Streamed Go-Go' });
  const page = await here.visitor();
  await signedIn(page, organizer);
  await page.goto(`/livestream-checkout?eventId=${event.id}`);
  expect(await page.getByRole('button', { name: 'Configure Livestream First' }).isDisabled()).toBe(true);
  await page.getByLabel('Maximum viewers').fill('250');
  await page.getByRole('switch', { name: 'Recording' }).click();
  await page.getByRole('button', { name: 'Save setup' }).click();
  const start = page.getByRole('button', { name: 'Start Livestream Event - $99.99' });
  await fillCard(page, DECLINED);
  await start.click();
  await page.getByRole('alert').filter({ hasText: 'You weren’t charged' }).waitFor();
  expect(await here.api.call<Event>('GET', `/api/events/${event.id}`)).toMatchObject({
    promotionLevel: 'none',
    isLivestream: false,
  });
  await page.getByLabel('Card number').fill(ASKS_THE_BANK);
  await start.click();
  await page.frameLocator('iframe[title^="3-D Secure"]').getByRole('button', { name: 'Complete' }).click();
  await page.getByText('Your live event is now scheduled and promoted!').first().waitFor();
  await promoted(event.id, 'livestream');

  const listed = async () =>
    (await here.api.call<LiveStream[]>('GET', '/api/live-streams')).find(({ id }) => id === event.id);
  expect(await listed()).toMatchObject({ maxViewers: 250, recordingEnabled: false, isLive: false });
  const visitor = await here.visitor();
  await visitor.goto('/');
  const section = visitor.getByRole('region', { name: 'Live streams' });
  await section.getByRole('heading', { level: 3, name: 'Streamed Go-Go', exact: true }).waitFor();
  await here.api.call('POST', `/api/events/${event.id}/cancel`, {}, { token: organizer.token });
  await expect.poll(listed).toBeUndefined();
  expect(await here.api.call<Event>('GET', `/api/events/${event.id}`)).toMatchObject({
    isLivestream: true,
    livestreamStatus: 'canceled',
  });
});

const BREAKS = '4000000000000770';

test('the provider’s script fails: promotion and ad checkouts show Payment Error, and nothing is charged', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Broken Card' });
  const page = await here.visitor();
  await signedIn(page, organizer);
  await page.goto(`/checkout?level=premium&eventId=${event.id}`);
  await fillCard(page, BREAKS);
  await page.getByRole('button', { name: 'Promote Event - $49.99' }).click();
  await page.getByText('Payment Error', { exact: true }).waitFor();
  await page.getByText('Something went wrong processing your payment.').first().waitFor();
  await page.goto('/ad-checkout?package=basic');
  await page.getByLabel('Business name').fill('The Wharf');
  await page.getByLabel('Contact email').fill('ann@example.com');
  await page.getByRole('textbox', { name: 'Event title' }).fill('Broken Card');
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await fillCard(page, BREAKS);
  await page.getByRole('button', { name: 'Pay $29.99' }).click();
  await page.getByText('Payment Error', { exact: true }).waitFor();
  await page.getByText('An unexpected error occurred. Please try again.').first().waitFor();
  expect((await here.api.call<Event>('GET', `/api/events/${event.id}`)).promotionLevel).toBe('none');
});
