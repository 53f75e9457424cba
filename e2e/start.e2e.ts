import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBeltway, type Beltway } from './support/beltway.ts';
import { browser } from './support/browser.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'beltway-start-'));
let chromium: Browser;
let beltway: Beltway | undefined;
beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  await chromium?.close();
  await beltway?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const register = (url: string, path: string) =>
  fetch(`${url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Maya Chen', email: 'maya@example.test', password: 'orange-line-42' }),
  });

test('a fresh folder is ready, shows its page without an error, and has its data after a kill', async () => {
  beltway = await startBeltway({ dataDir });
  const page = await chromium.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(beltway.url);
  await page.locator('h1').first().waitFor();
  expect(errors).toEqual([]);
  await page.close();

  expect((await register(beltway.url, 'register')).ok).toBe(true);
  await beltway.kill();
  beltway = await startBeltway({ dataDir });
  expect((await register(beltway.url, 'login')).status).toBe(200);
  expect(await beltway.stop()).toBe(0);
  beltway = undefined;
});
