import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { UserStats } from '@beltway/contracts/identity/points';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beyondTheEdge, faultsOf } from './support/looks.ts';
import { queryOf } from './support/operations.ts';
import { register, signedIn } from './support/pages.ts';
import { stage } from './support/stage.ts';

const IDENTITY_AHEAD = pathToFileURL(join(import.meta.dirname, 'support', 'identity-ahead.ts')).href;
const here = stage({ env: { NODE_OPTIONS: `--import ${IDENTITY_AHEAD}` } });

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
/** Moves identity's clock ahead by two days. Earlier sessions expire, so these people sign in again. */
async function twoDaysLater(...people: Session[]): Promise<Session[]> {
  writeFileSync(join(here.beltway.dataDir, 'identity-is-ahead'), '');
  return Promise.all(
    people.map(({ user: { email } }) =>
      here.api.call<Session>('POST', '/api/auth/login', { email, password: 'orange-line-42' }),
    ),
  );
}
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
/** Names and titles of the maximum length. */
const BOB = 'Dr. Bartholomew Montgomery of the Anacostia Neighbors';
const EVENT = 'Rowhouse Revival, the Annual Thanksgiving Weekend Block Party of Greater Columbia Heights';
/**
 * A normal user agent. The headless browser's own user agent reveals that it is headless, so its views would not count.
 */
const A_PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const statsOf = ({ token, user }: Session): Promise<UserStats> =>
  here.api.call('GET', `/api/users/${user.id}/stats`, undefined, { token });
/**
 * Waits until these points are counted, which takes seconds. A check that was queued before identity's clock moved is
 * due tomorrow on the database's clock, which did not move. Therefore this makes the check due now.
 */
async function counted(person: Session, stats: Partial<UserStats>): Promise<void> {
  const query = await queryOf(here.beltway.dataDir);
  const poll = async () => {
    await query('identity', `update jobs set run_at = now() where queue = 'fact-check' and lease is null`);
    return statsOf(person);
  };
  await expect.poll(poll, { timeout: 60_000 }).toMatchObject(stats);
}
const buy = (event: Event, { token, user }: Session) => here.api.buy(event.id, 1, user.email, { token });
/** Whether `after` is to the right of `one`, at the same height. */
async function isBeside(one: Locator, after: Locator): Promise<boolean> {
  const [a, b] = [(await one.boundingBox())!, (await after.boundingBox())!];
  return b.x >= a.x + a.width && b.y < a.y + a.height && b.y + b.height > a.y;
}
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
/** The reasons listed for points and for their withdrawal. */
const reasons = async (page: Page): Promise<string[]> => {
  const list = page.getByRole('list', { name: 'Points' });
  await list.waitFor();
  const rows = await list.getByRole('listitem').allInnerTexts();
  const why = (row: string) => /Taken back \S+ (.+)/.exec(row)?.[1];
  return rows.map((row) => [...row.split('\n').slice(0, 2), ...(why(row) ? [`(${why(row)})`] : [])].join(' ')).sort();
};

