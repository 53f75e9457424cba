import { randomUUID } from 'node:crypto';
import type { Answer, Question, QuestionPage, QuestionThread, SocialPostPage } from '@beltway/contracts/community';
import type { StoredImage } from '@beltway/contracts/media';
import type { NotificationPage } from '@beltway/contracts/notifications';
import { expect, test } from 'vitest';
import { stage } from './support/stage.ts';

const here = stage();

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes with a key of its own. */
const post = <T>(path: string, body: unknown, token: string) =>
  here.api.call<T>('POST', path, body, { token, headers: { 'idempotency-key': randomUUID() } });

test('an organiser posts a picture to who follows them; a visitor asks, the organiser’s answer rings and helps', async () => {
  const { organiser, event } = await here.api.organise({ title: 'Porch Concert', hasTickets: false });
  const [ann, bob] = [await here.api.register('Ann Asks'), await here.api.register('Bob Blocks')];
  const stored = async (): Promise<StoredImage> => {
    const form = new FormData();
    form.append('image', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
    const headers = { authorization: `Bearer ${organiser.token}` };
    const response = await fetch(new URL('/api/images', here.beltway.url), { method: 'POST', headers, body: form });
    expect(response.status).toBe(201);
    return (await response.json()) as StoredImage;
  };
  await here.api.call('PUT', `/api/organizers/${organiser.user.id}/follow`, undefined, { token: ann.token });

  // Realtime hears of the event soon after it was published.
  const body = { content: 'The porch is ready', eventId: event.id, imageUrl: (await stored()).url };
  const asOrganiser = { token: organiser.token, headers: { 'idempotency-key': 'the-porch-is-ready' } };
  await expect
    .poll(async () => (await here.api.ask('POST', '/api/social-posts', body, asOrganiser)).status, { timeout: 20_000 })
    .toBe(201);
  const feed = (token: string) =>
    here.api.call<SocialPostPage>('GET', '/api/social-posts?feed=following', undefined, { token });
  const { items } = await feed(ann.token);
  expect(items).toMatchObject([{ content: 'The porch is ready', eventTitle: 'Porch Concert', isOrganiser: true }]);
  expect((await feed(bob.token)).items).toEqual([]);
  expect((await fetch(new URL(items[0]!.imageUrl!, here.beltway.url))).status).toBe(200);
  const forged = { content: 'Look', imageUrl: `/media/images/${'a'.repeat(64)}-0a0b0c-large.webp` };
  expect((await here.api.ask('POST', '/api/social-posts', forged, { token: bob.token })).status).toBe(400);
  const shaw = await here.api.call<SocialPostPage>('GET', '/api/social-posts?place=Washington,+DC');
  expect(shaw.items.map(({ id }) => id)).toEqual([items[0]!.id]);

  const asked = await post<Question>(
    '/api/message-board',
    { question: 'Are there chairs on the porch?', eventId: event.id },
    ann.token,
  );
  const answer = await post<Answer>(
    `/api/message-board/${asked.id}/answers`,
    { answer: 'Two hundred of them' },
    organiser.token,
  );
  expect(answer.isVerified).toBe(true);
  await expect
    .poll(
      async () => {
        const page = await here.api.call<NotificationPage>('GET', '/api/me/notifications', undefined, {
          token: ann.token,
        });
        return page.items.filter(({ kind }) => kind === 'reply').map(({ title }) => title);
      },
      { timeout: 20_000 },
    )
    .toEqual(['A question you follow has an answer']);
  await post(`/api/message-board/answers/${answer.id}/accept`, undefined, ann.token);
  const found = await here.api.call<QuestionPage>('GET', '/api/message-board?q=chair&answered=true');
  expect(found.items).toMatchObject([{ id: asked.id, isAnswered: true, answers: 1 }]);

  await post(`/api/blocks/${bob.user.id}`, undefined, ann.token);
  const seen = (path: string, token: string) => here.api.ask<QuestionThread>('GET', path, undefined, { token });
  expect((await seen(`/api/message-board/${asked.id}`, bob.token)).status).toBe(404);
  const thread = await seen(`/api/message-board/${asked.id}`, organiser.token);
  expect(thread.body.accepted).toMatchObject({ id: answer.id, answer: 'Two hundred of them' });
});
