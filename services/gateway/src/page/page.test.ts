import { createServer } from 'node:http';
import express from 'express';
import { listen } from '@beltway/kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { Built } from './built.ts';
import type { FirstScreen } from './first-screens.ts';
import { pageRoutes } from './page.ts';

const html = '<html lang="en"><head><title>Beltway</title></head><body><div id="root"></div></body></html>';
const built = { html, styled: html, hasPath: () => true, files: {}, texts: {}, version: 1 } as unknown as Built;

test.each(['/auth', '/community'])(
  'a failed first screen of %s is retried after a minute, not before',
  async (path) => {
    let now = Date.parse('2026-11-30T19:00:00.000Z');
    const results: FirstScreen[] = ['failed', { html: '<p>drawn</p>' }];
    const screens = { waitMs: 1_000, render: async () => results.shift() ?? 'failed', close: () => undefined };
    const app = express().use(
      pageRoutes({
        built: async () => built,
        publicUrl: 'http://localhost:3000',
        data: {} as never,
        screens,
        clock: () => new Date(now),
      }),
    );
    const server = createServer(app);
    onTestFinished(() => void server.close());
    const url = await listen(server);
    const page = async () => (await fetch(url + path)).text();
    expect(await page()).toContain('<div id="root"></div>');
    now += 59_000;
    expect(await page()).toContain('<div id="root"></div>');
    expect(results).toHaveLength(1);
    now += 1_000;
    expect(await page()).toContain('<div id="root"><p>drawn</p></div>');
  },
);