test('two people who met at an event connect, post, ask and answer; one gains a level, and a refund withdraws it', async () => {
  const asker = await here.api.register('Ann Asks');
  const brought = await here.api.call<Session>('POST', '/api/auth/register', {
    ...{ name: BOB, email: 'bob.brought@example.test', password: 'orange-line-42' },
    referralCode: (await statsOf(asker)).referralCode,
  });
  // At a place that the gazetteer does not know: no challenge of the week is about it, which would earn points too.
  const tomorrow = { eventDate: TOMORROW, location: 'Ann’s backyard' };
  const { organizer, event } = await here.api.organize({ title: EVENT, ...tomorrow });
  const other = await here.api.launch(organizer.token, { title: 'Stoop Sale', ...tomorrow });
  const shared = await buy(event, asker);
  await buy(other, asker);
  await buy(event, brought);
  const [ann, bob] = (await twoDaysLater(asker, brought)) as [Session, Session];
  await counted(ann, { totalPoints: 90, level: 1, eventsAttended: 2 });
  await counted(bob, { totalPoints: 20, level: 1, eventsAttended: 1 });

  const desk = await here.visitor({ viewport: DESK });
  const phone = await here.visitor({ viewport: PHONE });
  for (const [page, person] of [
    [desk, ann],
    [phone, bob],
  ] as const) {
    await signedIn(page, person);
    await page.goto(`/u/${person.user.id}`);
    await page.getByText('Only you can see this profile.').waitFor();
    await page.getByRole('switch', { name: 'Show my profile' }).click();
    await page.getByText('Others can see this profile.').waitFor();
  }
  const level = desk.getByRole('region', { name: 'Level' });
  await level.getByText('10 more to level 2').waitFor();
  expect(await reasons(desk)).toEqual([
    `+20 Attended ${EVENT}`,
    '+20 Attended Stoop Sale',
    '+50 Someone you invited attended their first event',
  ]);
  expect(await reasons(phone)).toEqual([`+20 Attended ${EVENT}`]);

  await desk.goto('/community/connections');
  const met = desk.getByRole('list', { name: 'People you met' });
  await met.getByText(`You were both at ${EVENT}`).waitFor();
  const toConnect = met.getByRole('button', { name: `Connect with ${BOB}` });
  expect(await isBeside(met.getByRole('link', { name: BOB }), toConnect), 'name and button').toBe(true);
  await met.getByRole('link', { name: BOB }).click();
  await desk.getByText('You were at an event together.').waitFor();
  await desk.getByRole('button', { name: `Connect with ${BOB}` }).click();
  await desk.getByRole('main').getByText(`You sent ${BOB} a request.`).waitFor();

  await bell(phone).click();
  await phone.getByRole('link', { name: 'Someone you met wants to connect' }).click();
  await phone.waitForURL(/\/community\/connections$/);
  await phone.getByRole('button', { name: 'Accept Ann Asks' }).click();
  const connected = phone.getByRole('list', { name: 'Your connections' });
  await connected.getByText('Ann Asks').waitFor();
  expect(await faultsOf(phone), 'connections').toEqual([]);
  await counted(ann, { totalPoints: 100, level: 2, connectionsMade: 1 });
  await counted(bob, { totalPoints: 30, connectionsMade: 1 });

  await bell(desk).click();
  await desk.getByRole('link', { name: 'You earned a badge: Good company' }).click();
  await desk.waitForURL(new RegExp(`/u/${ann.user.id}$`));
  for (const text of ['Level 2', '100 points', '200 more to level 3']) await level.getByText(text).waitFor();
  await desk
    .getByRole('article', { name: 'Good company' })
    .getByText(/^Unlocked /)
    .waitFor();
  expect(await reasons(desk)).toContain(`+10 Connected with ${BOB}`);
  expect(await faultsOf(desk), 'one’s own profile').toEqual([]);
  await phone.goto('/community/leaderboard?period=all');
  const leaders = phone.getByRole('list', { name: 'Leaderboard' }).getByRole('listitem');
  await leaders.filter({ hasText: BOB }).getByText('You', { exact: true }).waitFor();
  expect((await leaders.allInnerTexts()).map((row) => row.split(/\s*\n\s*/))).toEqual([
    ['1', 'Ann Asks', '100 points', 'Level 2'],
    ['2', BOB, 'You', '30 points', 'Level 1'],
  ]);
  expect(await faultsOf(phone), 'leaderboard').toEqual([]);
  const own = leaders.filter({ hasText: BOB });
  expect(await isBeside(own.getByRole('link'), own.getByText('30 points')), 'name and points').toBe(true);

  await desk.goto('/community#post');
  const post = desk.getByRole('dialog', { name: 'Write a post' });
  await post.getByLabel('What do you want to say?').fill('All of the rowhouse sang along');
  await post.getByRole('button', { name: 'Post', exact: true }).click();
  await phone.goto('/community/questions');
  await phone.getByRole('button', { name: 'Ask a question' }).click();
  const ask = phone.getByRole('dialog', { name: 'Ask a question' });
  await ask.getByLabel('What do you want to know?').fill('Who sang last at Rowhouse Revival?');
  await ask.getByRole('button', { name: 'Ask', exact: true }).click();
  await phone.getByRole('link', { name: 'See it' }).click();
  await phone.getByRole('heading', { level: 1, name: 'Who sang last at Rowhouse Revival?' }).waitFor();
  await desk.getByText('Posted.').waitFor();
  await desk.goto(new URL(phone.url()).pathname);
  await desk.getByRole('textbox', { name: 'Write an answer' }).fill('The drummer, from the roof');
  await desk.getByRole('button', { name: 'Answer', exact: true }).click();
  await desk.getByRole('article', { name: 'Answer by Ann Asks' }).waitFor();
  await phone.goto('/community');
  await phone.getByRole('article').getByText('All of the rowhouse sang along').waitFor();
  await bell(phone).click();
  await phone.getByRole('link', { name: 'New answer to a question you follow' }).click();
  await phone.getByRole('button', { name: 'This helped' }).click();
  const helped = phone.getByRole('region', { name: 'Answer that helped' });
  await helped.getByText('The drummer, from the roof').waitFor();

  await here.api.call('POST', `/api/orders/${shared.orderId}/refund`, {}, { token: organizer.token });
  await counted(ann, { totalPoints: 70, level: 1, eventsAttended: 1, connectionsMade: 0 });
  await counted(bob, { totalPoints: 20, eventsAttended: 1, connectionsMade: 0 });
  await desk.goto(`/u/${ann.user.id}`);
  for (const text of ['Level 1', '70 points', '30 more to level 2']) await level.getByText(text).waitFor();
  await desk.getByRole('article', { name: 'Good company' }).getByText('0 of 1').waitFor();
  expect(await reasons(desk)).toEqual([
    `+10 Connected with ${BOB} (you’re no longer connected)`,
    `+20 Attended ${EVENT} (the tickets were refunded)`,
    '+20 Attended Stoop Sale',
    '+50 Someone you invited attended their first event',
  ]);
  expect(await faultsOf(desk), 'points that were taken back').toEqual([]);
  await phone.goto('/community/connections');
  await phone.getByText('None yet.').waitFor();
  await phone.goto(`/u/${bob.user.id}`);
  expect(await reasons(phone)).toEqual([
    '+10 Connected with Ann Asks (you’re no longer connected)',
    `+20 Attended ${EVENT}`,
  ]);

  // Both connection requests still exist, so with another ticket the connection counts again.
  await buy(event, ann);
  await counted(ann, { totalPoints: 100, level: 2, eventsAttended: 2, connectionsMade: 1 });
  await phone.goto('/community/connections');
  await connected.getByText('Ann Asks').waitFor();
});

