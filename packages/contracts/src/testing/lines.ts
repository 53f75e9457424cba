import { GENERAL, type OrderLine } from '../ticketing/order-lines.ts';

/** Order lines with general-admission tickets at one price. */
export const linesOf = (quantity: number, priceCents = 2_500): OrderLine[] => [{ ...GENERAL, quantity, priceCents }];
