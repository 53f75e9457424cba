import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Terms } from './events.ts';
import { giveBack, lackOf, left, offer, sell, take, takeBack, totals, type Stock, type Wanted } from './stock.ts';

const KINDS = ['general', 'vip', 'child'];
const stockOf = (counts: Record<string, { capacity: number; sold?: number; held?: number }>): Stock =>
  new Map(Object.entries(counts).map(([type, of]) => [type, { sold: 0, held: 0, ...of }]));
const wanted = (max: number) =>
  fc.array(fc.record({ type: fc.constantFrom(...KINDS), quantity: fc.integer({ min: 1, max }) }), {
    minLength: 1,
    maxLength: 3,
  });
const stocks = fc
  .array(fc.record({ capacity: fc.nat(20), sold: fc.nat(20), held: fc.nat(20) }), { minLength: 3, maxLength: 3 })
  .map((counts) => stockOf(Object.fromEntries(KINDS.map((type, index) => [type, counts[index]!]))));
const copyOf = (stock: Stock): Stock => structuredClone(stock);

test('what a hold takes and gives back is the stock of before', () =>
  fc.assert(
    fc.property(stocks, wanted(5), (stock, lines) => {
      const before = copyOf(stock);
      take(stock, lines);
      for (const type of KINDS) expect(left(stock, type)).toBe(left(before, type) - quantityOf(lines, type));
      giveBack(stock, lines);
      expect(stock).toEqual(before);
    }),
  ));

test('tickets that are sold and taken back are the stock of before', () =>
  fc.assert(
    fc.property(stocks, wanted(5), (stock, lines) => {
      const before = copyOf(stock);
      sell(stock, lines);
      expect(totals(stock).sold).toBe(totals(before).sold + lines.reduce((sum, { quantity }) => sum + quantity, 0));
      takeBack(
        stock,
        lines.flatMap(({ type, quantity }) => Array.from({ length: quantity }, () => ({ type }))),
      );
      expect(stock).toEqual(before);
    }),
  ));

test('what nothing is lacking of can be taken, of each kind, and never more than there is', () =>
  fc.assert(
    fc.property(stocks, wanted(8), (stock, lines) => {
      const lack = lackOf(stock, lines);
      const hasEnough = KINDS.every((type) => {
        const want = quantityOf(lines, type);
        return want === 0 || want <= left(stock, type);
      });
      expect(lack === undefined).toBe(hasEnough);
      if (lack) return void expect(lines.some(({ type }) => left(stock, type) === lack.free)).toBe(true);
      take(stock, lines);
      for (const { type } of lines) expect(left(stock, type)).toBeGreaterThanOrEqual(0);
    }),
  ));

test('who exchanges a hold may have as many as before of each kind, however few are left', () =>
  fc.assert(
    fc.property(stocks, wanted(5), (stock, own) => {
      take(stock, own);
      expect(lackOf(stock, own, own)).toBeUndefined();
      const fewer = own.filter(({ type }, index) => own.findIndex((one) => one.type === type) === index);
      expect(lackOf(stock, fewer, own)).toBeUndefined();
    }),
  ));

test('one kind that is sold out takes nothing from the others', () => {
  const stock = stockOf({ general: { capacity: 2, sold: 2 }, vip: { capacity: 1 } });
  expect(lackOf(stock, [{ type: 'vip', quantity: 1 }])).toBeUndefined();
  expect(
    lackOf(stock, [
      { type: 'vip', quantity: 1 },
      { type: 'general', quantity: 1 },
    ]),
  ).toEqual({ counts: { capacity: 2, sold: 2, held: 0 }, free: 0 });
});

test('of a kind that is not there nothing is left', () => {
  expect(left(new Map(), 'general')).toBe(0);
  expect(lackOf(new Map(), [{ type: 'general', quantity: 1 }])?.free).toBe(0);
});

test('a capacity that is lowered takes nothing from what is sold and held', () => {
  const stock = stockOf({ general: { capacity: 9, sold: 4, held: 3 }, vip: { capacity: 5, sold: 1 } });
  offer(stock, { capacity: 5, priceCents: 2_500 } as Terms);
  expect(left(stock, 'general')).toBe(-2);
  // No longer on offer.
  expect(left(stock, 'vip')).toBe(-1);
  expect(totals(stock)).toEqual({ capacity: 5, sold: 5, held: 3 });
});

const quantityOf = (of: readonly Wanted[], type: string): number =>
  of.filter((one) => one.type === type).reduce((sum, { quantity }) => sum + quantity, 0);
