import { expect, test } from 'vitest';
import { MONEY_EVENTS } from '../src/sale/events.ts';
import { startTicketing } from './support.ts';

test('the index of money events covers the types that relay and mails read', async () => {
  const { rows } = await startTicketing();
  const [index] = await rows(`select pg_get_indexdef('events_of_money'::regclass) as text`);
  const types = [...String(index?.['text']).matchAll(/'(\w+)'/g)].map(([, type]) => type);
  expect(types.sort()).toEqual([...MONEY_EVENTS].sort());
});
