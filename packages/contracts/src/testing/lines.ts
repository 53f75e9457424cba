import { GENERAL, type OrderLine } from '../ticketing/order-lines.ts';

/** The lines of an order of so many tickets at this price. */
export const linesOf = (quantity: number, priceCents = 2_500): OrderLine[] => [{ ...GENERAL, quantity, priceCents }];
