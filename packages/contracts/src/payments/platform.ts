import { z } from 'zod';
import { PaidLevel } from '../catalog/promotion.ts';

/**
 * GET /api/platform/revenue (services/payments/PRODUCT.md#revenue): revenue from tickets, in dollars. Days and months
 * are in New York. A refund is subtracted on the day of the refund. Organizers get the figures of their own events,
 * admins of all events.
 */
export const PlatformRevenue = z.object({
  totalRevenue: z.number(),
  /** Revenue of the current month. */
  monthlyRevenue: z.number(),
  todayRevenue: z.number(),
  /** Excludes returned tickets. */
  totalTicketsSold: z.int(),
  /** The sum of the 5 % fees, which the ledger books per payment. */
  platformFee: z.number(),
  organizerShare: z.number(),
  /** The platform's own sales (promotions, live streams, ads); null for organizers. */
  platformSales: z.number().nullable(),
});
export type PlatformRevenue = z.infer<typeof PlatformRevenue>;

/** GET /internal/tickets-sold of ticketing: the tickets sold for one organizer's events, or for all events. */
export const TicketsSoldQuery = z.object({ organizerId: z.coerce.number().int().positive().optional() });
export const TicketsSold = z.object({ tickets: z.int() });
export type TicketsSold = z.infer<typeof TicketsSold>;

/** A day in New York, "2026-11-30". */
const day = z.iso.date();

/** GET /api/platform/analytics/money: the last `days` days, including today. */
export const MoneyQuery = z.object({ days: z.coerce.number().int().min(7).max(366).default(30) });
export const DayRevenue = z.object({
  day,
  revenue: z.number(),
  /** Number of payments that succeeded on that day. */
  payments: z.int(),
});
export type DayRevenue = z.infer<typeof DayRevenue>;
export const TopEvent = z.object({
  eventId: z.int(),
  /** Empty until payments knows the title. */
  title: z.string(),
  revenue: z.number(),
  payments: z.int(),
});
export type TopEvent = z.infer<typeof TopEvent>;
export const MoneyAnalytics = z.object({
  /** Ticket sales per day of the period, including days without sales. */
  days: z.array(DayRevenue),
  /** At most ten, highest revenue in the period first. */
  topEvents: z.array(TopEvent),
  /** Promotions, in the period, of the events that the caller may see. */
  promotions: z.array(z.object({ level: PaidLevel, payments: z.int(), revenue: z.number() })),
  /** Ads belong to no event, so this list is empty for organizers. */
  ads: z.array(z.object({ packageId: z.string(), payments: z.int(), revenue: z.number() })),
});
export type MoneyAnalytics = z.infer<typeof MoneyAnalytics>;

/** GET /api/me/sales: an organizer's own ticket sales on each of the last `OWN_SALES_DAYS` days, including today. */
export const OWN_SALES_DAYS = 14;
export const OwnSales = z.object({ days: z.array(DayRevenue) });
export type OwnSales = z.infer<typeof OwnSales>;

/**
 * GET /api/platform/analytics/orders, for all time. `holds`: number of all orders; `paid`: number of orders whose
 * payment succeeded.
 */
export const OrderAnalytics = z.object({ holds: z.int(), paid: z.int() });
export type OrderAnalytics = z.infer<typeof OrderAnalytics>;

/** GET /api/platform/analytics/views, for all time: views of the pages of events that sell tickets. */
export const ViewAnalytics = z.object({ views: z.int() });
export type ViewAnalytics = z.infer<typeof ViewAnalytics>;

/** GET /api/platform/analytics/ads, for admins: the last `days` days (`MoneyQuery`), grouped by package. */
export const AdAnalytics = z.object({
  packages: z.array(
    z.object({
      packageId: z.string(),
      /** Ads that were displayed in the period. */
      ads: z.int(),
      impressions: z.int(),
      clicks: z.int(),
    }),
  ),
});
export type AdAnalytics = z.infer<typeof AdAnalytics>;
