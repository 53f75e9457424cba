import { z } from 'zod';

/** The tickets of one type in an order. Name and price are fixed when the tickets are held. */
export const OrderLine = z.object({
  type: z.string().min(1),
  name: z.string(),
  quantity: z.int().positive(),
  /** Price per ticket. */
  priceCents: z.int().min(0),
});
export type OrderLine = z.infer<typeof OrderLine>;
export const OrderLines = z.array(OrderLine).min(1);

/** The only type of ticket; every sale offers it. */
export const GENERAL = { type: 'general', name: 'General admission' } as const;

/** The total of an order. No fee is added to the prices of its tickets. */
export const totalCents = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0);

export const ticketCount = (lines: readonly { quantity: number }[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** One entry per ticket, sorted by the tickets' numbers in the order. */
export const eachTicket = (lines: readonly OrderLine[]): Array<Omit<OrderLine, 'quantity'>> =>
  lines.flatMap(({ quantity, ...ticket }) => Array.from({ length: quantity }, () => ticket));
