/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { codes, fillCard, fillDetails, homeLoaded, pay } from './support/pages.ts';
import { PATIENCE_MS, stage } from './support/stage.ts';

// This story uses a separate system, because data that other stories add would make blocks of the page longer.
const here = stage({ demo: true, oneProcess: true });

/**
 * Returns positions on the home page in pixels from its top, after scrolling through the page so that everything loads.
 */
async function placesOf(page: Page) {
  await page.goto('/');
  await homeLoaded(page);
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
      // `main` clips wide content, so its scroll width is measured too.
      overflow:
        Math.max(document.documentElement.scrollWidth, document.querySelector('main')!.scrollWidth) - innerWidth,
    };
  });
}

test.each([
  ['a phone', { width: 390, height: 844 }, { search: 300, events: 3, list: 2_400, page: 9_000, card: 337 }],
  ['a desk', { width: 1440, height: 900 }, { search: 300, events: 6, list: 1_500, page: 9_000, card: 480 }],
] as const)('the first screen of %s has search and events, with the list close below', async (name, viewport, most) => {
  const places = await placesOf(await here.visitor({ viewport, reducedMotion: 'reduce' }));
  console.log(`${name}: ${JSON.stringify(places)}`);
  expect(places.search).toBeLessThanOrEqual(most.search);
  expect(places.inFirstScreen).toBeGreaterThanOrEqual(most.events);
  expect(places.list).toBeLessThanOrEqual(most.list);
  // At least two and a half cards fit on a phone screen.
  expect(places.card).toBeLessThanOrEqual(most.card);
  expect(places.page).toBeLessThanOrEqual(most.page);
  expect(places.overflow).toBe(0);
});

test('a search field is visible at every scroll position, and Enter searches before any script', async () => {
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

test('a guest on a phone gets from the home page to two tickets in six taps', async () => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    // Taps and clicks, not the keys of a form.
    addEventListener('click', ({ detail }) => detail > 0 && console.debug(`tap ${detail}`), true);
  });
  let taps = 0;
  page.on('console', (message) => void (message.text().startsWith('tap ') && taps++));
  await page.goto('/');
  const buy = page.getByRole('main').getByRole('link', { name: /^Buy Tickets/ });
  await buy.first().click();
  await fillDetails(page, 'Gail Guest', 'gail.taps@example.test', 2);
  await fillCard(page);
  await pay(page);
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  console.log(`taps: ${taps}`);
  expect(taps).toBeGreaterThan(2);
  expect(taps).toBeLessThanOrEqual(6);
});

test('the first Buy is at most 30 tab stops from the start of the home page, with the link to the events', async () => {
  const page = await here.visitor({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await placesOf(page);
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).innerText);
  let stops = 0;
  const tabTo = async (text: RegExp) => {
    do await page.keyboard.press('Tab');
    while (++stops < 130 && !text.test(await focused()));
  };
  await tabTo(/^Skip to events$/);
  await page.keyboard.press('Enter');
  await tabTo(/^Buy Tickets/);
  console.log(`tab stops: ${stops}`);
  expect(stops).toBeLessThanOrEqual(30);
});
