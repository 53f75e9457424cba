import { z } from 'zod';
import { PaidLevel } from '../catalog/promotion.ts';

/**
 * GET /api/platform/revenue (services/payments/PRODUCT.md#revenue): of ticket sales, in dollars. Days and months are
 * New York's. What went back is
 * taken off on the day it went back. Organizers read of their own events, admins of all.
 */
export const PlatformRevenue = z.object({
  totalRevenue: z.number(),
  /** Of the month so far. */
  monthlyRevenue: z.number(),
  todayRevenue: z.number(),
  /** Returned ones taken off. */
  totalTicketsSold: z.int(),
  /** The 5 % of `totalRevenue` as the ledger booked it, payment by payment. */
  platformFee: z.number(),
  organizerShare: z.number(),
  /** What the platform sold itself (promotions, livestreams, ads); null to organizers. */
  platformSales: z.number().nullable(),
});
export type PlatformRevenue = z.infer<typeof PlatformRevenue>;

/** GET /internal/tickets-sold, of ticketing: of one organizer's events, or of all. */
export const TicketsSoldQuery = z.object({ organizerId: z.coerce.number().int().positive().optional() });
export const TicketsSold = z.object({ tickets: z.int() });
export type TicketsSold = z.infer<typeof TicketsSold>;

/** A day in New York, "2026-11-30". */
const day = z.iso.date();

/** GET /api/platform/analytics/money: the last so many days, today among them. */
export const MoneyQuery = z.object({ days: z.coerce.number().int().min(7).max(366).default(30) });
export const DayRevenue = z.object({
  day,
  revenue: z.number(),
  /** Payments that succeeded that day. */
  payments: z.int(),
});
export type DayRevenue = z.infer<typeof DayRevenue>;
export const TopEvent = z.object({
  eventId: z.int(),
  /** Empty: not heard of yet. */
  title: z.string(),
  revenue: z.number(),
  payments: z.int(),
});
export type TopEvent = z.infer<typeof TopEvent>;
export const MoneyAnalytics = z.object({
  /** Of ticket sales, each day of the time, also those without any. */
  days: z.array(DayRevenue),
  /** Ten at most, those with the highest revenue in that time first. */
  topEvents: z.array(TopEvent),
  /** Promotions of the events that one sees, in that time. */
  promotions: z.array(z.object({ level: PaidLevel, payments: z.int(), revenue: z.number() })),
  /** Ads, which are of no event: empty to organizers. */
  ads: z.array(z.object({ packageId: z.string(), payments: z.int(), revenue: z.number() })),
});
export type MoneyAnalytics = z.infer<typeof MoneyAnalytics>;

/** GET /api/platform/analytics/orders: of all time. `holds` are all orders, `paid` those whose money came. */
export const OrderAnalytics = z.object({ holds: z.int(), paid: z.int() });
export type OrderAnalytics = z.infer<typeof OrderAnalytics>;

/** GET /api/platform/analytics/views: of all time, of the pages of events that sell tickets. */
export const ViewAnalytics = z.object({ views: z.int() });
export type ViewAnalytics = z.infer<typeof ViewAnalytics>;

/** GET /api/platform/analytics/ads, for admins: the last so many days (`MoneyQuery`), by package. */
export const AdAnalytics = z.object({
  packages: z.array(
    z.object({
      packageId: z.string(),
      /** Ads that were shown in that time. */
      ads: z.int(),
      impressions: z.int(),
      clicks: z.int(),
    }),
  ),
});
export type AdAnalytics = z.infer<typeof AdAnalytics>;
