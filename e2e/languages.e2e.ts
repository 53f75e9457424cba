/// <reference lib="dom" />
import { expect, test } from 'vitest';
import { beyondTheEdge } from './support/looks.ts';
import { stage } from './support/stage.ts';

const here = stage({ demo: true });

const PHONE = { width: 390, height: 844 };

test('Amharic and Arabic stay on a phone’s screen, from left to right and from right to left', async () => {
  const page = await here.visitor({ viewport: PHONE });
  for (const dir of ['ltr', 'rtl']) {
    await page.goto(`/test/scripts?dir=${dir}`);
    await page.getByRole('article').nth(1).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe(dir);
    expect(await beyondTheEdge(page), dir).toEqual([]);
    // The mark stands where lines begin.
    const { x } = (await page.getByRole('banner').getByRole('link', { name: 'Beltway' }).boundingBox())!;
    expect(x > PHONE.width / 2, dir).toBe(dir === 'rtl');
  }
});
