/// <reference lib="dom" />
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { faultsOf } from './support/looks.ts';
import { codes, register } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/auth');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill('demo-beltway');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Welcome back!').first().waitFor();
}
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('beltway.tickets'));

/** Whether the service worker has cached the whole shell. */
const isReady = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    return (await caches.keys()).some((name) => name.startsWith('beltway-shell-'));
  });

test('offline, stored tickets open but prices are hidden; the next person on the device sees no tickets', async () => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 } });
  const context = page.context();
  await signIn(page, 'explorer@beltway.test');
  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  // Tickets are stored shortly after the page loads, even if My Tickets was never opened.
  await expect.poll(() => kept(page)).not.toBeNull();
  await expect.poll(() => isReady(page)).toBe(true);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await context.setOffline(true);
  await page.goto('/my-tickets');
  await page.getByText(/^As of /).waitFor();
  await expect.poll(() => codes(page).count()).toBeGreaterThan(0);
  await page
    .getByRole('button', { name: /Larger/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('img', { name: /^QR code of ticket/ })
    .waitFor();
  await page.keyboard.press('Escape');
  expect(await faultsOf(page), 'my tickets offline').toEqual([]);

  // The page does not store events, so that it never shows an outdated price.
  await page.goto('/');
  await page.getByText(/^You’re offline/).waitFor();
  await page.getByRole('alert').first().waitFor();
  // Only the prices of advertising may appear, because they are part of the page's code.
  expect(
    await page
      .getByText(/\$\d/)
      .filter({ hasNotText: /per week/ })
      .count(),
  ).toBe(0);
  expect(await page.getByRole('article').count()).toBe(0);
  expect(await faultsOf(page), 'home offline').toEqual([]);
  // The page's code is not cached. The app reports that as a missing connection, not as a crash.
  await page.goto('/gallery');
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  expect(await page.getByText('Something went wrong').count()).toBe(0);
  const answers = await page.evaluate(async () => {
    const asked = await Promise.allSettled(['/api/events', '/api/tickets/my-tickets'].map((path) => fetch(path)));
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { asked: asked.map(({ status }) => status), paths: all.flat().map(({ url }) => new URL(url).pathname) };
  });
  expect(answers.asked).toEqual(['rejected', 'rejected']);
  expect(
    answers.paths.filter((path) => !/^\/(assets\/|offline\.html$|favicon\.svg$|manifest\.webmanifest$)/.test(path)),
  ).toEqual([]);

  // Online again, the tickets come from the server.
  await context.setOffline(false);
  await page.goto('/my-tickets');
  await expect.poll(() => codes(page).count()).toBeGreaterThan(0);
  expect(await page.getByText(/^As of /).count()).toBe(0);

  // Signing out without a network deletes everything that was stored, which protects users of a shared device.
  await context.setOffline(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/auth/);
  expect(await kept(page)).toBeNull();
  await page.goto('/my-tickets');
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  expect(await codes(page).count()).toBe(0);

  await context.setOffline(false);
  await register(page, 'Nele Next', 'nele@example.test');
  await expect.poll(() => kept(page)).not.toBeNull();
  expect(await kept(page)).toContain('"tickets":[]');
  await context.setOffline(true);
  await page.goto('/my-tickets');
  await page.getByRole('heading', { name: 'Couldn’t load your tickets' }).waitFor();
  expect(await codes(page).count()).toBe(0);
  await context.setOffline(false);
});

test('signing in with another account in another tab deletes the first account’s data', async () => {
  const page = await here.visitor();
  await signIn(page, 'explorer@beltway.test');
  await page.goto('/my-tickets');
  await expect.poll(() => codes(page).count()).toBeGreaterThan(0);
  await expect.poll(() => kept(page)).not.toBeNull();
  const owner = (JSON.parse((await kept(page))!) as { userId: number }).userId;

  const other = await page.context().newPage();
  await other.setViewportSize({ width: 1440, height: 900 });
  await other.goto('/my-tickets');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL(/\/auth/);
  await expect.poll(() => kept(page)).toBeNull();
  await signIn(other, 'business@beltway.test');
  expect((await kept(page)) ?? '').not.toContain(`"userId":${owner},`);
  await expect.poll(() => isReady(page)).toBe(true);
  await page.context().setOffline(true);
  await page.goto('/my-tickets');
  await page.getByRole('heading', { level: 1, name: 'My Tickets' }).waitFor();
  expect((await kept(page)) ?? '').not.toContain(`"userId":${owner},`);
  await page.context().setOffline(false);
});
