import { GENERAL, type OrderLine } from '../ticketing/order-lines.ts';

/** An order's lines: general admission at one price. */
export const linesOf = (quantity: number, priceCents = 2_500): OrderLine[] => [{ ...GENERAL, quantity, priceCents }];
