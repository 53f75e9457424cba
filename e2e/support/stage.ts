import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { apiOf, type Api } from './api.ts';
import { prepareData, startBeltway, type Beltway, type BeltwayOptions } from './beltway.ts';
import { browser } from './browser.ts';
import { givenSecrets, type GivenSecrets } from './secrets.ts';
import { sharedFolder } from './shared-systems.ts';

/** Maximum wait for a condition. Generous, because the machine may be busy. */
export const PATIENCE_MS = 60_000;
const shots = join(import.meta.dirname, '..', '..', '.cache', 'e2e');

export interface Stage {
  beltway: Beltway;
  chromium: Browser;
  api: Api;
  /** Opens a page for a new person in a separate browser context. The page is closed after the test. */
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /** Errors in a page's console so far, except failed network requests. */
  errorsOf(page: Page): string[];
}

/**
 * Network errors: a failed request, or a WebSocket that was interrupted during its handshake, for example by a killed
 * gateway.
 */
const OF_THE_NETWORK =
  /^(Failed to load resource|WebSocket connection to '\S+' failed: (.*net::ERR_|Connection closed before receiving))/;

interface Running {
  beltway: Beltway;
  chromium: Browser;
  secrets: GivenSecrets;
}

async function start(options?: BeltwayOptions): Promise<Running> {
  const [beltway, chromium] = await Promise.all([startBeltway(options), browser()]);
  return { beltway, chromium, secrets: givenSecrets() };
}

async function end({ beltway, chromium }: Running): Promise<void> {
  await chromium.close();
  await beltway.stop();
}

/** Starts a system and a browser for the stories of a file. After the last story the invariants must hold. */
export const stage = (options?: BeltwayOptions): Stage => stageOf(() => start(options), end);

/**
 * The system that the story files in this process share, until a file needs a system with the other value of `demo`.
 */
let shared: { demo: boolean; running: Promise<Running> } | undefined;

/**
 * A stage for stories that only add data. The files that one vitest process runs in sequence (`order.ts`) share a
 * single-process system. The last system ends when the vitest process ends (`shared-systems.ts`).
 */
export const sharedStage = ({ demo = false }: Pick<BeltwayOptions, 'demo'> = {}): Stage =>
  stageOf(
    async () => {
      if (shared && shared.demo !== demo) await shared.running.then(end, () => undefined);
      if (shared?.demo !== demo) shared = { demo, running: startShared(demo) };
      // If the system did not start, the next file tries again.
      shared.running.catch(() => (shared = undefined));
      return shared.running;
    },
    () => Promise.resolve(),
  );

async function startShared(demo: boolean): Promise<Running> {
  const dataDir = sharedFolder();
  await prepareData(dataDir, demo);
  // Buyers get a mail about an event's changes a second after the last change.
  return start({ demo, oneProcess: true, dataDir, env: { CHANGE_MAIL_MINUTES: '0.02' } });
}

function stageOf(open: () => Promise<Running>, close: (running: Running) => Promise<void>): Stage {
  const here = {} as Stage;
  const contexts: BrowserContext[] = [];
  const errors = new WeakMap<Page, string[]>();
  let running: Running | undefined;

  beforeAll(async () => {
    running = await open();
    const { beltway, chromium, secrets } = running;
    Object.assign(here, { beltway, chromium, api: apiOf(beltway.url, secrets.note) });
  });
  here.visitor = async (more) => {
    const context = await here.chromium.newContext({
      baseURL: here.beltway.url,
      locale: 'en-US',
      timezoneId: 'America/New_York',
      colorScheme: 'dark',
      ...more,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    context.on('page', (page) => listen(page));
    context.on('response', (answer) => {
      const isTold = answer.request().method() !== 'GET' && answer.url().includes('/api/');
      // A closed page's response bodies are unavailable.
      if (isTold) answer.text().then(running!.secrets.note, () => undefined);
    });
    return context.newPage();
  };
  here.errorsOf = (page) => errors.get(page) ?? [];

  function listen(page: Page): void {
    const heard: string[] = [];
    errors.set(page, heard);
    page.on('pageerror', (error) => heard.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !OF_THE_NETWORK.test(message.text())) heard.push(message.text());
    });
  }

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await keep(task.name);
      // The story may have changed the card provider, which other stories share.
      await here.api.webhooks('normal').catch(() => undefined);
      await here.api.call('PUT', '/dev/payments/api', { mode: 'normal' }).catch(() => undefined);
    }
    const said = contexts.flatMap((context) => context.pages()).flatMap((page) => here.errorsOf(page));
    for (const context of contexts.splice(0)) {
      for (const { httpOnly, value } of await context.cookies().catch(() => []))
        if (httpOnly) running!.secrets.add(value);
      await context.close();
    }
    expect(said, 'errors in the console of a page').toEqual([]);
  });

  /** For debugging a failed story: a screenshot of each open page, and the system's output. */
  async function keep(name: string): Promise<void> {
    mkdirSync(shots, { recursive: true });
    const pages = contexts.flatMap((context) => context.pages());
    for (const [index, page] of pages.entries()) {
      const path = join(shots, `${name.replace(/\W+/g, '-').slice(0, 60)}-${index + 1}.png`);
      await page.screenshot({ path }).catch(() => undefined);
      console.log(`${page.url()} is shown in ${path}`);
    }
    console.log(here.beltway?.output());
  }

  afterAll(async () => {
    if (!running) return;
    const { beltway, secrets } = running;
    try {
      if (beltway.dataDir) {
        expect(await here.api.invariants()).toMatchObject({ ok: true });
        expect(secrets.inLogs(beltway.dataDir), 'lines of a log with a secret').toEqual([]);
        expect(beltway.output()).not.toMatch(/MaxListenersExceeded|unhandled rejection|out of memory/);
      }
    } finally {
      await close(running);
    }
  });
  return here;
}
