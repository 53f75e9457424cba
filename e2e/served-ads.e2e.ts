/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AdPayment } from '@beltway/contracts/payments/ads';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { BoughtAd } from '@beltway/contracts/catalog/served-ads';
import type { TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { homeLoaded, signedIn } from './support/pages.ts';
import { stage } from './support/stage.ts';

const here = stage({ demo: true, oneProcess: true });

/** A normal user agent, because views of a headless browser are not counted. */
const A_PERSON = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const PICTURE = join(import.meta.dirname, '..', 'docs', 'screenshot.png');

/** The advertiser's site, and the requests that it received. */
const heard: Array<{ url: string; headers: IncomingHttpHeaders }> = [];
const site = createServer((req, res) => {
  if (req.url !== '/favicon.ico') heard.push({ url: req.url ?? '', headers: req.headers });
  res.setHeader('content-type', 'text/html').end('<!doctype html><title>The Wharf</title><h1>Go-Go at the Wharf</h1>');
});
let landing: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  landing = `http://127.0.0.1:${(site.address() as AddressInfo).port}/go-go?from=beltway`;
});
afterAll(() => void site.close());

const asAdmin = () =>
  here.api.call<Session>('POST', '/api/auth/login', { email: 'admin@beltway.test', password: 'demo-beltway' });

/** Buys an ad as a visitor; returns the mailed link. */
async function buy(
  packageId: string,
  amount: number,
  contactEmail: string,
): Promise<{ link: string; adId: string; key: string }> {
  const businessInfo = { businessName: 'The Wharf', contactEmail, eventTitle: 'Go-Go Night' };
  const { clientSecret } = await here.api.call<AdPayment>('POST', '/api/create-ad-payment-intent', {
    ...{ packageId, amount, businessInfo },
  });
  const paymentIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret'));
  expect(await here.api.confirm({ paymentIntentId, clientSecret } as TicketPaymentIntent)).toBe('succeeded');
  const { text } = await here.api.mailTo(contactEmail);
  const [link = '', adId = '', key = ''] = /http\S+\/ad\/([\w-]+)#key=(\S+)/.exec(text) ?? [];
  return { link: new URL(link).pathname + new URL(link).hash, adId, key };
}

test('an ad is paid, approved, shown and clicked, and then taken off the page', async () => {
  const { link, adId, key } = await buy('banner-7d', 4_999, 'wharf@example.test');
  const figures = () => here.api.call<BoughtAd>('GET', `/api/ads/${adId}`, undefined, { headers: { 'x-ad-key': key } });

  // The buyer submits picture and link, without an account.
  const buyer = await here.visitor();
  await buyer.goto(link);
  await buyer.getByText('Photo needed').waitFor();
  expect(new URL(buyer.url()).hash).toBe('');
  const form = buyer.getByRole('form', { name: 'Your ad' });
  await form.getByLabel('Photo in your ad').setInputFiles(PICTURE);
  await form.getByAltText('The photo you chose').waitFor();
  await form.getByLabel('Title').fill('<b>Go-Go</b> at the Wharf, every Friday night');
  await form.getByLabel('Link').fill('javascript:alert(1)');
  await form.getByLabel('Alt text').fill('A pier at night');
  await form.getByRole('button', { name: 'Send for approval' }).click();
  await form.getByText('must be a web address').waitFor();
  expect(await faultsOf(buyer), 'an ad, refused').toEqual([]);
  await form.getByLabel('Link').fill(landing);
  await form.getByRole('button', { name: 'Send for approval' }).click();
  await buyer.getByText('Waiting for approval').waitFor();
  await buyer.reload();
  await buyer.getByText('Waiting for approval').waitFor();

  // The ad is not shown before an admin approves it.
  const visitor = await here.visitor({ userAgent: A_PERSON, viewport: { width: 1440, height: 900 } });
  await visitor.goto('/');
  await visitor.getByText('Canceled? You get your money back automatically').waitFor();
  const admin = await here.visitor();
  await signedIn(admin, await asAdmin());
  await admin.goto('/admin/ads');
  const waiting = admin.getByRole('article', { name: 'Ad of The Wharf' });
  await waiting.getByRole('link', { name: landing }).waitFor();
  expect(await waiting.locator('b').count()).toBe(0);
  await waiting.getByRole('button', { name: 'Reject', exact: true }).click();
  await waiting.getByLabel('Reason').waitFor();
  expect(await faultsOf(admin), 'ads to approve').toEqual([]);
  await waiting.getByRole('button', { name: 'Cancel' }).click();
  await waiting.getByRole('button', { name: 'Approve' }).click();
  await admin.getByText('All caught up').waitFor();

  // An impression counts only when the ad is on screen.
  await visitor.reload();
  const place = visitor.getByRole('region', { name: /^Sponsored: <b>Go-Go<\/b> at the Wharf/ });
  await place.waitFor();
  expect((await figures()).impressions).toBe(0);
  await place.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await figures()).impressions).toBe(1);

  // A click opens the advertiser's page in a new tab, with only the origin as referrer.
  for (let times = 0; times < 2; times++) {
    const [popup] = await Promise.all([visitor.waitForEvent('popup'), place.getByRole('link').click()]);
    await popup.getByRole('heading', { name: 'Go-Go at the Wharf' }).waitFor();
    expect(popup.url()).toBe(landing);
    expect(await popup.evaluate(() => window.opener as unknown)).toBeNull();
    await popup.close();
  }
  expect(heard.map(({ url }) => url)).toEqual(['/go-go?from=beltway', '/go-go?from=beltway']);
  for (const { headers } of heard) {
    expect(JSON.stringify(headers)).not.toContain(key);
    expect([undefined, `${here.beltway.url}/`]).toContain(headers.referer);
  }
  await expect.poll(async () => (await figures()).clicks).toBe(1);
  await buyer.reload();
  await buyer.getByText('1 of 5,000').waitFor();
  expect(await faultsOf(buyer), 'a running ad').toEqual([]);
  expect(await faultsOf(visitor), 'home with an ad').toEqual([]);

  // After an admin takes the ad off, the next page omits it, and the buyer sees the reason.
  await admin.getByLabel('Show').selectOption('Running');
  const shown = admin.getByRole('article', { name: 'Ad of The Wharf' });
  await shown.getByRole('button', { name: 'Take off the page' }).click();
  await shown.getByLabel('Reason').fill('The pier is closed');
  await shown.getByRole('button', { name: 'Take off the page' }).click();
  await admin.getByText('No ads are running').waitFor();
  await visitor.reload();
  await visitor.getByText('Canceled? You get your money back automatically').waitFor();
  expect(await place.count()).toBe(0);
  await buyer.reload();
  await buyer.getByText('The pier is closed').waitFor();
});

