import { randomUUID } from 'node:crypto';
import type {
  Answer,
  Question,
  QuestionPage,
  QuestionThread,
  SocialPostPage,
} from '@beltway/contracts/realtime/community';
import type { StoredImage } from '@beltway/contracts/media/images';
import type { NotificationPage } from '@beltway/contracts/realtime/notifications';
import { expect, test } from 'vitest';
import { beyondTheEdge, faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

/** A one-pixel picture. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Posts with a fresh idempotency key. */
const post = <T>(path: string, body: unknown, token: string) =>
  here.api.call<T>('POST', path, body, { token, headers: { 'idempotency-key': randomUUID() } });

test('an organizer posts a picture to followers; a visitor asks, and the organizer’s answer notifies and is accepted', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Porch Concert', hasTickets: false });
  const [ann, bob] = [await here.api.register('Ann Asks'), await here.api.register('Bob Blocks')];
  const stored = async (): Promise<StoredImage> => {
    const form = new FormData();
    form.append('image', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
    const headers = { authorization: `Bearer ${organizer.token}` };
    const response = await fetch(new URL('/api/images', here.beltway.url), { method: 'POST', headers, body: form });
    expect(response.status).toBe(201);
    return (await response.json()) as StoredImage;
  };
  await here.api.call('PUT', `/api/organizers/${organizer.user.id}/follow`, undefined, { token: ann.token });

  // Realtime receives the event soon after it was published.
  const body = { content: 'The porch is ready', eventId: event.id, imageUrl: (await stored()).url };
  const asOrganizer = { token: organizer.token, headers: { 'idempotency-key': 'the-porch-is-ready' } };
  await expect.poll(async () => (await here.api.ask('POST', '/api/social-posts', body, asOrganizer)).status).toBe(201);
  const feed = (token: string) =>
    here.api.call<SocialPostPage>('GET', '/api/social-posts?feed=following', undefined, { token });
  const { items } = await feed(ann.token);
  expect(items).toMatchObject([{ content: 'The porch is ready', eventTitle: 'Porch Concert', isOrganizer: true }]);
  expect((await feed(bob.token)).items).toEqual([]);
  expect((await fetch(new URL(items[0]!.imageUrl!, here.beltway.url))).status).toBe(200);
  const forged = { content: 'Look', imageUrl: `/media/images/${'a'.repeat(64)}-0a0b0c-large.webp` };
  expect((await here.api.ask('POST', '/api/social-posts', forged, { token: bob.token })).status).toBe(400);
  // Other stories on this system may have posted in Washington, too.
  const washington = await here.api.call<SocialPostPage>('GET', '/api/social-posts?place=Washington,+DC');
  expect(washington.items.map(({ id }) => id)).toContain(items[0]!.id);
  expect(washington.items.map(({ content }) => content)).not.toContain('Look');

  const asked = await post<Question>(
    '/api/message-board',
    { question: 'Are there chairs on the porch?', eventId: event.id },
    ann.token,
  );
  const answer = await post<Answer>(
    `/api/message-board/${asked.id}/answers`,
    { answer: 'Two hundred of them' },
    organizer.token,
  );
  expect(answer.isVerified).toBe(true);
  await expect
    .poll(async () => {
      const page = await here.api.call<NotificationPage>('GET', '/api/me/notifications', undefined, {
        token: ann.token,
      });
      return page.items.filter(({ kind }) => kind === 'reply').map(({ title }) => title);
    })
    .toEqual(['New answer to a question you follow']);
  await post(`/api/message-board/answers/${answer.id}/accept`, undefined, ann.token);
  const found = await here.api.call<QuestionPage>('GET', '/api/message-board?q=chair&answered=true');
  expect(found.items).toMatchObject([{ id: asked.id, isAnswered: true, answers: 1 }]);

  await post(`/api/blocks/${bob.user.id}`, undefined, ann.token);
  const seen = (path: string, token: string) => here.api.ask<QuestionThread>('GET', path, undefined, { token });
  expect((await seen(`/api/message-board/${asked.id}`, bob.token)).status).toBe(404);
  const thread = await seen(`/api/message-board/${asked.id}`, organizer.token);
  expect(thread.body.accepted).toMatchObject({ id: answer.id, answer: 'Two hundred of them' });
});

test("a question asked on an event's page; the organizer answers there, and the asker marks it as helpful", async () => {
  const { organizer, event } = await here.api.organize({ title: 'Stoop Sale', hasTickets: false });
  const ann = await here.api.register('Ann Asks');
  const page = await here.visitor({ viewport: { width: 390, height: 844 } });
  await signedIn(page, ann);
  await page.goto(`/event/${event.id}`);
  await page.getByRole('tab', { name: 'Questions' }).click();
  await page.getByText('No questions yet').waitFor();
  // Realtime receives the event soon after it was published.
  const body = { content: 'Come early', eventId: event.id };
  const asOrganizer = { token: organizer.token, headers: { 'idempotency-key': 'come-early-to-it' } };
  await expect.poll(async () => (await here.api.ask('POST', '/api/social-posts', body, asOrganizer)).status).toBe(201);
  await page.getByRole('button', { name: 'Ask a question' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask a question' });
  await dialog.getByLabel('What do you want to know?').fill('Where do strollers go?');
  await dialog.getByLabel('Category').selectOption('Getting there');
  expect(await faultsOf(page), 'asking').toEqual([]);
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('link', { name: 'Where do strollers go?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Where do strollers go?' }).waitFor();
  const path = new URL(page.url()).pathname;

  const desk = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(desk, organizer);
  await desk.goto(path);
  await desk.getByRole('textbox', { name: 'Write an answer' }).fill('Behind the stoop, under the roof');
  await desk.getByRole('button', { name: 'Answer', exact: true }).click();
  await desk.getByRole('article', { name: 'Answer by Ola Fakunle' }).getByText('Verified').waitFor();
  await desk.getByRole('button', { name: 'More options for the question by Ann Asks' }).click();
  await desk.getByRole('menuitem', { name: 'Pin' }).click();
  await desk.getByText('Pinned').first().waitFor();

  await page.reload();
  await page.getByRole('button', { name: 'This helped' }).click();
  const helped = page.getByRole('region', { name: 'Answer that helped' });
  await helped.getByText('Behind the stoop, under the roof').waitFor();
  expect(await faultsOf(page), 'a question with its answer').toEqual([]);
  await page.goto('/community/questions?answered=true');
  await page.getByLabel('Search questions').fill('stroller');
  await page.keyboard.press('Enter');
  const found = page.getByRole('article', { name: 'Question by Ann Asks' }).filter({ hasText: 'strollers' });
  await found.getByText('Answered', { exact: true }).waitFor();
  expect(await faultsOf(page), 'the board').toEqual([]);
  await page.setViewportSize({ width: 195, height: 422 });
  for (const narrow of ['/community/questions', path, '/community']) {
    await page.goto(narrow);
    await page.getByRole('article').first().waitFor();
    expect(await beyondTheEdge(page), narrow).toEqual([]);
  }
});
