import type { AdPaymentState } from '@beltway/contracts/payments/ads';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { fillCard } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
const DECLINED = '4000000000000002';
const ASKS_THE_BANK = '4000002500003155';

async function describe(page: Page, email: string) {
  await page.getByLabel('Business name').fill('The Wharf');
  await page.getByLabel('Contact email').fill(email);
  await page.getByRole('textbox', { name: 'Event title' }).fill('Go-Go Night');
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
}
const bought = (page: Page) => page.getByRole('heading', { level: 1, name: 'Payment Successful!' }).waitFor();

test('a guest chooses a package, is declined, passes 3-D Secure, and opens the ad by the mailed link', async () => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 } });
  const email = 'wharf.ads@example.test';
  await page.goto('/ad-pricing');
  await page.getByRole('link', { name: 'Get Started: Premium Top Placement' }).click();
  await page.waitForURL('**/ad-checkout?package=top-placement-7d');
  await describe(page, email);
  const pay = page.getByRole('button', { name: 'Pay $149.99' });
  await fillCard(page, DECLINED);
  await pay.click();
  await page.getByRole('alert').filter({ hasText: 'You weren’t charged' }).waitFor();
  await page.getByLabel('Card number').fill(ASKS_THE_BANK);
  await pay.click();
  await page.frameLocator('iframe[title^="3-D Secure"]').getByRole('button', { name: 'Complete' }).click();
  await bought(page);
  await page.getByText('Premium Top Placement').waitFor();
  // The URL does not contain the secret, and a reload works without it.
  expect(page.url()).not.toContain('secret');
  await page.reload();
  await bought(page);

  const mail = await here.api.mailTo(email);
  expect(mail.subject).toBe('Your ad on Beltway: send us your photo and link');
  const link = /https?:\/\/\S+\/ad\/\S+/.exec(mail.text)![0];
  const elsewhere = await here.visitor();
  await elsewhere.goto(link);
  await elsewhere.getByText('Premium Top Placement').first().waitFor();
  expect(elsewhere.url()).not.toContain('key=');
});

test('if webhooks are lost, the return page settles the payment', async () => {
  const page = await here.visitor();
  await page.goto('/ad-checkout');
  await page.getByRole('link', { name: 'Choose: Ultimate Exposure' }).click();
  await here.api.webhooks('lost');
  await describe(page, 'lost.ads@example.test');
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/ad-payment-state'));
  await fillCard(page);
  await page.getByRole('button', { name: 'Pay $149.99' }).click();
  const { status } = (await (await answered).json()) as AdPaymentState;
  expect(status).toBe('paid');
  await bought(page);
  await here.api.webhooks('normal');
});

test('the pages are accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  await page.goto('/ad-pricing');
  await page.getByRole('heading', { name: 'Why advertise' }).waitFor();
  expect(await faultsOf(page), 'pricing').toEqual([]);
  await page.goto('/ad-checkout');
  await page.getByRole('heading', { name: 'Choose your package' }).waitFor();
  expect(await faultsOf(page), 'picker').toEqual([]);
  await page.goto('/ad-checkout?package=basic');
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.getByText('Enter the name of your business').waitFor();
  expect(await faultsOf(page), 'business').toEqual([]);
  await describe(page, 'axe.ads@example.test');
  await page.getByLabel('Card number').waitFor();
  expect(await faultsOf(page), 'payment').toEqual([]);
  await fillCard(page);
  await page.getByRole('button', { name: 'Pay $29.99' }).click();
  await bought(page);
  expect(await faultsOf(page), 'success').toEqual([]);
});
