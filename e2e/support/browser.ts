import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.mjs';

/** A headless Chromium. Each story opens its own context in it and closes the browser at the end. */
export async function browser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium found: run `node scripts/setup.mjs --browser`, or set CHROME_PATH.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A fake camera. Headless Chromium cannot show the permission prompt.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });
}
