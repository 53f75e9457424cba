import { randomUUID } from 'node:crypto';
import type { Event } from '@beltway/contracts/catalog/events';
import type { SocialPost } from '@beltway/contracts/realtime/community';
import type { Photo } from '@beltway/contracts/media/gallery';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { UserStats } from '@beltway/contracts/identity/points';
import { expect, test } from 'vitest';
import { beyondTheEdge, faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });

/** A one-pixel picture. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a post is reported and hidden; the author is notified and appeals; the post is shown again', async () => {
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
  await reader.getByRole('button', { name: 'More options for the post by Ann Author' }).click();
  await reader.getByRole('menuitem', { name: 'Report' }).click();
  const report = reader.getByRole('dialog', { name: 'Report this post' });
  await report.getByLabel('Spam or advertising').check();
  await report.getByRole('button', { name: 'Report' }).click();
  await reader.getByText('Thank you. We’ll review it.').first().waitFor();

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
  await admin.getByText('No reports').waitFor();
  await expect.poll(async () => (await here.api.ask('GET', `/api/social-posts/${written.id}`)).status).toBe(404);
  await reader.goto(path);
  await reader.getByRole('heading', { name: 'Post not found' }).waitFor();

  const author = await here.visitor();
  await signedIn(author, ann);
  await author.goto('/');
  await author.getByRole('button', { name: /notification/i }).click();
  const bell = author.getByRole('dialog', { name: 'Notifications' });
  await bell.getByRole('link', { name: /Your post is hidden/ }).click();
  await author.waitForURL('**/moderation/mine');
  const own = author.getByRole('article', { name: 'Post: Cheap watches behind the stage' });
  await own.getByText('No advertising here.').waitFor();
  await own.getByRole('button', { name: 'Ask for a review' }).click();
  await own.getByLabel('Why is the decision wrong?').fill('They tell the time of the show.');
  expect(await faultsOf(author), 'what was decided').toEqual([]);
  await own.getByRole('button', { name: 'Ask for a review' }).click();
  await own.getByText(/waiting for review/).waitFor();

  await admin.goto('/moderation');
  await admin.getByLabel('Show').selectOption('Appealed');
  await reported.getByText('They tell the time of the show.').waitFor();
  await reported.getByRole('button', { name: 'Reverse the decision' }).click();
  await admin.getByText('No appeals').waitFor();
  await expect.poll(async () => (await here.api.ask('GET', `/api/social-posts/${written.id}`)).status).toBe(200);
  await reader.reload();
  await reader.getByRole('article', { name: 'Post by Ann Author' }).waitFor();
  await author.reload();
  await own.getByText(/decision reversed/).waitFor();
  expect(await own.getByRole('button').count()).toBe(0);
});

test('an event is reported and its organizer suspended: the event is not on sale until the suspension ends', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Tapir Ball' });
  const path = `/event/${event.id}`;
  const reader = await here.visitor();
  await signedIn(reader, await here.api.register('Rea Reader'));
  await reader.goto(path);
  await reader.getByRole('link', { name: 'Buy Tickets' }).waitFor();
  await reader.getByRole('button', { name: 'Report this event' }).click();
  const report = reader.getByRole('dialog', { name: 'Report this event' });
  await report.getByLabel('Something illegal').check();
  await report.getByRole('button', { name: 'Report' }).click();
  await reader.getByText('Thank you. We’ll review it.').first().waitFor();

  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  const { token } = await here.api.call<Session>('POST', '/api/auth/login', login);
  const act = (action: string, seen: number) =>
    here.api.call('POST', `/api/moderation/event.${event.id}/actions`, { action, reason: 'illegal', seen }, { token });
  await act('suspend', 0);
  const found = async () =>
    (await here.api.call<{ items: Event[] }>('GET', '/api/events?q=tapir')).items.map(({ id }) => id);
  await expect.poll(found).toEqual([]);
  await reader.goto(path);
  await reader.getByRole('heading', { name: 'This event is not on sale for now' }).waitFor();
  expect(await reader.getByRole('link', { name: 'Buy Tickets' }).count()).toBe(0);
  expect(await faultsOf(reader), 'a suspended event').toEqual([]);
  expect((await here.api.ask('GET', `/api/organizers/${organizer.user.id}`)).status).toBe(404);

  await act('reinstate', 1);
  await expect.poll(found).toEqual([event.id]);
  await reader.reload();
  await reader.getByRole('link', { name: 'Buy Tickets' }).waitFor();
});

