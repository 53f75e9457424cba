import { z } from 'zod';
import { searchText } from '../common/text.ts';

/** Maximum rows of GET /api/tickets/customers without parameters, which returns the newest rows. */
export const MAX_LISTED_CUSTOMERS = 1_000;

/** An order, as its event's organizer and admins see it (services/ticketing/PRODUCT.md#customers). Money in dollars. */
export const Customer = z.object({
  /** The order's id. */
  id: z.uuid(),
  /** The readable order number; null before the checkout. */
  orderNumber: z.string().nullable(),
  /** Empty if the buyer's data was erased. */
  customerName: z.string(),
  customerEmail: z.string(),
  eventTitle: z.string(),
  ticketPrice: z.number(),
  quantity: z.int(),
  totalAmount: z.number(),
  /** When the tickets were ordered. */
  purchaseDate: z.iso.datetime(),
  /** `completed`: the payment succeeded. `pending`: the buyer is at the checkout. */
  paymentStatus: z.enum(['completed', 'pending']),
  /** Tickets among `quantity` that were refunded individually. Their share of `totalAmount` was returned. */
  returnedTickets: z.int(),
  /** State of a full refund or dispute; null unless all of the money is returned or disputed. */
  refund: z.enum(['refunding', 'refunded', 'disputed']).nullable(),
  /** The first ticket of the order; null if the order has no tickets yet. */
  ticketId: z.uuid().nullable(),
  eventDate: z.iso.datetime(),
  eventLocation: z.string(),
});
export type Customer = z.infer<typeof Customer>;

export const CustomerStatus = z.enum(['all', 'paid', 'pending']);
export type CustomerStatus = z.infer<typeof CustomerStatus>;

/** Filter for the list and its export. */
export const CustomerFilter = z.object({
  /** Part of a name, an email address or an event's title, case-insensitive, or an order number. */
  q: searchText(100).optional(),
  status: CustomerStatus.default('all'),
});
export type CustomerFilter = z.infer<typeof CustomerFilter>;

/** With any parameter the response is a page; without parameters the response is a list. */
export const CustomerQuery = CustomerFilter.extend({
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type CustomerQuery = z.infer<typeof CustomerQuery>;

/** Newest first. */
export const CustomerPage = z.object({ items: z.array(Customer), nextCursor: z.string().nullable() });
export type CustomerPage = z.infer<typeof CustomerPage>;
export const CustomerList = z.array(Customer).max(MAX_LISTED_CUSTOMERS);

/**
 * GET /api/tickets/customers/totals: figures of all orders that were not fully refunded, regardless of the filter. In
 * dollars.
 */
export const CustomerTotals = z.object({
  /** Counted by email address, case-insensitive. */
  uniqueBuyers: z.int(),
  totalRevenue: z.number(),
  totalTickets: z.int(),
  averageOrderValue: z.number(),
});
export type CustomerTotals = z.infer<typeof CustomerTotals>;
