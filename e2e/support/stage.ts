import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { apiOf, type Api } from './api.ts';
import { prepareData, startBeltway, type Beltway, type BeltwayOptions } from './beltway.ts';
import { browser } from './browser.ts';
import { givenSecrets, type GivenSecrets } from './secrets.ts';
import { sharedFolder } from './shared-systems.ts';

/** Generous: the machine may be busy. The wait ends as soon as the condition is met. */
export const PATIENCE_MS = 60_000;
const shots = join(import.meta.dirname, '..', '..', '.cache', 'e2e');

export interface Stage {
  beltway: Beltway;
  chromium: Browser;
  api: Api;
  /** A new person with a browser of their own. Their page is closed after the test. */
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /** Errors in a page's console so far, except failed network requests. */
  errorsOf(page: Page): string[];
}

/** The network broke: a request that failed, or a WebSocket that was cut off in its handshake, as by a gateway that is killed. */
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

/** Starts one system for the stories of a file, and a browser. After the last story nothing may be lost or made up. */
export const stage = (options?: BeltwayOptions): Stage => stageOf(() => start(options), end);

/** The system that stories of several files share in this process, until those of another kind want theirs. */
let shared: { demo: boolean; running: Promise<Running> } | undefined;

/**
 * A stage for stories that only add to what is there: whichever files one process of vitest runs one after the other
 * share a system in one process, as people do (`order.ts`). The last one ends with its process (`shared-systems.ts`).
 */
export const sharedStage = ({ demo = false }: Pick<BeltwayOptions, 'demo'> = {}): Stage =>
  stageOf(
    async () => {
      if (shared && shared.demo !== demo) await shared.running.then(end, () => undefined);
      if (shared?.demo !== demo) shared = { demo, running: startShared(demo) };
      // One that did not start is tried again by the next file.
      shared.running.catch(() => (shared = undefined));
      return shared.running;
    },
    () => Promise.resolve(),
  );

async function startShared(demo: boolean): Promise<Running> {
  const dataDir = sharedFolder();
  await prepareData(dataDir, demo);
  // Buyers are notified of an event's changes a second after the last of them.
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
      // A closed page no longer has bodies.
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
    if (task.result?.state === 'fail') await keep(task.name);
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
