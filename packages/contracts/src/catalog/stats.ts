import { z } from 'zod';

/**
 * GET /api/stats: the figures of the home page's tiles and of the ads' pricing page (frontend/PRODUCT.md#home,
 * services/catalog/PRODUCT.md#ads).
 */
export const HomeStats = z.object({
  /** Accounts with a session that was used within 30 days; null while unknown. */
  activeUsers: z.int().nonnegative().nullable(),
  /** Published events whose day in New York is today. */
  eventsToday: z.int().nonnegative(),
  /** Places whose first event was published within 30 days. */
  newVenues: z.int().nonnegative(),
  /** Published events whose day in New York is today or one of the 29 days after it. */
  eventsThisMonth: z.int().nonnegative().default(0),
  /** Likes, interests, comments and shares per 100 visits of event pages, over all events; null without a visit. */
  engagementPercent: z.int().nonnegative().nullable().default(null),
});
export type HomeStats = z.infer<typeof HomeStats>;

/** GET /internal/active-accounts, of identity. */
export const ActiveAccounts = z.object({ count: z.int().nonnegative() });
export type ActiveAccounts = z.infer<typeof ActiveAccounts>;

/** GET /api/tickets/stats (services/ticketing/PRODUCT.md#sales-figures). `totalRevenue` in dollars. */
export const TicketStats = z.object({ totalTicketsSold: z.int(), totalRevenue: z.number(), totalEvents: z.int() });
export type TicketStats = z.infer<typeof TicketStats>;
