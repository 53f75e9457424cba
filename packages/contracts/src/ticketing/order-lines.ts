import { z } from 'zod';

/** What an order has of one kind of ticket: the price and the name are those at which the tickets were held. */
export const OrderLine = z.object({
  type: z.string().min(1),
  name: z.string(),
  quantity: z.int().positive(),
  /** Of one ticket. */
  priceCents: z.int().min(0),
});
export type OrderLine = z.infer<typeof OrderLine>;
export const OrderLines = z.array(OrderLine).min(1);

/** The one kind of ticket that every sale offers. */
export const GENERAL = { type: 'general', name: 'General admission' } as const;

/** What an order costs. Nothing is added to the prices. */
export const totalCents = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0);

/** How many tickets these are. */
export const ticketCount = (lines: readonly { quantity: number }[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** One for each ticket, in the order in which an order counts its tickets. */
export const eachTicket = (lines: readonly OrderLine[]): Array<Omit<OrderLine, 'quantity'>> =>
  lines.flatMap(({ quantity, ...ticket }) => Array.from({ length: quantity }, () => ticket));
