import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { register } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

/** Adds a virtual authenticator with user verification to the page. Returns access to its passkeys and presence. */
async function authenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    kept: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Simulates a person's presence, which signs a passkey request as soon as it appears. */
    isThere: (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

test('a passkey is added, signs in without email address and password, and is refused after its removal', async () => {
  const page = await here.visitor();
  const { kept, isThere } = await authenticator(page);
  await register(page, 'Kay Key', 'kay@example.test');
  await page.goto('/account');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  const form = page.getByRole('form', { name: 'Add a passkey' });
  await form.getByLabel('Name').fill('Blue phone');
  await form.getByLabel('Your password', { exact: true }).fill('orange-line-42');
  await page.getByRole('button', { name: 'Continue' }).click();
  await passkeys.getByText('Blue phone').waitFor();
  await passkeys.getByText(/not used yet$/).waitFor();
  expect(await kept()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

  await isThere(false);
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/\/auth$/);
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
  await signIn.waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await isThere(true);
  await signIn.click();
  await page.getByText('Welcome back!').first().waitFor();
  await page.goto('/account');
  await passkeys.getByText(/last used: /).waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await page.setViewportSize({ width: 1440, height: 900 }); // where the header has ‘Sign out’
  // The browser also offers the passkey as autofill for the email field, and signs in with the passkey.
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByText('Welcome back!').first().waitFor();
  await page.goto('/account');
  await isThere(false);

  await passkeys.getByRole('button', { name: 'Remove Blue phone' }).click();
  const removal = page.getByRole('dialog');
  await removal.getByLabel('Your password', { exact: true }).fill('orange-line-42');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await removal.waitFor({ state: 'detached' });
  await passkeys.getByText('Blue phone').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL(/\/auth$/);
  // The device still offers the removed passkey.
  expect(await kept()).toHaveLength(1);
  await isThere(true);
  await signIn.click();
  await page.getByRole('alert').getByText('This passkey doesn’t belong to an account here.').waitFor();
  expect(page.url()).toMatch(/\/auth$/);
});
