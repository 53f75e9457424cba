import { expect, test } from 'vitest';
import { faultsOf } from './support/looks.ts';
import { fillCard, fillDetails, pay, signedIn } from './support/pages.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage();
const linkIn = (text: string) => /https?:\/\/\S+\/ticket-success\?\S+/.exec(text)![0];

test('a buyer confirms a second identical order and writes to the organizer, who corrects a mistyped email address', async () => {
  const contactEmail = 'porch-office@example.test';
  const { organizer, event } = await here.api.organize({ title: 'Porch Songs', ticketPrice: 12, contactEmail });
  const buyer = await here.visitor({ viewport: { width: 390, height: 844 } });
  const checkout = async () => {
    await buyer.goto(`/ticket-checkout?eventId=${event.id}`);
    await fillDetails(buyer, 'Mia Buyer', 'mia@example.tset', 2);
  };
  await checkout();
  await fillCard(buyer);
  await pay(buyer);
  await buyer.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();

  await checkout();
  const question = buyer.getByRole('dialog', { name: 'Buy the same tickets again?' });
  await question.getByText(/^You bought 2 tickets for Porch Songs on /).waitFor();
  expect(await faultsOf(buyer), 'the question').toEqual([]);
  await question.getByRole('link', { name: 'See the tickets that you bought' }).click();
  await buyer.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();

  await buyer.getByRole('button', { name: 'Message the organizer' }).click();
  await buyer.getByLabel('Your message').fill('My address ends with .test: can you correct it?');
  expect(await faultsOf(buyer), 'a message').toEqual([]);
  await buyer.getByRole('button', { name: 'Send', exact: true }).click();
  await buyer.getByText('Message sent').first().waitFor();
  const message = await here.api.mailTo(contactEmail);
  expect(message.text).toContain('can you correct it?');
  expect(message.text + message.html).not.toContain('mia@');

  const old = await here.api.mailTo('mia@example.tset');
  const page = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(page, organizer);
  await page.goto(/https?:\/\/\S+\?message=\S+/.exec(message.text)![0]);
  await page.getByRole('button', { name: 'Correct the email address' }).click();
  await page.getByLabel('The buyer’s email').fill('mia@example.test');
  expect(await faultsOf(page), 'correct an address').toEqual([]);
  await page.getByRole('button', { name: 'Correct and send the tickets' }).click();
  await page.getByText('The tickets are on their way to mia@example.test.').first().waitFor();

  const tickets = await here.api.mailTo('mia@example.test');
  expect(tickets).toMatchObject({ replyTo: contactEmail });
  const elsewhere = await here.visitor();
  await elsewhere.goto(linkIn(old.text));
  await elsewhere.getByRole('heading', { name: 'Order not found' }).waitFor();
  // Uses a new page, because the two URLs differ only in their fragment and a browser would not load the page again.
  const again = await here.visitor();
  await again.goto(linkIn(tickets.text));
  await again.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
});
