/// <reference lib="dom" />
import type { Session } from '@beltway/contracts/identity/accounts';
import { eventually } from './support/wait.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SentMail } from './support/api.ts';
import { register } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

const stored = (page: Page) => page.evaluate(() => localStorage.getItem('beltway.token'));
/** The token with an expiry in the past. Its signature no longer matches its claims. */
function expired(token: string): string {
  const [head, , signature] = token.split('.');
  const claims = Buffer.from(JSON.stringify({ sub: '1', exp: 1 })).toString('base64url');
  return [head, claims, signature].join('.');
}
/** The statuses of one authenticated call each to identity, catalog, ticketing and media. */
async function statuses(token: string): Promise<number[]> {
  const calls: Array<[string, string, unknown?]> = [
    ['GET', '/api/auth/me'],
    ['POST', '/api/events', {}],
    ['GET', '/api/tickets/my-tickets'],
    ['POST', '/api/images', {}],
  ];
  const answers = await Promise.all(calls.map(([method, path, body]) => here.api.ask(method, path, body, { token })));
  return answers.map(({ status }) => status);
}
/** Waits until every service refuses the token of an ended session. */
const refusedEverywhere = (token: string) =>
  eventually(async () => (await statuses(token)).every((status) => status === 401), {
    timeoutMs: 25_000, // an unknown token is remembered for thirty seconds
    what: 'every service refuses the old token',
  });

test('an expired token is renewed silently, and only once for all calls that used it', async () => {
  const page = await here.visitor();
  await register(page, 'Sasha Silent', 'sasha@example.test');
  await page.waitForURL(/\/$/);
  const refreshes: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/auth/refresh')) refreshes.push(response.status());
  });
  // Simulates a return after a night with a closed laptop.
  const old = expired((await stored(page))!);
  await page.evaluate((token) => localStorage.setItem('beltway.token', token), old);
  await page.goto('/my-tickets');
  await page.getByRole('heading', { name: 'No Tickets Yet' }).waitFor();
  expect(page.url()).toMatch(/\/my-tickets$/);
  expect(await stored(page)).not.toBe(old);
  expect(refreshes).toEqual([200]);
  expect(await statuses((await stored(page))!)).not.toContain(401);
});

test('signing out in one tab signs out the other, and every service refuses the old token immediately', async () => {
  const page = await here.visitor();
  await register(page, 'Tara Tabs', 'tara@example.test');
  await page.waitForURL(/\/$/);
  const other = await page.context().newPage();
  await other.goto('/my-tickets');
  await other.getByRole('heading', { name: 'No Tickets Yet' }).waitFor();
  const token = (await stored(page))!;
  expect(await statuses(token)).not.toContain(401);

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/\/auth$/);
  expect(await stored(page)).toBeNull();
  await other.waitForURL(/\/auth/);
  await refusedEverywhere(token);
  // The cookie does not restore the session either.
  const again = await page.evaluate(() =>
    fetch('/api/auth/refresh', { method: 'POST', headers: { 'x-requested-with': 'beltway' } }).then((it) => it.status),
  );
  expect(again).toBe(401);
});

test('a session that was ended elsewhere leads to the sign-in and back to the page', async () => {
  const page = await here.visitor();
  await register(page, 'Eli Ended', 'eli@example.test');
  await page.waitForURL(/\/$/);
  const token = (await stored(page))!;
  await page.goto('about:blank'); // the page itself would notice the end of its session
  await here.api.call('POST', '/api/auth/logout', {}, { token });
  await refusedEverywhere(token);
  await page.goto('/my-tickets');
  await page.waitForURL(/\/auth/);
  expect(await stored(page)).toBeNull();
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill('eli@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Welcome back!').first().waitFor();
  await page.getByRole('heading', { name: 'No Tickets Yet' }).waitFor();
  expect(page.url()).toMatch(/\/my-tickets$/);
});

test('public pages stay open, signed out, when the session has ended', async () => {
  await here.api.organize({ title: 'Jazz Night' }); // signed in, its card would request the user's reactions
  const page = await here.visitor();
  await register(page, 'Lin Linked', 'lin@example.test');
  await page.waitForURL(/\/$/);
  const token = (await stored(page))!;
  // Leaves the page before its session ends, because its pending calls would be refused.
  await page.goto('about:blank');
  await here.api.call('POST', '/api/auth/logout', {}, { token });
  // Simulates a return after weeks: the token has expired, and the cookie cannot renew it.
  await page.addInitScript((old) => localStorage.setItem('beltway.token', old), expired(token));
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(new URL(response.url()).pathname);
  });
  // May be sent in the background with the expired token, without an effect.
  const IN_BACKGROUND = '/api/tickets/my-tickets';
  await page.route(`**${IN_BACKGROUND}`, (route) => route.fulfill({ status: 401 }));
  // This script is loaded seconds after the page, when all of its calls have been sent.
  await Promise.all([page.waitForRequest(/\/assets\/prepare-offline/), page.goto('/?q=jazz')]);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await page.getByRole('heading', { name: 'Jazz Night' }).first().waitFor();
  expect(page.url()).toMatch(/\/\?q=jazz$/);
  expect(await stored(page)).toBeNull();
  expect(refused.filter((path) => path !== IN_BACKGROUND)).toEqual(['/api/auth/refresh']);
});

test('a forgotten password is reset by the mailed link, once, and every other browser is signed out', async () => {
  const email = 'fay@example.test';
  const elsewhere = await here.visitor();
  await register(elsewhere, 'Fay Forgetful', email);
  await elsewhere.waitForURL(/\/$/);
  const token = (await stored(elsewhere))!;
  await elsewhere.goto('about:blank');
  const page = await here.visitor();
  await page.goto('/auth');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  const asking = page.getByRole('form', { name: 'Forgot your password' });
  await asking.getByLabel('Email').fill(email);
  await asking.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('If there’s an account for').waitFor();
  const link = await eventually(
    async () => {
      const mails = await here.api.call<SentMail[]>('GET', '/dev/mail/messages');
      const mail = mails.find(({ to, subject }) => to === email && subject.startsWith('Reset your Beltway password'));
      return mail && /http\S+\/reset-password#\S+/.exec(mail.text)?.[0];
    },
    { timeoutMs: 60_000, what: 'the mail with the link' },
  );
  const { pathname, hash } = new URL(link);
  await page.goto(pathname + hash);
  await page.getByLabel('New password', { exact: true }).fill('a longer password than before');
  expect(page.url()).toMatch(/\/reset-password$/);
  await page.getByRole('button', { name: 'Change my password' }).click();
  await page.getByText('Your password was changed').first().waitFor();
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill('a longer password than before');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Welcome back!').first().waitFor();
  await refusedEverywhere(token);
  await elsewhere.goto('/my-tickets');
  await elsewhere.waitForURL(/\/auth/);
  const again = { token: hash.slice(1), password: 'yet another password' };
  expect((await here.api.ask('POST', '/api/auth/reset-password', again)).status).toBe(400);
});

test('a page of another site can neither renew nor end a session', async () => {
  const { token } = await here.api.register('Casey Cross');
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
    const answer = await here.api.ask('POST', path, {}, { headers: foreign });
    expect(answer.status).toBe(403);
    expect((await here.api.ask('POST', path)).status).toBe(415);
  }
  expect((await here.api.ask<Session['user']>('GET', '/api/auth/me', undefined, { token })).status).toBe(200);
});
