import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { register } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
const RESERVED = 'This name is kept for Beltway. Please choose another one.';

test('accounts and chats refuse a name that claims to belong to Beltway, and accept a similar name', async () => {
  const { event } = await here.api.organize();
  const page = await here.visitor({ viewport: { width: 390, height: 844 } });
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  const form = page.getByRole('form', { name: 'Register' });
  await form.getByLabel('Email').fill('not-support@example.test');
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  // The check detects a reserved name despite an accent and a zero-width space.
  await form.getByLabel('Name', { exact: true }).fill('B\u00e9ltway\u200b Support');
  await form.getByRole('button', { name: 'Register' }).click();
  await form.getByText(RESERVED).waitFor();
  expect(await faultsOf(page), 'register').toEqual([]);

  await page.goto(`/event/${event.id}`);
  await page.getByRole('tab', { name: 'Chat' }).click();
  const chat = page.getByRole('region', { name: 'Live chat' });
  await chat.scrollIntoViewIfNeeded();
  const message = chat.getByRole('textbox', { name: 'Your message' });
  const name = chat.getByRole('textbox', { name: 'Your name in the chat' });
  await name.fill('The Organizer');
  await message.fill('Doors open later, pay at https://evil.example');
  await message.press('Enter');
  await chat.getByText(RESERVED).waitFor();
  await name.fill('Organ Player');
  await message.press('Enter');
  await chat
    .getByRole('log')
    .getByRole('group', { name: /^Organ Player/ })
    .waitFor();

  await register(page, 'Beltway Brewing', 'brewing@example.test');
});

test('mail to an unconfirmed email address contains no text from the person who registered it', async () => {
  const page = await here.visitor();
  const email = 'victim@example.test';
  await register(page, 'Claim your prize at evil.example', email);
  const mail = await here.api.accountMailTo(email);
  expect(mail.subject + mail.text + mail.html).not.toMatch(/prize|evil/);
});
