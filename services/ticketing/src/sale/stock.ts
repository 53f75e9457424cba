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

/** The lines of an order of these tickets; undefined if one of the types is not on offer. */
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

const quantityOf = (tickets: readonly TypeQuantity[], type: string): number =>
  tickets.reduce((sum, one) => sum + (one.type === type ? one.quantity : 0), 0);

/**
 * The number of tickets of a type that can be held. Below zero after the capacity was lowered below what was sold and held: those stay
 * valid, and holds that lapse are not sold again.
 */
export function left(stock: Stock, type: string): number {
  const { capacity, sold, held } = stock.get(type) ?? NONE;
  return capacity - sold - held;
}

export interface Shortage {
  counts: Readonly<Counts>;
  /** The number that can be had of this type, including `own`. */
  free: number;
}

/** The first type of which more are wanted than are left for a buyer who gives up `own` for them. */
export function findShortage(
  stock: Stock,
  wanted: readonly TypeQuantity[],
  own: readonly TypeQuantity[] = [],
): Shortage | undefined {
  for (const { type } of wanted) {
    const [quantity, before] = [quantityOf(wanted, type), quantityOf(own, type)];
    const free = left(stock, type) + before;
    // The same number or fewer take nothing from the stock, even when it is below zero.
    if (quantity > free && quantity > before) return { counts: stock.get(type) ?? NONE, free };
  }
  return undefined;
}

/** Sets the capacities of these terms. A type that is not offered has none. */
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

/** Call `release` first for tickets that were held. */
export function sell(stock: Stock, lines: readonly TypeQuantity[]): void {
  for (const { type, quantity } of lines) countsOf(stock, type).sold += quantity;
}

/** Gives back tickets that were sold. */
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
