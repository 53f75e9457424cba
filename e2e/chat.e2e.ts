/// <reference lib="dom" />
import type { MessagePage } from '@beltway/contracts/realtime/chat';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();

const HOSTILE = '<img src=x onerror="document.title=1"> https://evil.example';
const chat = (page: Page) => page.getByRole('region', { name: 'Live chat' });
const field = (page: Page) => chat(page).getByRole('textbox', { name: 'Your message' });
const messageOf = (page: Page, name: RegExp) => chat(page).getByRole('log').getByRole('group', { name });

/**
 * Records a page's WebSockets so that the test can close them. An offline browser would keep them open for half a
 * minute.
 */
const keepSockets = (page: Page) =>
  page.addInitScript(() => {
    const sockets: WebSocket[] = [];
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    };
    addEventListener('cut', () => sockets.forEach((socket) => socket.close()));
  });
async function loseNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event('cut')));
}

test('a guest and a member chat, the guest loses the connection and resumes, and the organizer removes a message', async () => {
  const { organizer, event } = await here.api.organize();
  const address = `/event/${event.id}`;
  const open = async (page: Page) => {
    await page.goto(address);
    await page.getByRole('tab', { name: 'Chat' }).click();
    await chat(page).scrollIntoViewIfNeeded();
    await chat(page).getByText('here now').waitFor();
  };

  // A visitor without an account needs only a name.
  const gail = await here.visitor({ viewport: { width: 390, height: 844 } });
  await keepSockets(gail);
  await open(gail);
  await chat(gail).getByRole('textbox', { name: 'Your name in the chat' }).fill('Gail');
  await field(gail).fill(HOSTILE);
  await field(gail).press('Enter');
  await messageOf(gail, /^Gail/).getByText('evil.example').waitFor();

  // A signed-in member has a name, and sees the text as typed.
  const bob = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(bob, await here.api.register('Bob Reader'));
  await open(bob);
  await messageOf(bob, /^Gail/).getByText(HOSTILE).waitFor();
  expect(await chat(bob).getByRole('log').locator('img, a').count()).toBe(0);
  await chat(gail).getByText('2 here now').waitFor();
  await messageOf(bob, /^Gail/).hover();
  await messageOf(bob, /^Gail/).getByRole('button', { name: 'Applause', exact: true }).click();
  await messageOf(gail, /^Gail/).getByRole('button', { name: 'Applause: 1' }).waitFor();
  expect(await faultsOf(bob), 'chat').toEqual([]);
  await bob.setViewportSize({ width: 1440, height: 900 });

  // While a visitor is offline, the visitor's messages wait. Afterwards, the messages of other people arrive once each,
  // in the same order.
  await loseNetwork(gail);
  await chat(gail).getByText('Not connected').waitFor();
  await field(gail).fill('Written in the tunnel');
  await field(gail).press('Enter');
  await chat(gail).getByText('Sending…').waitFor();
  for (const text of ['One', 'Two', 'Three']) {
    await field(bob).fill(text);
    await field(bob).press('Enter');
  }
  await messageOf(bob, /^Bob Reader/)
    .getByText('Three')
    .waitFor();
  await gail.context().setOffline(false);
  await messageOf(bob, /^Gail/).getByText('Written in the tunnel').waitFor();
  await messageOf(gail, /^Gail/).getByText('Written in the tunnel').waitFor();
  const order = [HOSTILE, 'One', 'Two', 'Three', 'Written in the tunnel'];
  const texts = (page: Page) => chat(page).getByRole('log').locator('[data-seq] p[dir=auto]').allTextContents();
  await expect.poll(() => texts(gail)).toEqual(order);
  await expect.poll(() => texts(bob)).toEqual(order);

  // The event's organizer removes the message permanently, for all readers.
  const owner = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(owner, organizer);
  await open(owner);
  const hostile = messageOf(owner, /^Gail/).first();
  await hostile.hover();
  await hostile.getByRole('button', { name: /^More options for/ }).click();
  await owner.getByRole('menuitem', { name: 'Remove message' }).click();
  for (const page of [owner, bob, gail]) await messageOf(page, /^Message removed/).waitFor();
  const { messages } = await here.api.call<MessagePage>('GET', `/api/chat/${event.id}/messages`);
  expect(JSON.stringify(messages)).not.toContain('evil.example');
  expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});
