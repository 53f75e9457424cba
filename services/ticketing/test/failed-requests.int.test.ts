import { expect, test } from 'vitest';
import { guestKey, onSale, startCheckout, stockOf } from './support.ts';

async function setup() {
  const ticketing = await onSale(5);
  const held = async () => (await stockOf(ticketing)).held;
  const buy = (change = {}, headers = {}) => startCheckout(ticketing, change, { headers });
  return { ...ticketing, held, buy };
}

test('if any step between the hold and the intent fails, the hold made by the request is released', async () => {
  const { buy, held, rows } = await setup();
  await rows('alter table checkouts add constraint no_more check (false) not valid');
  expect((await buy()).status).toBe(500);
  expect(await held()).toBe(0);
  await rows('alter table checkouts drop constraint no_more');
  expect((await buy()).status).toBe(200);
});

test('if a repeated request fails, the hold from the first response is not released', async () => {
  const { buy, held, fake } = await setup();
  const headers = { 'idempotency-key': guestKey('ann-buys-two-tickets') };
  const first = await buy({}, headers);
  fake.state.down = true;
  expect((await buy({}, headers)).status).toBe(503);
  expect(await held()).toBe(2);
  fake.state.down = false;
  expect((await buy({}, headers)).body).toEqual(first.body);
});

test('text that a database cannot store is refused with the name of its field, and nothing is held', async () => {
  const { buy, held } = await setup();
  for (const [field, value] of [
    ['ticketHolderName', '\u0000'],
    ['ticketHolderName', 'Ann\ud800'],
    ['ticketType', 'vip\u0000'],
  ] as const) {
    const { status, body } = await buy({ [field]: value });
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  }
  expect(await held()).toBe(0);
});
