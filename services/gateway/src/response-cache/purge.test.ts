import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { purgeOf } from './purge.ts';

const GOLDEN = join(import.meta.dirname, '../../../../packages/contracts/golden');
const golden = (name: string): unknown => JSON.parse(readFileSync(join(GOLDEN, name), 'utf8'));
const purgeBy = (type: string) => purgeOf(golden(readdirSync(GOLDEN).find((file) => file.startsWith(type))!));

test.each([
  ['catalog.event-published', false],
  ['catalog.event-updated', true],
  ['catalog.event-canceled', true],
  ['catalog.promotion-started', true],
  ['catalog.promotion-ended', true],
  ['catalog.livestream-changed', true],
  ['ticketing.stock-changed', false],
])('%s drops event lists and the event; untrue: %s', (type, isUntrue) => {
  const purge = purgeBy(type)!;
  expect(purge.isUntrue).toBe(isUntrue);
  expect(purge.tags.slice(0, 2)).toEqual(['events', expect.stringMatching(/^event-\d+$/)]);
});

test.each([
  ['catalog.ad-approved', false],
  ['catalog.ad-rejected', true],
])('%s drops the ads; untrue: %s', (type, isUntrue) => {
  expect(purgeBy(type)).toEqual({ tags: ['ads'], isUntrue });
});

test('other messages and malformed messages drop nothing', () => {
  expect(purgeBy('ticketing.ticket-purchased')).toBeUndefined();
  expect(purgeBy('catalog.ad-ready')).toBeUndefined();
  for (const odd of [null, 'text', {}, { type: 'catalog.event-updated' }, { type: 'toString', data: { eventId: 1 } }])
    expect(purgeOf(odd)).toBeUndefined();
});
