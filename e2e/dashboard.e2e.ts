import { expect, test } from 'vitest';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

test('a refund in the provider’s dashboard makes the tickets void; if that refund fails, another refund is sent', async () => {
  const { event } = await here.api.organize({ title: 'Dashboard Night' });
  const email = `dash.${event.id}@example.test`;
  const order = await here.api.intent(event.id, 2, email);
  expect(await here.api.confirm(order)).toBe('succeeded');
  await here.api.fulfilled(order);
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 2, held: 0 });

  // The mail must be sent before the refund, because void tickets are not mailed.
  expect(await here.api.mailTo(email)).toBeDefined();

  const page = await here.visitor();
  await page.goto('/dev/payments');
  const payment = page.locator('li.intent').first();
  await payment.getByText(order.paymentIntentId).waitFor();
  await payment.getByRole('button', { name: 'Refund all' }).click();
  const statusIs = (status: string) => expect.poll(async () => (await here.api.order(order)).status).toBe(status);
  await statusIs('refunded');
  expect((await here.api.order(order)).tickets.every((ticket) => ticket.status === 'refunded')).toBe(true);
  await expect.poll(async () => (await here.api.stock(event.id)).sold).toBe(0);
  // One mail has the tickets, and the other mail reports that the tickets are void and refunded.
  await expect.poll(async () => (await here.api.mailsTo(email)).length).toBe(2);

  await payment.getByRole('button', { name: 'Let it fail' }).click();
  // The next refund follows immediately.
  await payment.getByText('refund succeeded').waitFor();
  await payment.getByText('refund failed').waitFor();
  await statusIs('refunded');
  // One mail reports that the refund failed, and another mail reports that the next refund was sent.
  await expect.poll(async () => (await here.api.mailsTo(email)).length).toBeGreaterThan(2);

  const alerts = await here.api.ask('GET', '/api/platform/alerts');
  expect(alerts.status).toBe(401);
});
