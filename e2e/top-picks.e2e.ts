/// <reference lib="dom" />
import type { Session } from '@beltway/contracts/identity/accounts';
import type { TopPick } from '@beltway/contracts/media/top-picks';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { clipOf } from './support/clip.ts';
import { faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });

/** A normal user agent, because views of a headless browser are not counted. */
const A_PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const MEGABYTE = 1024 * 1024;
const TITLE = 'Doors at the Wharf';

const cardOf = (page: Page) => page.getByRole('article', { name: TITLE });

/** Limits the page's upload rate to bytes per second; -1: unlimited. */
async function lineOf(page: Page): Promise<(uploadThroughput: number) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  return (uploadThroughput) =>
    session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
    });
}

test('a video is uploaded, found by category, played from any position, liked, reported and moderated', async () => {
  const page = await here.visitor({ userAgent: A_PERSON });
  await signedIn(page, await here.api.register('Uma Uploader'));
  await page.goto('/top-picks');
  await page.getByRole('button', { name: 'Upload video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload video' });
  const form = dialog.getByRole('form', { name: 'Upload video' });
  await form.getByLabel('Title').fill(TITLE);
  await form.getByLabel('Category').selectOption({ label: 'Venue' });
  await form.getByLabel('Video file').setInputFiles({
    ...{ name: '../../doors.mp4', mimeType: 'video/mp4', buffer: clipOf(20 * MEGABYTE) },
  });
  expect(await faultsOf(page), 'the form').toEqual([]);

  // On a slow connection the upload shows progress and can be canceled.
  const line = await lineOf(page);
  await line(MEGABYTE);
  await dialog.getByRole('button', { name: 'Upload video' }).click();
  await dialog.getByRole('button', { name: /^Uploading… [1-9]\d?%$/ }).waitFor();
  expect(Number(await dialog.getByRole('progressbar').getAttribute('value'))).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Cancel upload' }).click();
  await dialog.getByText('Upload canceled. Nothing was saved.').waitFor();
  await line(-1);
  await dialog.getByRole('button', { name: 'Upload video' }).click();
  await page.getByText('Video Uploaded Successfully!').first().waitFor();
  await cardOf(page).waitFor();
  // The video was sent twice but is stored once.
  expect(await cardOf(page).count()).toBe(1);

  const visitor = await here.visitor({ userAgent: A_PERSON });
  const asked: Request[] = [];
  visitor.on('request', (request) => request.url().includes('/media/videos/') && asked.push(request));
  await signedIn(visitor, await here.api.register('Vic Viewer'));
  await visitor.goto('/top-picks');
  await visitor.getByRole('button', { name: 'Highlight' }).click();
  await visitor.waitForURL(/videos=highlight/);
  await expect.poll(() => cardOf(visitor).count()).toBe(0);
  await visitor.getByRole('button', { name: 'Venue' }).click();
  await cardOf(visitor).waitFor();
  expect(await faultsOf(visitor), 'the list').toEqual([]);

  await cardOf(visitor)
    .getByRole('button', { name: `Play ${TITLE}` })
    .click();
  const player = visitor.getByRole('dialog', { name: TITLE });
  const { hash } = new URL(visitor.url());
  const video = player.locator('video');
  await video.evaluate(async (element: HTMLVideoElement) => {
    await element.play();
    element.pause();
    await new Promise((resolve) => {
      element.addEventListener('seeked', resolve, { once: true });
      element.currentTime = 3.2;
    });
  });
  expect(await video.evaluate((element: HTMLVideoElement) => [element.duration, element.currentTime])).toEqual([
    4, 3.2,
  ]);
  // The player needs data at the end of a 20 MB file. It requested only that range instead of the whole file.
  const ranges = await Promise.all(
    asked.map(async (request) => {
      const answer = await request.response();
      return {
        status: answer?.status(),
        from: Number(/=(\d+)-/.exec((await request.allHeaders())['range'] ?? '')?.[1]),
      };
    }),
  );
  expect(new Set(ranges.map(({ status }) => status))).toEqual(new Set([206]));
  expect(Math.max(...ranges.map(({ from }) => from))).toBeGreaterThan(19 * MEGABYTE);
  expect(await faultsOf(visitor), 'the player').toEqual([]);

  await player.getByRole('button', { name: /^Like/ }).click();
  await player.getByRole('button', { name: /^Like.*1 like$/, pressed: true }).waitFor();
  await player.getByRole('button', { name: 'Report' }).click();
  const report = visitor.getByRole('dialog', { name: 'Report this video' });
  await report.getByLabel('Someone else’s video or music').check();
  await report.getByRole('button', { name: 'Report', exact: true }).click();
  await visitor.getByText('Video reported').first().waitFor();

  const admin = await here.visitor();
  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  await signedIn(admin, await here.api.call<Session>('POST', '/api/auth/login', login));
  await admin.goto('/admin/top-picks');
  const check = cardOf(admin);
  await check.getByText('Someone else’s video or music').waitFor();
  expect(await faultsOf(admin), 'what admins see').toEqual([]);
  await check.getByRole('button', { name: 'Reject' }).click();
  await check.getByLabel('Reason').fill('The band says no');
  await check.getByRole('button', { name: 'Reject' }).click();
  await admin.getByText('Video rejected').first().waitFor();

  // The rejected video is hidden from everyone except its uploader, who sees the reason.
  await visitor.goto('/top-picks?videos=venue');
  await visitor.getByRole('button', { name: 'Venue', pressed: true }).waitFor();
  await expect.poll(() => cardOf(visitor).count()).toBe(0);
  await page.goto(`/top-picks${hash}`);
  // Reload, because the page's data stays fresh for half a minute.
  await page.reload();
  await page.getByText('The band says no').waitFor();

  await admin.goto('/admin/top-picks');
  await admin.getByLabel('Show').selectOption({ label: 'All' });
  await check.getByRole('button', { name: 'Approve' }).click();
  await check.getByRole('button', { name: 'Feature', exact: true }).click();
  await admin.getByText('Video featured').first().waitFor();
  const found = () => here.api.call<TopPick>('GET', `/api/top-picks/${hash.slice('#video-'.length)}`);
  await expect.poll(found).toMatchObject({ views: 1, likes: 1, featured: true });
  await visitor.reload();
  await cardOf(visitor).getByText('Featured').waitFor();
  await cardOf(visitor)
    .getByRole('button', { name: /1 like$/, pressed: true })
    .waitFor();
});
