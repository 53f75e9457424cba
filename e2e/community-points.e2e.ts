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
/** Of the second day from now identity believes that it is today: what it gave out before is over, so people sign in anew. */
async function twoDaysLater(...people: Session[]): Promise<Session[]> {
  writeFileSync(join(here.beltway.dataDir, 'identity-is-ahead'), '');
  return Promise.all(
    people.map(({ user: { email } }) =>
      here.api.call<Session>('POST', '/api/auth/login', { email, password: 'orange-line-42' }),
    ),
  );
}
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
/** They are as long as names and titles become. */
const BOB = 'Dr. Bartholomew Montgomery of the Anacostia Neighbors';
const EVENT = 'Rowhouse Revival, the Annual Thanksgiving Weekend Block Party of Greater Columbia Heights';
/** A headless browser identifies as one, and its views are not counted. */
const A_PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const statsOf = ({ token, user }: Session): Promise<UserStats> =>
  here.api.call('GET', `/api/users/${user.id}/stats`, undefined, { token });
/**
 * Waits until these points are counted, which takes seconds. A check that was queued before identity's clock moved is due tomorrow by the
 * clock of its database, which stays: it runs now.
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
/** Whether the second is to the right of the first, on the same lines. */
async function isBeside(one: Locator, after: Locator): Promise<boolean> {
  const [a, b] = [(await one.boundingBox())!, (await after.boundingBox())!];
  return b.x >= a.x + a.width && b.y < a.y + a.height && b.y + b.height > a.y;
}
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
/** The reasons listed for points, and why they were withdrawn. */
const reasons = async (page: Page): Promise<string[]> => {
  const list = page.getByRole('list', { name: 'Points' });
  await list.waitFor();
  const rows = await list.getByRole('listitem').allInnerTexts();
  const why = (row: string) => /Taken back \S+ (.+)/.exec(row)?.[1];
  return rows.map((row) => [...row.split('\n').slice(0, 2), ...(why(row) ? [`(${why(row)})`] : [])].join(' ')).sort();
};

test('two who met at an event connect, post, ask and answer; one climbs a level, and a refund takes it back', async () => {
  const asker = await here.api.register('Ann Asks');
  const brought = await here.api.call<Session>('POST', '/api/auth/register', {
    ...{ name: BOB, email: 'bob.brought@example.test', password: 'orange-line-42' },
    referralCode: (await statsOf(asker)).referralCode,
  });
  const { organizer, event } = await here.api.organize({ title: EVENT, eventDate: TOMORROW });
  const other = await here.api.launch(organizer.token, { title: 'Stoop Sale', eventDate: TOMORROW });
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
    await page.getByText('Only you see this profile.').waitFor();
    await page.getByRole('switch', { name: 'Show my profile' }).click();
    await page.getByText('Others see this profile.').waitFor();
  }
  const level = desk.getByRole('region', { name: 'Level' });
  await level.getByText('10 more to level 2').waitFor();
  expect(await reasons(desk)).toEqual([
    `+20 Attended ${EVENT}`,
    '+20 Attended Stoop Sale',
    '+50 Somebody you invited attended their first event',
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
  await desk.getByRole('main').getByText(`You asked ${BOB} to connect.`).waitFor();

  await bell(phone).click();
  await phone.getByRole('link', { name: 'Somebody you met wants to connect' }).click();
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
  await desk.getByText('Your post is there.').waitFor();
  await desk.goto(new URL(phone.url()).pathname);
  await desk.getByRole('textbox', { name: 'Write an answer' }).fill('The drummer, from the roof');
  await desk.getByRole('button', { name: 'Answer', exact: true }).click();
  await desk.getByRole('article', { name: 'Answer by Ann Asks' }).waitFor();
  await phone.goto('/community');
  await phone.getByRole('article').getByText('All of the rowhouse sang along').waitFor();
  await bell(phone).click();
  await phone.getByRole('link', { name: 'A question you follow has an answer' }).click();
  await phone.getByRole('button', { name: 'This helped' }).click();
  const helped = phone.getByRole('region', { name: 'The answer that helped' });
  await helped.getByText('The drummer, from the roof').waitFor();

  await here.api.call('POST', `/api/orders/${shared.orderId}/refund`, {}, { token: organizer.token });
  await counted(ann, { totalPoints: 70, level: 1, eventsAttended: 1, connectionsMade: 0 });
  await counted(bob, { totalPoints: 20, eventsAttended: 1, connectionsMade: 0 });
  await desk.goto(`/u/${ann.user.id}`);
  for (const text of ['Level 1', '70 points', '30 more to level 2']) await level.getByText(text).waitFor();
  await desk.getByRole('article', { name: 'Good company' }).getByText('0 of 1').waitFor();
  expect(await reasons(desk)).toEqual([
    `+10 Connected with ${BOB} (you are not connected any more)`,
    `+20 Attended ${EVENT} (the tickets were refunded)`,
    '+20 Attended Stoop Sale',
    '+50 Somebody you invited attended their first event',
  ]);
  expect(await faultsOf(desk), 'points that were taken back').toEqual([]);
  await phone.goto('/community/connections');
  await phone.getByText('None yet.').waitFor();
  await phone.goto(`/u/${bob.user.id}`);
  expect(await reasons(phone)).toEqual([
    '+10 Connected with Ann Asks (you are not connected any more)',
    `+20 Attended ${EVENT}`,
  ]);

  // Both requests remain: with another ticket it counts again.
  await buy(event, ann);
  await counted(ann, { totalPoints: 100, level: 2, eventsAttended: 2, connectionsMade: 1 });
  await phone.goto('/community/connections');
  await connected.getByText('Ann Asks').waitFor();
});

test('a member without connections learns how to make them, and nothing overlaps on any screen', async () => {
  const page = await here.visitor({ viewport: DESK });
  await signedIn(page, await here.api.register('Amy Alone'));
  await page.goto('/community/connections');
  await page.getByText('Nobody is waiting for your answer.').waitFor();
  const tabs = await page.getByRole('navigation', { name: 'Community' }).getByRole('link').all();
  const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y));
  expect(new Set(tops).size, 'rows of tabs on a desk').toBe(1);
  await page.getByText('Nobody new.').waitFor();
  await page.getByText('None yet.').waitFor();
  expect(await faultsOf(page), 'connections').toEqual([]);
  await page.setViewportSize({ width: 195, height: 422 });
  expect(await beyondTheEdge(page), 'connections').toEqual([]);
});

test('a visitor signs up to save an event, likes it, sees who attends, and its organizer sees that and the views', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Porch Concert' });
  const counts = async () => (await here.api.call<Event>('GET', `/api/events/${event.id}`)).counts;

  const page = await here.visitor({ userAgent: A_PERSON });
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Sign in, and the event is saved for you.').waitFor();
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
  await card.getByRole('button', { name: 'Save Porch Concert' }).click();
  await card.getByRole('button', { name: 'Save Porch Concert', pressed: false }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor();

  // Bea looked twice and counts once; a program does not count.
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
    ['Shares', '0'],
  ] as const)
    await expect.poll(() => figure(name).textContent()).toBe(number);
});

test('what one did stays with the account: another one on the same device sees none of it', async () => {
  const { event } = await here.api.organize({ title: 'Shared Tablet' });
  const page = await here.visitor();
  await register(page, 'First', 'first.engaged@example.test');
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: /^Like/ }).click();
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/\/auth$/);
  await register(page, 'Second', 'second.engaged@example.test');
  await page.goto(`/event/${event.id}`);
  await page.getByRole('button', { name: /^Like.*1 like$/, pressed: false }).waitFor();
});
