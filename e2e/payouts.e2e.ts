import type { Payouts } from '@beltway/contracts/payments/payouts';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

test('an organizer sets up payouts: earlier sales are transferred, later sales arrive directly; canceling the event reverses all', async () => {
  // The owed amount stays below the minimum of the Friday payout.
  const { organizer, event } = await here.api.organize({ title: 'Paid-out Go-Go', ticketPrice: 10 });
  const { token } = organizer;
  const buy = async () => {
    const order = await here.api.intent(event.id, 1);
    expect(await here.api.confirm(order)).toBe('succeeded');
    await here.api.fulfilled(order);
  };
  const payouts = () => here.api.call<Payouts>('GET', '/api/payouts', undefined, { token });
  const figures = async () => {
    const { state, owedCents, balanceCents } = await payouts();
    return { state, owedCents, balanceCents };
  };
  await buy();
  await expect.poll(figures).toEqual({ state: 'none', owedCents: 950, balanceCents: 0 });

  const page = await here.visitor();
  await signedIn(page, organizer);
  await page.goto('/dashboard');
  const setUp = page.getByRole('button', { name: 'Set up payouts' });
  await setUp.waitFor();
  expect(await faultsOf(page), 'payouts, not set up').toEqual([]);
  await setUp.click();
  await page.getByRole('button', { name: 'Leave without finishing' }).click();
  await page.getByText('Not finished', { exact: true }).waitFor();
  expect(await faultsOf(page), 'the page the set-up leads back to').toEqual([]);
  await page.getByRole('button', { name: 'Continue setup' }).click();
  await page.getByRole('button', { name: 'Complete the set-up' }).click();
  await page.getByText('Ready', { exact: true }).waitFor();
  await expect.poll(figures).toEqual({ state: 'ready', owedCents: 0, balanceCents: 950 });

  await buy();
  await expect.poll(figures).toEqual({ state: 'ready', owedCents: 0, balanceCents: 1_900 });
  const { history } = await payouts();
  expect(history.map(({ kind, amountCents, eventId }) => [kind, amountCents, eventId])).toEqual([
    ['transfer', 950, event.id],
    ['transfer', 950, event.id],
  ]);
  await page.getByRole('link', { name: 'Your dashboard' }).click();
  await page.getByText('To your account').first().waitFor();
  expect(await faultsOf(page), 'payouts').toEqual([]);

  // A used link redirects to a fresh link.
  await page.goto('/payouts/refresh');
  await page.getByRole('heading', { name: 'Set up payouts' }).waitFor();

  await here.api.call('POST', `/api/events/${event.id}/cancel`, {}, { token });
  await expect.poll(figures).toEqual({ state: 'ready', owedCents: 0, balanceCents: 0 });
  const { checks } = await here.api.invariants();
  expect((checks as Array<{ ok: boolean }>).filter(({ ok }) => !ok)).toEqual([]);
});
