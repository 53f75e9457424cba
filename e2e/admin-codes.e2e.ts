import type { Role } from '@beltway/contracts/common/basics';
import type { Session } from '@beltway/contracts/identity/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf } from './support/codes.ts';
import { faultsOf } from './support/looks.ts';
import { sharedStage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = sharedStage({ demo: true });
const PASSWORD = 'orange-line-42';

/** One admin endpoint of each service. */
const ADMIN_CALLS = {
  gateway: ['GET', '/api/ops/services'],
  identity: ['GET', '/api/contact-messages'],
  catalog: ['GET', '/api/admin/ads'],
  ticketing: ['GET', '/api/orders?number=1'],
  payments: ['POST', '/api/platform/alerts/1/resolve'],
  media: ['GET', '/api/gallery/moderation'],
} as const;
const statusesOf = async (token: string) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(ADMIN_CALLS).map(async ([service, [method, path]]) => {
        const { status } = await here.api.ask(method, path, method === 'POST' ? {} : undefined, { token });
        return [service, status] as const;
      }),
    ),
  );
const ALL_REFUSED = Object.fromEntries(Object.keys(ADMIN_CALLS).map((service) => [service, 403]));

test('an admin without codes can sign in and turn codes on, but may do nothing as an admin before that', async () => {
  const { user } = await here.api.register('Ada Newly');
  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  const boss = await here.api.call<Session>('POST', '/api/auth/login', login);
  const roleOf = (role: Role) => here.api.call('PATCH', `/api/users/${user.id}/role`, { role }, { token: boss.token });
  await roleOf('admin');
  // Stories that share this system count on one admin.
  onTestFinished(async () => void (await roleOf('user')));
  const body = { email: user.email, password: PASSWORD };
  const { token } = await here.api.call<Session>('POST', '/api/auth/login', body);
  expect(await statusesOf(token)).toEqual(ALL_REFUSED);

  const page = await here.visitor();
  await page.goto('/auth?next=%2Fops');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(user.email);
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  const section = page.getByRole('region', { name: /^Codes at sign-in/ });
  await section.getByText(/^Admins need codes at sign-in/).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
  expect(await faultsOf(page)).toEqual([]);
  await page.goto('/ops');
  await page.getByRole('heading', { name: 'Turn on codes at sign-in first' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await section.getByRole('button', { name: 'Turn on codes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const key = await dialog.locator('code').textContent();
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(key!));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByRole('button', { name: 'I saved them' }).click();

  await page.goto('/ops');
  await page.getByRole('heading', { name: 'Operations' }).waitFor();
  const admins = await page.evaluate(() => localStorage.getItem('beltway.token'));
  expect(Object.values(await statusesOf(admins!))).not.toContain(403);

  // Turning codes off ends the admin's token at every service, and the page offers to turn codes on again.
  await page.goto('/account');
  await section.getByRole('button', { name: 'Turn off codes' }).click();
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(key!, 1));
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await section.getByRole('button', { name: 'Turn on codes' }).waitFor();
  await eventually(async () => Object.values(await statusesOf(admins!)).every((status) => status === 401));
  await page.goto('/ops');
  await page.getByRole('heading', { name: 'Turn on codes at sign-in first' }).waitFor();
});