test('an approved photo earns points, visible on public profiles; removing the photo withdraws the points', async () => {
  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  const admin = await here.api.call<Session>('POST', '/api/auth/login', login);
  const [event] = await here.api.call<Event[]>('GET', '/api/events');
  const form = new FormData();
  form.append('image', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
  form.append('title', 'The porch');
  form.append('eventId', String(event!.id));
  const headers = { authorization: `Bearer ${admin.token}`, 'idempotency-key': randomUUID() };
  const upload = new URL('/api/gallery/upload', here.beltway.url);
  const uploaded = await fetch(upload, { method: 'POST', headers, body: form });
  expect(uploaded.status).toBe(201);
  const photo = (await uploaded.json()) as Photo;

  const profile = `/u/${admin.user.id}`;
  const own = await here.visitor({ viewport: { width: 390, height: 844 } });
  await signedIn(own, admin);
  const reason = own.getByRole('link', { name: `Shared a photo of ${event!.title}` });
  const points = async () => {
    const path = `/api/users/${admin.user.id}/stats`;
    return (await here.api.call<UserStats>('GET', path, undefined, { token: admin.token })).totalPoints;
  };
  // Identity receives the decision shortly after.
  await expect.poll(points).toBe(5);
  await own.goto(profile);
  await reason.waitFor();
  await own.getByText('Unlocked').waitFor();
  expect(await faultsOf(own), 'one’s own profile').toEqual([]);

  const guest = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await guest.goto(profile);
  await guest.getByRole('heading', { name: 'This profile is private' }).waitFor();
  expect(await faultsOf(guest), 'a private profile').toEqual([]);
  await own.getByRole('switch', { name: 'Show my profile' }).focus();
  await own.keyboard.press('Space');
  await own.getByText('Others can see this profile.').waitFor();
  await guest.goto('/community');
  await guest.getByRole('navigation', { name: 'Community' }).getByRole('link', { name: 'Leaderboard' }).click();
  const row = guest.getByRole('listitem').filter({ has: guest.locator(`a[href="${profile}"]`) });
  await row.getByText('5 points').waitFor();
  expect(await faultsOf(guest), 'the leaderboard').toEqual([]);
  await row.getByRole('link').click();
  await guest.getByRole('region', { name: 'Level' }).getByText('5 points').waitFor();
  expect(await guest.getByRole('switch').count()).toBe(0);
  await own.goto('/community/badges');
  await own.getByRole('article', { name: 'First shot' }).waitFor();
  expect(await faultsOf(own), 'badges').toEqual([]);
  await own.getByRole('navigation', { name: 'Community' }).getByRole('link', { name: 'Challenges' }).click();
  await own.getByRole('heading', { name: 'Challenges', level: 1 }).waitFor();
  await own.getByRole('article').or(own.getByText('No challenges yet')).first().waitFor();
  expect(await faultsOf(own), 'challenges').toEqual([]);
  await own.setViewportSize({ width: 195, height: 422 });
  expect(await beyondTheEdge(own), 'challenges').toEqual([]);
  for (const narrow of [profile, '/community/leaderboard', '/community/badges']) {
    await own.goto(narrow);
    await own
      .getByRole('listitem')
      .filter({ hasText: /First shot|5 points/ })
      .first()
      .waitFor();
    expect(await beyondTheEdge(own), narrow).toEqual([]);
  }

  await here.api.call('DELETE', `/api/gallery/${photo.id}`, undefined, { token: admin.token });
  await expect.poll(points).toBe(0);
  await guest.reload();
  await guest.getByRole('region', { name: 'Level' }).getByText('0 points', { exact: true }).waitFor();
});
