/// <reference lib="dom" />
import type { CommentPage } from '@beltway/contracts/realtime/comments';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

const HOSTILE = '<img src=x onerror="document.title=1"> https://evil.example\n‏שלום';
const comments = (page: Page) => page.getByRole('region', { name: /^Comments/ });

test('a visitor signs in to comment; the comment is answered, reported, and hidden by the organizer', async () => {
  const { organizer, event } = await here.api.organize();
  const address = `/event/${event.id}#comments`;

  // A visitor goes to the sign-in and back, and writes a comment.
  const ann = await here.visitor({ viewport: { width: 390, height: 844 } });
  await ann.goto(address);
  await comments(ann).getByRole('link', { name: 'Sign in to comment' }).click();
  await ann.getByText('Sign in to write a comment.').waitFor();
  await ann.getByRole('tab', { name: 'Register' }).click();
  const form = ann.getByRole('form', { name: 'Register' });
  await form.getByLabel('Name', { exact: true }).fill('Ann <b>Writer</b>');
  await form.getByLabel('Email').fill('ann.writer@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Register' }).click();
  await ann.waitForURL(`**${address}`);
  const field = comments(ann).getByRole('textbox', { name: 'Your comment' });
  await field.fill('Typed and not sent');
  await ann.reload();
  expect(await field.inputValue()).toBe('Typed and not sent');
  // The section is at the top of the screen below the fixed header, or at the end of the page, whatever loads later
  // above it.
  const place = () =>
    comments(ann).evaluate((one) => ({
      top: Math.round(one.getBoundingClientRect().top),
      left: Math.round(document.documentElement.scrollHeight - scrollY - innerHeight),
    }));
  await expect
    .poll(place)
    .toSatisfy(({ top, left }: Awaited<ReturnType<typeof place>>) => top >= 0 && (top < 200 || left <= 1));
  await field.fill(HOSTILE);
  await comments(ann).getByRole('button', { name: 'Post' }).click();
  await ann.getByText('Comment posted').waitFor();

  // All readers see the comment as plain text, with the account's name.
  const bob = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(bob, await here.api.register('Bob Reader'));
  await bob.goto(address);
  const shown = comments(bob).getByRole('article', { name: 'Comment by Ann <b>Writer</b>' });
  await shown.getByText('evil.example').waitFor();
  expect(await shown.locator('img, a, b').count()).toBe(0);
  await shown.getByRole('button', { name: 'Reply' }).click();
  const answer = comments(bob).getByRole('form', { name: /^Your reply/ });
  await answer.getByRole('textbox').fill('Who is evil?');
  await bob.keyboard.press('Control+Enter');
  await comments(bob).getByRole('article', { name: 'Reply by Bob Reader' }).getByText('Who is evil?').waitFor();
  await bob.getByText('Reply posted').waitFor();
  expect(await faultsOf(bob), 'comments').toEqual([]);
  await bob.setViewportSize({ width: 1440, height: 900 });

  await shown.getByRole('button', { name: 'Report' }).click();
  const dialog = bob.getByRole('dialog', { name: 'Report this comment' });
  await dialog.getByLabel('Spam or advertising').check();
  expect(await faultsOf(bob), 'report').toEqual([]);
  await dialog.getByRole('button', { name: 'Report' }).click();
  await shown.getByRole('button', { name: 'Reported' }).waitFor();

  // The organizer finds the comment among the reported comments.
  const owner = await here.visitor({ viewport: { width: 390, height: 844 } });
  await signedIn(owner, organizer);
  await owner.goto(address);
  await comments(owner).getByRole('link', { name: 'Reported and hidden comments' }).click();
  const reported = owner.getByRole('article', { name: /^Comment by Ann/ });
  await reported.getByText('Spam or advertising').waitFor();
  expect(await faultsOf(owner), 'reported comments').toEqual([]);
  await reported.getByRole('button', { name: 'Hide' }).click();
  await owner.getByText('No reports').waitFor();

  // The text is hidden from all readers. The answer stays, and the count includes only visible comments.
  await ann.reload();
  await comments(ann).getByText('Hidden by a moderator').waitFor();
  expect(await comments(ann).getByText('evil.example').count()).toBe(0);
  const { items, total } = await here.api.call<CommentPage>('GET', `/api/events/${event.id}/comments`);
  expect(JSON.stringify(items)).not.toMatch(/evil\.example|@example/);
  expect(total).toBe(1);
  const counted = async () => (await here.api.call<Event>('GET', `/api/events/${event.id}`)).counts?.comments;
  await expect.poll(counted).toBe(1);
});
