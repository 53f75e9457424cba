/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { Question, SocialPost } from '@beltway/contracts/realtime/community';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beyondTheEdge } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

/** A URL that is too long for one line. */
const WORD = 'https://docs.google.com/forms/d/e/1FAIpQLSf0Zq7b8KcVtYx9Ww2mN5';
/** A small phone, a phone, a desktop zoomed to 200 %, and a desktop. */
const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
  { width: 1440, height: 900 },
];
/** A name that is written from right to left, with emoji of several code points. */
const NAME = 'قاعة الموسيقى في واشنطن 👩🏽‍🎤🎷🏳️‍🌈';
const ADDRESS = `1600 Saint Bartholomew-on-the-Potomac Boulevard Northwest, Suite 4500-B, Entrance behind the loading dock`;

/** Loads the page completely, even if only the hash of the URL differs. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto('/robots.txt');
  await page.goto(path);
}

/** Elements wider than the page or their scroll container. */
async function tooWide(page: Page): Promise<string[]> {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((part) => {
        const { overflowX, textOverflow } = getComputedStyle(part);
        const frames = part.closest('[role=dialog]') ? /auto|scroll|hidden|clip/ : /hidden|clip/;
        const isFrame = part === document.documentElement || (frames.test(overflowX) && textOverflow !== 'ellipsis');
        const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(part.tagName);
        return isFrame && !isField && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1;
      })
      .map((part) => `${part.tagName} ${part.className}: ${part.scrollWidth} in ${part.clientWidth}`),
  );
  return [...cut, ...(await beyondTheEdge(page))];
}

test('long words, URLs, emoji and right-to-left names overflow no page', async () => {
  const organizer = await here.api.call<Session>('POST', '/api/auth/register', {
    ...{ name: WORD, email: `long.${randomUUID()}@example.test`, password: 'orange-line-42', role: 'business' },
  });
  const { token } = organizer;
  const event = await here.api.launch(token, {
    ...{ title: WORD, description: `${WORD}\n${WORD}\n${NAME}`, location: `${WORD}, Washington, DC`, address: ADDRESS },
    tags: [`#${'rooftop'.repeat(5)}`],
  });
  const foreign = await here.api.launch(token, { title: NAME, description: NAME, location: `${NAME}, Washington, DC` });
  const call = <T>(path: string, body: unknown) =>
    here.api.call<T>('POST', path, body, { token, headers: { 'idempotency-key': randomUUID() } });
  const post = await call<SocialPost>('/api/social-posts', { content: WORD, eventId: event.id });
  await call(`/api/social-posts/${post.id}/comments`, { text: WORD });
  const question = await call<Question>('/api/message-board', { question: WORD, eventId: event.id });
  await call(`/api/message-board/${question.id}/answers`, { answer: WORD });
  await call(`/api/events/${event.id}/comments`, { text: WORD });
  const bought = await here.api.buy(event.id, 1, organizer.user.email, { token });
  const own = `/event/${event.id}`;
  const search = `?q=${encodeURIComponent(WORD.slice(0, 40))}`;
  const pages = [
    ...[
      own,
      `${own}#edit`,
      `${own}#postpone`,
      `${own}#cancel`,
      `${own}#duplicate-${event.id}`,
      `${own}#promote-${event.id}`,
    ],
    `/event/${foreign.id}`,
    ...[`/organizer/${organizer.user.id}`, `/profile/${organizer.user.id}`, `/ticket-checkout?eventId=${event.id}`],
    ...[`/${search}`, `/#dashboard`, `/community`, `/community/posts/${post.id}`],
    ...[
      `/community/questions`,
      `/community/questions/${question.id}`,
      `/dashboard/events/${event.id}`,
      '/account',
      '/customers',
      '/my-tickets',
      `/ticket-success?eventId=${event.id}&quantity=1&orderId=${bought.orderId}`,
      '/',
    ],
  ];
  const found: string[] = [];
  for (const viewport of SIZES) {
    const page = await here.visitor({ viewport, reducedMotion: 'reduce' });
    await signedIn(page, organizer);
    for (const path of pages) {
      await open(page, path);
      await page.waitForLoadState('networkidle');
      await page
        .getByText(path.includes('#') ? WORD.slice(0, 30) : /\w/)
        .first()
        .waitFor({ state: 'attached' });
      if (process.env['SHOTS'])
        await page.screenshot({ path: `${process.env['SHOTS']}/${viewport.width}${path.replace(/\W+/g, '-')}.png` });
      found.push(...(await tooWide(page)).map((what) => `${viewport.width} ${path} ${what}`));
    }
  }
  expect(found).toEqual([]);
});

// Lower dialogs scroll as a whole.
const TALL = SIZES.filter(({ height }) => height >= 512);

test.each(TALL)('header and buttons of the launch and duplicate dialogs fit at $width pixels', async (viewport) => {
  const { organizer, event } = await here.api.organize();
  const page = await here.visitor({ viewport, reducedMotion: 'reduce' });
  await signedIn(page, organizer);
  for (const [hash, title] of [
    ['#launch', 'Add New Event'],
    [`#duplicate-${event.id}`, 'Duplicate'],
    ['#edit', 'Edit'],
  ] as const) {
    await open(page, `/event/${event.id}${hash}`);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByLabel('Event title', { exact: true }).waitFor();
    const [scrolls, frame] = await dialog.evaluate((panel) => [panel.scrollHeight, panel.clientHeight]);
    expect(scrolls, hash).toBe(frame);
  }
});
