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

/** Such as the end of a form's address. */
const WORD = 'https://docs.google.com/forms/d/e/1FAIpQLSf0Zq7b8KcVtYx9Ww2mN5';
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** Loads the page again, also where only the dialog differs. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto('/robots.txt');
  await page.goto(path);
}

/** What of a page, or of what scrolls in it, is wider than its frame. */
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

test('a word of 60 letters reaches over no edge, wherever people read it', async () => {
  const organizer = await here.api.call<Session>('POST', '/api/auth/register', {
    ...{ name: WORD, email: `long.${randomUUID()}@example.test`, password: 'orange-line-42', role: 'business' },
  });
  const { token } = organizer;
  const event = await here.api.launch(token, {
    ...{ title: WORD, description: `${WORD}\n${WORD}`, location: `${WORD}, Washington, DC` },
    tags: [`#${'rooftop'.repeat(5)}`],
  });
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

test.each(SIZES)(
  'head and buttons of the launch and duplicate dialogs stay in their frame at $width pixels',
  async (viewport) => {
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
      await dialog.getByLabel('Event title').waitFor();
      const [scrolls, frame] = await dialog.evaluate((panel) => [panel.scrollHeight, panel.clientHeight]);
      expect(scrolls, hash).toBe(frame);
    }
  },
);
