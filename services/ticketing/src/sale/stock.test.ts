import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Terms } from './events.ts';
import {
  applyTerms,
  findShortage,
  left,
  linesOf,
  release,
  reserve,
  restock,
  sell,
  totals,
  type Stock,
  type TypeQuantity,
} from './stock.ts';

const TYPES = ['general', 'vip', 'child'];
const stockOf = (counts: Record<string, { capacity: number; sold?: number; held?: number }>): Stock =>
  new Map(Object.entries(counts).map(([type, of]) => [type, { sold: 0, held: 0, ...of }]));
const termsOf = (capacity: number): Terms => ({
  ...{ capacity, priceCents: 2_500, organizerId: 1, catalogVersion: 1 },
  ...{ opensAt: null, closesAt: null, endsAt: '2030-07-13T03:30:00.000Z', refundDeadlineHours: 24 },
});
const lines = (max: number) =>
  fc.array(fc.record({ type: fc.constantFrom(...TYPES), quantity: fc.integer({ min: 1, max }) }), {
    minLength: 1,
    maxLength: 3,
  });
const stocks = fc
  .array(fc.record({ capacity: fc.nat(20), sold: fc.nat(20), held: fc.nat(20) }), { minLength: 3, maxLength: 3 })
  .map((counts) => stockOf(Object.fromEntries(TYPES.map((type, index) => [type, counts[index]!]))));
const quantityOf = (of: readonly TypeQuantity[], type: string): number =>
  of.filter((one) => one.type === type).reduce((sum, { quantity }) => sum + quantity, 0);

test('a hold takes its tickets from the stock of their types, and its release gives them back', () =>
  fc.assert(
    fc.property(stocks, lines(5), (stock, wanted) => {
      const before = structuredClone(stock);
      reserve(stock, wanted);
      for (const type of TYPES) {
        expect(left(stock, type)).toBe(left(before, type) - quantityOf(wanted, type));
        expect(stock.get(type)).toEqual({
          ...before.get(type)!,
          held: before.get(type)!.held + quantityOf(wanted, type),
        });
      }
      release(stock, wanted);
      expect(stock).toEqual(before);
    }),
  ));

test('a sale takes its tickets from the stock of their types, and their return gives each back', () =>
  fc.assert(
    fc.property(stocks, lines(5), (stock, bought) => {
      const before = structuredClone(stock);
      sell(stock, bought);
      for (const type of TYPES)
        expect(stock.get(type)).toEqual({
          ...before.get(type)!,
          sold: before.get(type)!.sold + quantityOf(bought, type),
        });
      const tickets = bought.flatMap(({ type, quantity }) => Array.from({ length: quantity }, () => ({ type })));
      restock(stock, tickets);
      expect(stock).toEqual(before);
    }),
  ));

test('a granted hold never makes the stock negative, and a refused hold would', () =>
  fc.assert(
    fc.property(stocks, lines(8), (stock, wanted) => {
      const before = structuredClone(stock);
      const shortage = findShortage(before, wanted);
      reserve(stock, wanted);
      const isOver = wanted.some(({ type }) => left(stock, type) < 0);
      expect(shortage !== undefined).toBe(isOver);
      if (!shortage) return;
      const first = wanted.find(({ type }) => left(stock, type) < 0)!.type;
      expect(shortage).toEqual({ counts: before.get(first), free: left(before, first) });
    }),
  ));

test('an exchange for at most the same number of each type is granted, even if no tickets are left', () =>
  fc.assert(
    fc.property(stocks, lines(5), fc.nat(4), (stock, own, fewer) => {
      reserve(stock, own);
      expect(findShortage(stock, own, own)).toBeUndefined();
      const [line, ...rest] = own;
      const wanted = [{ ...line!, quantity: Math.max(line!.quantity - fewer, 1) }, ...rest];
      expect(findShortage(stock, wanted, own)).toBeUndefined();
    }),
  ));

test('an exchange for more tickets is granted exactly if the old tickets plus the remaining tickets are enough', () =>
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (...of) => {
      const [capacity, sold, before, more] = of;
      const stock = stockOf({ general: { capacity, sold, held: before } });
      const exchange = [{ type: 'general', quantity: before + more }];
      const shortage = findShortage(stock, exchange, [{ type: 'general', quantity: before }]);
      expect(shortage === undefined).toBe(sold + before + more <= capacity);
      if (shortage) expect(shortage.free).toBe(capacity - sold);
    }),
  ));

test('a type that is sold out does not affect the others', () => {
  const stock = stockOf({ general: { capacity: 2, sold: 2 }, vip: { capacity: 1 } });
  const [vip, general] = [
    { type: 'vip', quantity: 1 },
    { type: 'general', quantity: 1 },
  ];
  expect(findShortage(stock, [vip])).toBeUndefined();
  expect(findShortage(stock, [vip, general])).toEqual({ counts: { capacity: 2, sold: 2, held: 0 }, free: 0 });
});

test('lines of one type in an order count together', () => {
  const stock = stockOf({ general: { capacity: 3 } });
  const line = { type: 'general', quantity: 2 };
  expect(findShortage(stock, [line])).toBeUndefined();
  expect(findShortage(stock, [line, line])).toMatchObject({ free: 3 });
});

test('no tickets are left of a type that does not exist', () => {
  expect(left(new Map(), 'general')).toBe(0);
  expect(findShortage(new Map(), [{ type: 'general', quantity: 1 }])).toMatchObject({ free: 0 });
});

test('a lowered capacity changes neither sold nor held tickets, and a type that is not offered has capacity 0', () => {
  const stock = stockOf({ general: { capacity: 9, sold: 4, held: 3 }, vip: { capacity: 5, sold: 1 } });
  applyTerms(stock, termsOf(5));
  expect(left(stock, 'general')).toBe(-2);
  expect(left(stock, 'vip')).toBe(-1);
  expect(totals(stock)).toEqual({ capacity: 5, sold: 5, held: 3 });
});

test('totals are the sums over all types', () =>
  fc.assert(
    fc.property(stocks, (stock) => {
      const sum = (of: 'capacity' | 'sold' | 'held') => TYPES.reduce((total, type) => total + stock.get(type)![of], 0);
      expect(totals(stock)).toEqual({ capacity: sum('capacity'), sold: sum('sold'), held: sum('held') });
    }),
  ));

test('an order has the name and the price of the terms; a type that is not on offer cannot be ordered', () => {
  expect(linesOf(termsOf(5), [{ type: 'general', quantity: 2 }])).toEqual([
    { type: 'general', name: 'General admission', quantity: 2, priceCents: 2_500 },
  ]);
  expect(linesOf(termsOf(5), [{ type: 'vip', quantity: 1 }])).toBeUndefined();
});
