import type { Event } from '@beltway/contracts/catalog';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { register, signedIn } from './support/pages.ts';
import { stage } from './support/stage.ts';

const here = stage();

/** A headless browser says that it is one, and is passed over as a program. */
const A_PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

test('a visitor saves an event by signing up, likes it, says who comes, and its organiser sees that and who looked', async () => {
  const { organiser, event } = await here.api.organise({ title: 'Porch Concert' });
  const counts = async () => (await here.api.call<Event>('GET', `/api/events/${event.id}`)).counts;

  const page = await here.visitor({ userAgent: A_PERSON });
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Sign in, and the event is saved for you.').waitFor();
  await page.getByRole('tab', { name: 'Register' }).click();
  const form = page.getByRole('form', { name: 'Register' });
  await form.getByLabel('Name', { exact: true }).fill('Bea Bookmark');
  await form.getByLabel('Email').fill('bea.bookmark@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL(new RegExp(`/event/${event.id}$`));
  await page.getByRole('button', { name: 'Saved', pressed: true }).waitFor();

  await page.getByRole('button', { name: /^Like/ }).click();
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Going' }).click();
  await expect.poll(counts).toMatchObject({ likes: 1, going: 1, interested: 0 });
  await page.reload();
  await page.getByRole('button', { name: 'Going', pressed: true }).waitFor();
  await page.getByRole('button', { name: /^Like/, pressed: true }).waitFor();
  expect(await faultsOf(page), 'event').toEqual([]);

  await page.goto('/saved');
  const card = page.getByRole('region', { name: 'Upcoming' }).getByRole('article');
  await card.getByRole('button', { name: 'Save Porch Concert', pressed: true }).waitFor();
  expect(await faultsOf(page), 'saved').toEqual([]);
  await card.getByRole('button', { name: 'Save Porch Concert' }).click();
  await card.getByRole('button', { name: 'Save Porch Concert', pressed: false }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor();

  // Bea looked twice and counts once; a program does not count.
  await fetch(new URL(`/api/events/${event.id}/view`, here.beltway.url), { method: 'POST' });
  await expect.poll(async () => (await counts())?.views).toBe(1);
  const business = await here.visitor();
  await signedIn(business, organiser);
  await business.goto('/#dashboard');
  const own = business.getByRole('article').filter({ hasText: 'Porch Concert' });
  const figure = (name: string) => own.getByText(name, { exact: true }).locator('xpath=following-sibling::dd');
  for (const [name, number] of [
    ['Views', '1'],
    ['Likes', '1'],
    ['Going', '1'],
    ['Shares', '0'],
  ] as const)
    await expect.poll(() => figure(name).textContent()).toBe(number);
});

test('what one did stays with the account: another one on the same device sees none of it', async () => {
  const { event } = await here.api.organise({ title: 'Shared Tablet' });
  const page = await here.visitor();
  await register(page, 'First', 'first.engaged@example.test');
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: /^Like/ }).click();
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/\/auth$/);
  await register(page, 'Second', 'second.engaged@example.test');
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: false }).waitFor();
});
