/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** A picture like a phone's photo, with many distinct pixels and more bytes than the media service accepts. */
const largePhoto = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 3_600, height: 2_700 });
    const context = canvas.getContext('2d')!;
    const picture = context.createImageData(canvas.width, canvas.height);
    let seed = 1;
    for (let at = 0; at < picture.data.length; at++)
      picture.data[at] = at % 4 === 3 ? 255 : (seed = (seed * 48_271) % 2_147_483_647) & 255;
    context.putImageData(picture, 0, 0);
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!;
  });

test('the launch dialog accepts a price with a comma and phone photos, and ignores the mouse wheel', async () => {
  const { organizer } = await here.api.organize();
  const page = await here.visitor({ viewport: SIZES[1]!, reducedMotion: 'reduce' });
  await signedIn(page, organizer);
  await page.goto('/#launch');
  const dialog = page.getByRole('dialog', { name: 'Add New Event' });
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  await dialog.getByRole('switch', { name: 'Sell tickets' }).click();
  const [price, total] = [dialog.getByLabel('Ticket price in $'), dialog.getByLabel('Total tickets')];
  await price.pressSequentially('12,50');
  await total.pressSequentially('100');
  await total.hover();
  await page.mouse.wheel(0, 200);
  expect([await price.inputValue(), await total.inputValue()]).toEqual(['12,50', '100']);

  const photo = dialog.getByLabel('Event photo');
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'.padEnd(4_096, '\0'), 'latin1');
  await photo.setInputFiles({ name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: heic });
  await toast.getByText('HEIC photos don’t work here').waitFor();
  await photo.setInputFiles({
    name: 'a.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('Dear Ann, this is a letter'),
  });
  await toast.getByText('Please select an image file (JPG, PNG, GIF, etc.)').waitFor();
  expect(await dialog.getByAltText('Preview of your event photo').count()).toBe(0);
  const buffer = Buffer.from(await largePhoto(page), 'base64');
  expect(buffer.length).toBeGreaterThan(5 * 1024 * 1024);
  await photo.setInputFiles({ name: 'IMG_0002.jpg', mimeType: 'image/jpeg', buffer });
  await toast.getByText('Image Uploaded').waitFor();
  const preview = dialog.getByAltText('Preview of your event photo');
  await expect.poll(() => preview.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1_600);
});

test.each(SIZES)('a fractional or negative quantity gets an error at $width pixels', async (viewport) => {
  const { event } = await here.api.organize();
  const page = await here.visitor({ viewport, reducedMotion: 'reduce' });
  await page.goto(`/ticket-checkout?eventId=${event.id}`);
  const quantity = page.getByRole('textbox', { name: 'Number of tickets' });
  for (const typed of ['-3', '2.7']) {
    await quantity.fill(typed);
    await quantity.press('Tab');
    await page.getByText('Enter a whole number from 1 to 10').waitFor();
    expect(await quantity.inputValue()).toBe(typed);
  }
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${viewport.width}-quantity.png` });
  await quantity.fill('2');
  await quantity.press('Tab');
  await page.getByText('Enter a whole number').waitFor({ state: 'hidden' });
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
});
