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

test('a visitor signs in to comment, gets an answer and a report, and the organizer hides it', async () => {
  const { organizer, event } = await here.api.organize();
  const address = `/event/${event.id}#comments`;

  // A visitor is led to the sign-in and back, and writes.
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
  // At the top of the screen, below the header that stays, however much above was loaded later.
  await expect
    .poll(() => comments(ann).evaluate((one) => Math.round(one.getBoundingClientRect().top)))
    .toSatisfy((top: number) => top >= 0 && top < 200);
  await field.fill(HOSTILE);
  await comments(ann).getByRole('button', { name: 'Post' }).click();
  await ann.getByText('Comment posted').waitFor();

  // All readers see it as text, with the account's name.
  const bob = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(bob, await here.api.register('Bob Reader'));
  await bob.goto(address);
  const shown = comments(bob).getByRole('article', { name: 'Comment by Ann <b>Writer</b>' });
  await shown.getByText('evil.example').waitFor();
  expect(await shown.locator('img, a, b').count()).toBe(0);
  await shown.getByRole('button', { name: 'Answer' }).click();
  const answer = comments(bob).getByRole('form', { name: /^Your answer/ });
  await answer.getByRole('textbox').fill('Who is evil?');
  await bob.keyboard.press('Control+Enter');
  await comments(bob).getByRole('article', { name: 'Answer by Bob Reader' }).getByText('Who is evil?').waitFor();
  await bob.getByText('Answer posted').waitFor();
  expect(await faultsOf(bob), 'comments').toEqual([]);
  await bob.setViewportSize({ width: 1440, height: 900 });

  await shown.getByRole('button', { name: 'Report' }).click();
  const dialog = bob.getByRole('dialog', { name: 'Report this comment' });
  await dialog.getByLabel('Spam or advertising').check();
  expect(await faultsOf(bob), 'report').toEqual([]);
  await dialog.getByRole('button', { name: 'Report' }).click();
  await shown.getByRole('button', { name: 'Reported' }).waitFor();

  // Its organizer finds it among the reported ones.
  const owner = await here.visitor({ viewport: { width: 390, height: 844 } });
  await signedIn(owner, organizer);
  await owner.goto(address);
  await comments(owner).getByRole('link', { name: 'Reported and hidden comments' }).click();
  const reported = owner.getByRole('article', { name: /^Comment by Ann/ });
  await reported.getByText('Spam or advertising').waitFor();
  expect(await faultsOf(owner), 'reported comments').toEqual([]);
  await reported.getByRole('button', { name: 'Hide' }).click();
  await owner.getByText('Nothing is reported').waitFor();

  // The text is gone for all readers; the answer keeps its place, and the count includes only shown comments.
  await ann.reload();
  await comments(ann).getByText('Hidden by a moderator').waitFor();
  expect(await comments(ann).getByText('evil.example').count()).toBe(0);
  const { items, total } = await here.api.call<CommentPage>('GET', `/api/events/${event.id}/comments`);
  expect(JSON.stringify(items)).not.toMatch(/evil\.example|@example/);
  expect(total).toBe(1);
  const counted = async () => (await here.api.call<Event>('GET', `/api/events/${event.id}`)).counts?.comments;
  await expect.poll(counted).toBe(1);
});
