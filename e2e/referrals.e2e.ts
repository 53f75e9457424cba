import type { Session } from '@beltway/contracts/identity/accounts';
import { expect, test } from 'vitest';
import { beyondTheEdge, faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });

test('a visitor registers with a referral link; the link’s owner sees it, and an admin sees that both share a network', async () => {
  const ann = await here.api.register('Ann Asks');
  const own = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(own, ann);
  await own.goto('/community/referrals');
  await own.getByText('No one yet.').waitFor();
  const link = new URL(await own.getByRole('textbox', { name: 'Your link' }).inputValue());
  expect(await faultsOf(own), 'one’s own referrals').toEqual([]);

  const bob = await here.visitor({ viewport: { width: 390, height: 844 } });
  await bob.goto(link.pathname + link.search);
  await bob.getByText(`You were invited with code ${link.searchParams.get('ref')}.`).waitFor();
  expect(await faultsOf(bob), 'registering by a link').toEqual([]);
  expect(await beyondTheEdge(bob), 'registering by a link').toEqual([]);
  const form = bob.getByRole('form', { name: 'Register' });
  await form.getByLabel('Name', { exact: true }).fill('Bob Brought');
  await form.getByLabel('Email').fill('bob.brought@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  await form.getByRole('button', { name: 'Register' }).click();
  await bob.getByText('Welcome to Beltway!').first().waitFor();

  await own.reload();
  await own.getByRole('list', { name: 'People who signed up' }).getByText('No event yet').waitFor();
  await own.setViewportSize({ width: 195, height: 422 });
  expect(await beyondTheEdge(own), 'one’s own referrals').toEqual([]);

  const login = { email: 'admin@beltway.test', password: 'demo-beltway' };
  const admin = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(admin, await here.api.call<Session>('POST', '/api/auth/login', login));
  await admin.goto('/admin/referrals');
  await admin.getByRole('listitem').filter({ hasText: 'Bob Brought' }).getByText('Same network').waitFor();
  expect(await faultsOf(admin), 'flagged referrals').toEqual([]);
  await admin.setViewportSize({ width: 195, height: 422 });
  expect(await beyondTheEdge(admin), 'flagged referrals').toEqual([]);
});