test('a member without connections sees how to connect, and nothing overlaps on any screen', async () => {
  const page = await here.visitor({ viewport: DESK });
  await signedIn(page, await here.api.register('Amy Alone'));
  await page.goto('/community/connections');
  await page.getByText('No requests right now.').waitFor();
  const tabs = await page.getByRole('navigation', { name: 'Community' }).getByRole('link').all();
  const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y));
  expect(new Set(tops).size, 'rows of tabs on a desk').toBe(1);
  await page.getByText('No one new.').waitFor();
  await page.getByText('None yet.').waitFor();
  expect(await faultsOf(page), 'connections').toEqual([]);
  await page.setViewportSize({ width: 195, height: 422 });
  expect(await beyondTheEdge(page), 'connections').toEqual([]);
});

test('a visitor signs up to save an event, likes it and sees the attendees; the organizer sees these marks and the views', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Porch Concert' });
  const counts = async () => (await here.api.call<Event>('GET', `/api/events/${event.id}`)).counts;

  const page = await here.visitor({ userAgent: A_PERSON });
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Sign in to save this event.').waitFor();
  await page.getByRole('tab', { name: 'Register' }).click();
  const form = page.getByRole('form', { name: 'Register' });
  await form.getByLabel('Name', { exact: true }).fill('Bea Bookmark');
  await form.getByLabel('Email').fill('bea.bookmark@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL(new RegExp(`/event/${event.id}$`));
  await page.getByRole('button', { name: 'Saved', pressed: true }).waitFor();

  await page.getByRole('button', { name: /^Like/ }).click();
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Going' }).click();
  await expect.poll(counts).toMatchObject({ likes: 1, going: 1, interested: 0 });
  await page.reload();
  await page.getByRole('button', { name: 'Going', pressed: true }).waitFor();
  await page.getByRole('button', { name: /^Like/, pressed: true }).waitFor();
  expect(await faultsOf(page), 'event').toEqual([]);

  await page.goto('/saved');
  const card = page.getByRole('region', { name: 'Upcoming' }).getByRole('article');
  await card.getByRole('button', { name: 'Save Porch Concert', pressed: true }).waitFor();
  expect(await faultsOf(page), 'saved').toEqual([]);
  // A reload cancels a call on its way.
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/bookmark')),
    card.getByRole('button', { name: 'Save Porch Concert' }).click(),
  ]);
  await card.getByRole('button', { name: 'Save Porch Concert', pressed: false }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor();

  // Bea's two visits count as one view. A program's requests do not count.
  await fetch(new URL(`/api/events/${event.id}/view`, here.beltway.url), { method: 'POST' });
  await expect.poll(async () => (await counts())?.views).toBe(1);
  const business = await here.visitor();
  await signedIn(business, organizer);
  await business.goto('/#dashboard');
  const own = business.getByRole('article').filter({ hasText: 'Porch Concert' });
  const figure = (name: string) => own.getByText(name, { exact: true }).locator('xpath=following-sibling::dd');
  for (const [name, number] of [
    ['Views', '1'],
    ['Likes', '1'],
    ['Going', '1'],
  ] as const)
    await expect.poll(() => figure(name).textContent()).toBe(number);
  // Figures that are zero are not shown.
  expect(await figure('Shares').count()).toBe(0);
});

test('reactions belong to the account: another account on the same device does not see them', async () => {
  const { event } = await here.api.organize({ title: 'Shared Tablet' });
  const page = await here.visitor();
  await register(page, 'First', 'first.engaged@example.test');
  await page.goto(`/event/${event.id}`);
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/like')),
    page.getByRole('button', { name: /^Like/ }).click(),
  ]);
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/\/auth$/);
  await register(page, 'Second', 'second.engaged@example.test');
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: false }).waitFor();
});
