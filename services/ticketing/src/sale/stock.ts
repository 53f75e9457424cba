import { GENERAL, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { Terms } from './events.ts';

/** Tickets of one kind: how many were asked for, how many are sold, how many are held. */
export interface Counts {
  capacity: number;
  sold: number;
  held: number;
}

/** The stock of a sale, by kind of ticket. */
export type Stock = Map<string, Counts>;

/** So many tickets of a kind. */
export interface Wanted {
  type: string;
  quantity: number;
}

/** A kind of ticket that a sale offers. */
interface Offer {
  type: string;
  name: string;
  priceCents: number;
  capacity: number;
}

/** What is on offer by these terms: one kind of ticket. */
const offersOf = ({ capacity, priceCents }: Terms): Offer[] => [{ ...GENERAL, priceCents, capacity }];

/** The lines of an order of these tickets; undefined where one of them is not on offer. */
export function linesOf(terms: Terms, wanted: readonly Wanted[]): OrderLine[] | undefined {
  const lines: OrderLine[] = [];
  for (const { type, quantity } of wanted) {
    const offer = offersOf(terms).find((one) => one.type === type);
    if (!offer) return undefined;
    lines.push({ type, name: offer.name, quantity, priceCents: offer.priceCents });
  }
  return lines;
}

const NONE: Readonly<Counts> = { capacity: 0, sold: 0, held: 0 };
const countsOf = (stock: Stock, type: string): Readonly<Counts> => stock.get(type) ?? NONE;

function counted(stock: Stock, type: string): Counts {
  let counts = stock.get(type);
  if (!counts) stock.set(type, (counts = { ...NONE }));
  return counts;
}

/** How many of a kind these are. */
const quantityOf = (of: readonly Wanted[], type: string): number =>
  of.reduce((sum, one) => sum + (one.type === type ? one.quantity : 0), 0);

/**
 * How many of a kind can be had. Below zero when the capacity was lowered under what was sold and held: that stays good, and what lapses
 * is not sold again.
 */
export function left(stock: Stock, type: string): number {
  const { capacity, sold, held } = countsOf(stock, type);
  return capacity - sold - held;
}

/** The first kind of which fewer can be had than are wanted, by whoever holds `own` of them, and how many those are. */
export function lackOf(
  stock: Stock,
  wanted: readonly Wanted[],
  own: readonly Wanted[] = [],
): { counts: Readonly<Counts>; free: number } | undefined {
  for (const { type } of wanted) {
    const [want, has] = [quantityOf(wanted, type), quantityOf(own, type)];
    const free = left(stock, type) + has;
    // No more than before takes nothing from the stock.
    if (want > free && want > has) return { counts: countsOf(stock, type), free };
  }
  return undefined;
}

/** These terms are in force from now on. */
export function offer(stock: Stock, terms: Terms): void {
  for (const counts of stock.values()) counts.capacity = 0;
  for (const { type, capacity } of offersOf(terms)) counted(stock, type).capacity = capacity;
}

/** A hold takes these tickets. */
export function take(stock: Stock, lines: readonly Wanted[]): void {
  for (const { type, quantity } of lines) counted(stock, type).held += quantity;
}

/** What a hold took goes back. */
export function giveBack(stock: Stock, lines: readonly Wanted[]): void {
  for (const { type, quantity } of lines) counted(stock, type).held -= quantity;
}

/** These tickets are sold; what a hold took of them was given back before. */
export function sell(stock: Stock, lines: readonly Wanted[]): void {
  for (const { type, quantity } of lines) counted(stock, type).sold += quantity;
}

/** Tickets that were sold end. */
export function takeBack(stock: Stock, tickets: readonly { type: string }[]): void {
  for (const { type } of tickets) counted(stock, type).sold--;
}

/** Of all kinds. */
export function totals(stock: Stock): Counts {
  const sum = { ...NONE };
  for (const { capacity, sold, held } of stock.values()) {
    sum.capacity += capacity;
    sum.sold += sold;
    sum.held += held;
  }
  return sum;
}
