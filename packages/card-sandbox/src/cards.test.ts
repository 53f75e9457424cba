import { expect, test } from 'vitest';
import { luhn, readyMade, testCards } from './cards.ts';
import { parseForm } from './form.ts';
import { dueIn, nextPause } from './settings.ts';
import { signature } from './send.ts';

test('every test card has a valid check digit and a unique number and title', () => {
  for (const { number } of testCards) expect(luhn(number), number).toBe(true);
  expect(new Set(testCards.map((card) => card.number)).size).toBe(testCards.length);
  expect(new Set(testCards.map((card) => card.method)).size).toBe(testCards.length);
});

test('a ready-made method resolves to its card without storing the number', () => {
  const card = readyMade('pm_card_visa', new Date('2026-01-01'), 'sk_test_1');
  expect(card).toMatchObject({ brand: 'visa', last4: '4242', exp_year: 2028 });
  expect(JSON.stringify(card)).not.toContain('424242');
  expect(readyMade('pm_card_nobody', new Date(), 'sk_test_1')).toBeUndefined();
});

test("reads Stripe's forms: hashes, lists, empty lists of hashes", () => {
  const form = parseForm(
    'amount=5&metadata[a%5Bb]=1&card[number]=42&expand[]=x&expand[]=y&items[0][id]=p&items[1][id]=q&name=a+b',
  );
  expect(JSON.parse(JSON.stringify(form))).toEqual({
    amount: '5',
    metadata: { 'a[b': '1' },
    card: { number: '42' },
    expand: ['x', 'y'],
    items: [{ id: 'p' }, { id: 'q' }],
    name: 'a b',
  });
});

test('a form cannot change a prototype, use a field as both value and hash, or grow without bound', () => {
  parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(() => parseForm('a=1&a[b]=2')).toThrow();
  expect(() => parseForm('a[b]=2&a=1')).toThrow();
  expect(() => parseForm(`a${'[b]'.repeat(20)}=1`)).toThrow();
  expect(() => parseForm('a[]=1&'.repeat(600))).toThrow();
});

test('pauses between retries grow, and retries end after three days', () => {
  expect([1, 2, 3, 4, 5, 6].map((attempts) => nextPause(attempts, 0))).toEqual([0.2, 1, 3, 10, 30, 60]);
  expect(nextPause(50, 86_400)).toBe(3600);
  expect(nextPause(50, 3 * 86_400 + 1)).toBeNull();
});

test('each webhook mode decides when and how often an event is sent', () => {
  expect(dueIn({ mode: 'normal', seconds: 5 })).toEqual([0]);
  expect(dueIn({ mode: 'late', seconds: 5 })).toEqual([5]);
  expect(dueIn({ mode: 'lost', seconds: 5 })).toEqual([Number.POSITIVE_INFINITY]);
  expect(dueIn({ mode: 'doubled', seconds: 5 }, () => 0.5)).toEqual([0, 0.25]);
  expect(dueIn({ mode: 'shuffled', seconds: 4 }, () => 0.5)).toEqual([2]);
});

test("signatures have the format of Stripe's documentation", () => {
  expect(signature('{}', 'whsec_1', 1)).toMatch(/^t=1,v1=[0-9a-f]{64}$/);
});