test('the access key in a mailed link leaks to no other page, and the ad is private without the key', async () => {
  const { link, adId } = await buy('campaign-30d', 19_999, 'block@example.test');
  const page = await here.visitor({ viewport: { width: 412, height: 823 } });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''));
  await page.goto(link);
  await page.getByText('Photo needed').waitFor();
  await page.getByRole('button', { name: 'Links, contact and policies' }).click();
  await page.getByRole('link', { name: 'Privacy' }).click();
  await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
  expect(addresses.filter((address) => address.includes('key='))).toEqual([]);
  const stranger = await here.visitor();
  await stranger.goto(`/ad/${adId}`);
  await stranger.getByRole('heading', { name: 'No ad here' }).waitFor();
  expect(await faultsOf(stranger), 'an ad without its key').toEqual([]);
});

test.each([
  ['a phone', { width: 412, height: 823 }],
  ['a desk', { width: 1440, height: 900 }],
])('on %s ads take no more space than house ads in the same slots', async (_name, viewport) => {
  const { token } = await asAdmin();
  const imageUrl = `data:image/png;base64,${readFileSync(PICTURE).toString('base64')}`;
  for (const [packageId, amount] of [
    ['enterprise', 9_999],
    ['basic', 2_999],
    ['premium', 4_999],
  ] as const) {
    const { adId, key } = await buy(packageId, amount, `${packageId}.${viewport.width}@example.test`);
    const content = { imageUrl, linkUrl: landing, title: 'Go-Go at the Wharf, every Friday', alt: 'A pier' };
    await here.api.call('PUT', `/api/ads/${adId}/content`, content, { headers: { 'x-ad-key': key } });
    const review = { action: 'approve', submission: 1 };
    await here.api.call('POST', `/api/admin/ads/${adId}/review`, review, { token });
  }
  const page = await here.visitor({ viewport });
  // The page's height and the search box's position, first with house ads only, then with sponsored ones.
  const measured = async () => {
    await page.getByRole('article').first().waitFor();
    await homeLoaded(page);
    await page.waitForLoadState('networkidle');
    const search = await page.getByRole('searchbox', { name: 'Search events' }).boundingBox();
    return [Math.round(search!.y), await page.evaluate(() => document.documentElement.scrollHeight)];
  };
  /** Waits until the sizes are stable for a second, because sections load late on a busy machine. */
  const settledSizes = async () => {
    let last = await measured();
    for (let tries = 0; tries < 30; tries++) {
      await page.waitForTimeout(1_000);
      const now = await measured();
      if (String(now) === String(last)) break;
      last = now;
    }
    return last;
  };
  await page.route('**/api/ads?*', (route) => route.abort());
  await page.goto('/');
  await page.getByText('Canceled? You get your money back automatically').waitFor();
  const before = await settledSizes();
  await page.unroute('**/api/ads?*');
  await page.reload();
  await expect.poll(() => page.getByRole('region', { name: /^Sponsored/ }).count()).toBe(2);
  expect(await settledSizes()).toEqual(before);
});
