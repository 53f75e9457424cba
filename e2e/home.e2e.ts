/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PATIENCE_MS, sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });

/** Where things are on the home page, in pixels below its top, once all of it was near the screen. */
async function placesOf(page: Page) {
  await page.goto('/');
  for (const name of ['Live Streams', 'Beltway in numbers', 'Happening Now'])
    await page.getByRole('region', { name, exact: true }).waitFor();
  await page.getByRole('heading', { name: /^Weather in/ }).waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const top = (selector: string) =>
      Math.round((document.querySelector(selector)?.getBoundingClientRect().top ?? Infinity) + scrollY);
    const bar = document.querySelector('nav[aria-label="Bottom"]')!.getBoundingClientRect();
    const isSeen = ({ top: from, bottom, left, right, height }: DOMRect) =>
      height > 0 && from >= 0 && bottom <= (bar.height ? bar.top : innerHeight) && left >= 0 && right <= innerWidth;
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/event/"]')];
    const seen = links.filter((link) => isSeen(link.getBoundingClientRect())).map(({ pathname }) => pathname);
    const cards = [...document.querySelectorAll('#events article')].map((card) => card.getBoundingClientRect().height);
    return {
      search: top('main input[type="search"]'),
      inFirstScreen: new Set(seen).size,
      list: top('#events article'),
      card: Math.max(...cards.map(Math.round)),
      page: document.documentElement.scrollHeight,
      overflow: document.documentElement.scrollWidth - innerWidth,
    };
  });
}

test.each([
  ['a phone', { width: 390, height: 844 }, { search: 300, events: 3, list: 2_400, page: 9_000, card: 337 }],
  ['a desk', { width: 1440, height: 900 }, { search: 300, events: 6, list: 1_500, page: 9_000, card: 480 }],
] as const)('the first screen of %s has the search and events, and the list is near', async (name, viewport, most) => {
  const places = await placesOf(await here.visitor({ viewport, reducedMotion: 'reduce' }));
  console.log(`${name}: ${JSON.stringify(places)}`);
  expect(places.search).toBeLessThanOrEqual(most.search);
  expect(places.inFirstScreen).toBeGreaterThanOrEqual(most.events);
  expect(places.list).toBeLessThanOrEqual(most.list);
  // Two and a half cards to a screen of a phone.
  expect(places.card).toBeLessThanOrEqual(most.card);
  expect(places.page).toBeLessThanOrEqual(most.page);
  expect(places.overflow).toBe(0);
});

test('a search field is in view wherever one scrolls, and Enter searches before any script', async () => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const { page: height } = await placesOf(page);
  for (let top = 0; top < height - 1_700; top += 400) {
    await page.evaluate((to) => scrollTo(0, to), top);
    const fields = await page.getByRole('searchbox').all();
    const boxes = await Promise.all(fields.map((field) => field.boundingBox()));
    expect(
      boxes.some((box) => box !== null && box.y >= 60 && box.y < 844),
      `${top} pixels down`,
    ).toBe(true);
  }
  const still = await here.visitor({ javaScriptEnabled: false });
  await expect
    .poll(
      async () => {
        await still.goto('/');
        return still.getByRole('searchbox').count();
      },
      { timeout: PATIENCE_MS },
    )
    .toBe(1);
  await still.getByRole('searchbox').fill('jazz');
  await still.getByRole('searchbox').press('Enter');
  await still.waitForURL('**/?q=jazz');
});

test('a link to the map opens at the map', async () => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await page.goto('/?view=map');
  const map = page.getByRole('tab', { name: 'Map', selected: true });
  await map.waitFor();
  await expect.poll(async () => (await map.boundingBox())?.y, { timeout: PATIENCE_MS }).toBeLessThan(300);
});
