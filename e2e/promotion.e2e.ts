import type { Event } from '@beltway/contracts/catalog';
import type { ConfirmedPromotion, PromotionPayment } from '@beltway/contracts/promotion';
import { expect, test } from 'vitest';
import { stage } from './support/stage.ts';

const here = stage();

/** What the card form needs of a promotion's payment. */
async function intentFor(token: string, promotionLevel: string, eventId: number) {
  const ask = () =>
    here.api.ask<PromotionPayment>('POST', '/api/create-promotion-payment', { promotionLevel, eventId }, { token });
  // Payments hears of a new event by a message.
  await expect.poll(async () => (await ask()).status).toBe(200);
  const { body } = await ask();
  const paymentIntentId = body.clientSecret.slice(0, body.clientSecret.indexOf('_secret'));
  return { ...body, paymentIntentId, orderId: '', accessKey: '', holdUntil: '' } as unknown as Parameters<
    typeof here.api.confirm
  >[0] & { amount: number };
}
const promoted = (id: number, level: string) =>
  expect.poll(async () => (await here.api.call<Event>('GET', `/api/events/${id}`)).promotionLevel).toBe(level);

test('a declined card promotes nothing; the next one does, though the page is closed: the webhook is enough', async () => {
  const { organiser, event } = await here.api.organise({ title: 'Promoted Go-Go' });
  const intent = await intentFor(organiser.token, 'featured', event.id);
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

test('confirmed by the page, a premium promotion is in force; what is paid for a cancelled event goes back', async () => {
  const { organiser, event } = await here.api.organise();
  const { token } = organiser;
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
  await promoted(event.id, 'none');
  expect((await here.api.invariants()).checks).toSatisfy((checks: Array<{ ok: boolean }>) =>
    checks.every(({ ok }) => ok),
  );
});
