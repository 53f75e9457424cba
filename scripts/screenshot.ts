import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startBeltway } from '../e2e/support/beltway.ts';
import { browser } from '../e2e/support/browser.ts';
import { root } from './launcher/settings.ts';

/**
 * `npm run screenshot` creates the README's picture, docs/screenshot.png: the home page with the sample data, on a
 * fresh copy.
 */
const file = join(root, 'docs', 'screenshot.png');
const [beltway, chromium] = await Promise.all([startBeltway({ demo: true }), browser()]);
try {
  const page = await chromium.newPage({
    baseURL: beltway.url,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
  });
  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: file });
  console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
} finally {
  await chromium.close();
  await beltway.stop();
}
