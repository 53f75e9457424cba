import { GENERAL, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { Terms } from './events.ts';

/** The numbers of tickets of one type. */
export interface Counts {
  capacity: number;
  sold: number;
  held: number;
}

/** The stock of a sale, by type of ticket. */
export type Stock = Map<string, Counts>;

/** A number of tickets of one type. */
export interface TypeQuantity {
  type: string;
  quantity: number;
}

/** A type of ticket that a sale offers. */
interface Offer {
  type: string;
  name: string;
  priceCents: number;
  capacity: number;
}

/** The terms of a sale offer one type of ticket. */
const offersOf = ({ capacity, priceCents }: Terms): Offer[] => [{ ...GENERAL, priceCents, capacity }];

/** The lines of an order for these tickets; undefined if a type is not on offer. */
export function linesOf(terms: Terms, wanted: readonly TypeQuantity[]): OrderLine[] | undefined {
  const offers = offersOf(terms);
  const lines: OrderLine[] = [];
  for (const { type, quantity } of wanted) {
    const offer = offers.find((one) => one.type === type);
    if (!offer) return undefined;
    lines.push({ type, name: offer.name, quantity, priceCents: offer.priceCents });
  }
  return lines;
}

const NONE: Readonly<Counts> = { capacity: 0, sold: 0, held: 0 };

function countsOf(stock: Stock, type: string): Counts {
  let counts = stock.get(type);
  if (!counts) stock.set(type, (counts = { ...NONE }));
  return counts;
}

function quantityOf(tickets: readonly TypeQuantity[], type: string): number {
  let sum = 0;
  for (const one of tickets) if (one.type === type) sum += one.quantity;
  return sum;
}

/**
 * The number of tickets of a type that can still be held. Negative if the capacity was lowered below sold plus held
 * tickets. Then these tickets stay valid, but tickets of lapsed holds are not sold again until the number is positive.
 */
export function left(stock: Stock, type: string): number {
  const { capacity, sold, held } = stock.get(type) ?? NONE;
  return capacity - sold - held;
}

export interface Shortage {
  counts: Readonly<Counts>;
  /** The number of tickets of this type that the buyer can get, including the tickets in `own`. */
  free: number;
}

/**
 * The first ticket type of which the buyer requests more than is left; undefined if there is none. The buyer gives up
 * the tickets in `own` for the new tickets.
 */
export function findShortage(
  stock: Stock,
  wanted: readonly TypeQuantity[],
  own: readonly TypeQuantity[] = [],
): Shortage | undefined {
  for (const { type } of wanted) {
    const quantity = quantityOf(wanted, type);
    const before = quantityOf(own, type);
    const free = left(stock, type) + before;
    // If the new quantity is not higher than the previous quantity, it takes nothing from the stock, so it is allowed
    // even if the stock is negative.
    if (quantity > free && quantity > before) return { counts: stock.get(type) ?? NONE, free };
  }
  return undefined;
}

/** Sets the capacities according to these terms. A type that is not offered has capacity 0. */
export function applyTerms(stock: Stock, terms: Terms): void {
  for (const counts of stock.values()) counts.capacity = 0;
  for (const { type, capacity } of offersOf(terms)) countsOf(stock, type).capacity = capacity;
}

export function reserve(stock: Stock, lines: readonly TypeQuantity[]): void {
  for (const { type, quantity } of lines) countsOf(stock, type).held += quantity;
}

export function release(stock: Stock, lines: readonly TypeQuantity[]): void {
  for (const { type, quantity } of lines) countsOf(stock, type).held -= quantity;
}

/** Marks tickets as sold. Call `release` first if they were held. */
export function sell(stock: Stock, lines: readonly TypeQuantity[]): void {
  for (const { type, quantity } of lines) countsOf(stock, type).sold += quantity;
}

/** Returns sold tickets to the stock. */
export function restock(stock: Stock, tickets: ReadonlyArray<{ type: string }>): void {
  for (const { type } of tickets) countsOf(stock, type).sold--;
}

/** The sums over all types. */
export function totals(stock: Stock): Counts {
  const sum = { ...NONE };
  for (const { capacity, sold, held } of stock.values()) {
    sum.capacity += capacity;
    sum.sold += sold;
    sum.held += held;
  }
  return sum;
}
