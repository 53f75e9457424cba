/// <reference lib="dom" />
import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedStage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = sharedStage();

interface Point {
  x: number;
  y: number;
}

/** Moves fingers by this distance in small steps. */
async function drag(input: CDPSession, fingers: Point[], by: Point): Promise<void> {
  const at = (share: number) =>
    fingers.map(({ x, y }, id) => ({ x: Math.round(x + by.x * share), y: Math.round(y + by.y * share), id }));
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= 10; step++)
    await input.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 10) });
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('on a phone one finger on the map scrolls the page, and two move the map', async () => {
  await here.api.organize({ location: 'Shaw, Washington, DC' });
  const page = await here.visitor({
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  });
  await page.goto('/?view=map');
  const map = page.getByRole('region', { name: 'Map', exact: true });
  const marker = map.locator('[data-marker]').first();
  await marker.waitFor();
  await map.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  /**
   * The marker's position in the map and the page's scroll position, read together. Retries, because a new map size
   * replaces the markers.
   */
  const state = () =>
    eventually(
      () =>
        marker.evaluate((pin) => {
          const frame = pin.closest('[role=region]')?.getBoundingClientRect();
          const at = pin.getBoundingClientRect();
          return frame && { x: Math.round(at.x - frame.x), y: Math.round(at.y - frame.y), top: scrollY };
        }),
      { what: 'a marker is in the map' },
    );
  const middle = async (): Promise<Point> => {
    const { x, y, width, height } = (await map.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const input = await page.context().newCDPSession(page);
  const before = await state();

  // The hint disappears after a moment.
  const hint = page.getByText('Use two fingers to move the map').waitFor();
  await drag(input, [await middle()], { x: 0, y: -150 });
  await hint;
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/map-hint.png` });
  await expect.poll(async () => (await state()).top).toBeGreaterThan(before.top + 50);
  expect(await state()).toMatchObject({ x: before.x, y: before.y });

  await page.getByText('Use two fingers to move the map').waitFor({ state: 'hidden' });
  await map.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const top = async () => Math.round((await map.boundingBox())!.y);
  const still = await top();
  const { x, y } = await middle();
  const two = [
    { x: x - 60, y },
    { x: x + 60, y },
  ];
  await drag(input, two, { x: 0, y: -80 });
  await expect.poll(async () => (await state()).y).toBeLessThan(before.y - 40);
  expect(await top(), 'the map on the screen').toBe(still);

  // In full screen there is no page to scroll.
  await page.getByRole('button', { name: 'Expand the map' }).click();
  await page.getByRole('dialog', { name: 'Map of events' }).waitFor();
  const full = await state();
  await drag(input, [await middle()], { x: 0, y: 80 });
  await expect.poll(async () => (await state()).y).toBeGreaterThan(full.y + 40);
});
