import { randomUUID } from 'node:crypto';
import type { SocialPost } from '@beltway/contracts/community';
import type { Session } from '@beltway/contracts/identity';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { stage } from './support/stage.ts';

const here = stage({ demo: true });

test('a post is reported and hidden; its author hears of it, appeals, and it is shown again', async () => {
  const [ann, bob] = [await here.api.register('Ann Author'), await here.api.register('Bob Reader')];
  const written = await here.api.call<SocialPost>(
    'POST',
    '/api/social-posts',
    { content: 'Cheap watches behind the stage' },
    { token: ann.token, headers: { 'idempotency-key': randomUUID() } },
  );
  const path = `/community/posts/${written.id}`;
  const reader = await here.visitor();
  await signedIn(reader, bob);
  await reader.goto('/community');
  await reader.getByRole('button', { name: 'More for the post by Ann Author' }).click();
  await reader.getByRole('menuitem', { name: 'Report' }).click();
  const report = reader.getByRole('dialog', { name: 'Report this post' });
  await report.getByLabel('Spam or advertising').check();
  await report.getByRole('button', { name: 'Report' }).click();
  await reader.getByText('Thank you. We look at it.').first().waitFor();

  const admin = await here.visitor();
  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  await signedIn(admin, await here.api.call<Session>('POST', '/api/auth/login', login));
  await admin.goto('/moderation');
  const reported = admin.getByRole('article', { name: `Post ${written.id}` });
  await reported.getByText('Cheap watches behind the stage').waitFor();
  await reported.getByRole('button', { name: 'Hide' }).click();
  const form = reported.getByRole('form', { name: 'Hide' });
  await form.getByLabel('Note').fill('No advertising here.');
  expect(await faultsOf(admin), 'the queue').toEqual([]);
  await form.getByRole('button', { name: 'Hide' }).click();
  await admin.getByText('Nothing is reported').waitFor();
  await expect.poll(async () => (await here.api.ask('GET', `/api/social-posts/${written.id}`)).status).toBe(404);
  await reader.goto(path);
  await reader.getByRole('heading', { name: 'Post Not Found' }).waitFor();

  const author = await here.visitor();
  await signedIn(author, ann);
  await author.goto('/');
  await author.getByRole('button', { name: /notification/i }).click();
  const bell = author.getByRole('dialog', { name: 'Notifications' });
  await bell.getByRole('link', { name: /Your post is hidden/ }).click();
  await author.waitForURL('**/moderation/mine');
  const own = author.getByRole('article', { name: 'Post: Cheap watches behind the stage' });
  await own.getByText('No advertising here.').waitFor();
  await own.getByRole('button', { name: 'Ask for another look' }).click();
  await own.getByLabel('Why is the decision wrong?').fill('They tell the time of the show.');
  expect(await faultsOf(author), 'what was decided').toEqual([]);
  await own.getByRole('button', { name: 'Ask for another look' }).click();
  await own.getByText(/waits for another look/).waitFor();

  await admin.goto('/moderation');
  await admin.getByLabel('Show').selectOption('Appealed');
  await reported.getByText('They tell the time of the show.').waitFor();
  await reported.getByRole('button', { name: 'It was wrong' }).click();
  await admin.getByText('No appeal waits').waitFor();
  await expect.poll(async () => (await here.api.ask('GET', `/api/social-posts/${written.id}`)).status).toBe(200);
  await reader.reload();
  await reader.getByRole('article', { name: 'Post by Ann Author' }).waitFor();
  await author.reload();
  await own.getByText(/the decision was wrong/).waitFor();
  expect(await own.getByRole('button').count()).toBe(0);
});
