import type { Session } from '@beltway/contracts/identity/accounts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { codeOf } from './support/codes.ts';
import { faultsOf } from './support/looks.ts';
import { register, signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });
const EMAIL = 'otto@example.test';

/** Sets the desktop size, because faultsOf leaves the page at the phone size, at which the header has no ‘Sign out’. */
const onDesk = (page: Page) => page.setViewportSize({ width: 1440, height: 900 });

async function givePassword(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill(EMAIL);
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await onDesk(page);
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  // The URL includes a return path if the page was still loading.
  await page.waitForURL(/\/auth(\?|$)/);
}

/** Signs out on /account, then signs in again with a recovery code. */
async function recover(page: Page, code: string): Promise<void> {
  await page.goto('/account');
  await signOut(page);
  await givePassword(page);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code.toLowerCase());
  await page.getByRole('form', { name: 'Your code' }).getByRole('button', { name: 'Sign in' }).click();
}

test('codes at sign-in: turned on, required, a wrong code refused, a recovery code used once, turned off by an admin', async () => {
  const page = await here.visitor();
  await register(page, 'Otto Code', EMAIL, true);
  await page.goto('/account');
  const section = page.getByRole('region', { name: /^Codes at sign-in/ });
  await section.getByRole('button', { name: 'Turn on codes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password', { exact: true }).fill('orange-line-42');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const key = await dialog.locator('code').textContent();
  await dialog.getByRole('img', { name: /^QR code for your authenticator app/ }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const shown = codeOf(key!);
  await dialog.getByLabel('Code', { exact: true }).fill(shown);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const recovery = await codes.allTextContents();
  expect(recovery).toHaveLength(10);
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'I saved them' }).click();
  await section.getByText(/10 recovery codes left/).waitFor();
  expect(await faultsOf(page)).toEqual([]);

  const step = page.getByRole('form', { name: 'Your code' });
  await signOut(page);
  await givePassword(page);
  await step.waitFor();
  expect(await faultsOf(page)).toEqual([]);
  // The code that confirmed the setup was used, so it is refused.
  await step.getByLabel('Code', { exact: true }).fill(shown);
  await step.getByRole('button', { name: 'Sign in' }).click();
  await step.getByText(/^This code is wrong or was already used/).waitFor();
  // The app's next code is already valid, so there is no wait.
  await step.getByLabel('Code', { exact: true }).fill(codeOf(key!, 1));
  await step.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Welcome back!').first().waitFor();

  await recover(page, recovery[0]!);
  await page.getByText('Welcome back!').first().waitFor();
  await page.goto('/account');
  await section.getByText(/9 recovery codes left/).waitFor();
  await recover(page, recovery[0]!);
  await step.getByText(/^This code is wrong or was already used/).waitFor();

  // After the phone and the recovery codes are lost, an admin turns codes off.
  const admin = await here.visitor();
  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  await signedIn(admin, await here.api.call<Session>('POST', '/api/auth/login', login));
  await admin.goto('/ops?tab=accounts');
  await admin.getByLabel('Account number or email').fill(EMAIL);
  await admin.getByRole('button', { name: 'Find', exact: true }).click();
  const found = admin.getByRole('article', { name: 'Otto Code' });
  await found.getByText(/recovery codes left: 9$/).waitFor();
  expect(await faultsOf(admin)).toEqual([]);
  await found.getByRole('button', { name: 'Turn off codes…' }).click();
  await admin.getByRole('dialog').getByText('We log this.').waitFor();
  expect(await faultsOf(admin)).toEqual([]);
  await admin.getByRole('button', { name: 'Turn them off' }).click();
  await found.getByText('Off', { exact: true }).waitFor();
  await admin.goto('/ops?tab=audit');
  await admin.getByRole('listitem').getByText('Turned off codes at sign-in').waitFor();

  await step.getByRole('button', { name: 'Back to password' }).click();
  await givePassword(page);
  await page.getByText('Welcome back!').first().waitFor();
});
