import { z } from 'zod';
import { searchText } from '../common/text.ts';

/** Rows of GET /api/tickets/customers without parameters: the newest ones. */
export const MAX_LISTED_CUSTOMERS = 1_000;

/** A purchase as its event's organizer and admins see it (services/ticketing/PRODUCT.md#customers). Money in dollars. */
export const Customer = z.object({
  /** The order's. */
  id: z.uuid(),
  /** What people call it by; null before the checkout. */
  orderNumber: z.string().nullable(),
  /** Empty where the buyer's data was erased. */
  customerName: z.string(),
  customerEmail: z.string(),
  eventTitle: z.string(),
  ticketPrice: z.number(),
  quantity: z.int(),
  totalAmount: z.number(),
  /** When the tickets were ordered. */
  purchaseDate: z.iso.datetime(),
  /** `completed`: the money came. `pending`: the buyer is at the checkout. */
  paymentStatus: z.enum(['completed', 'pending']),
  /** Of `quantity`, tickets that were refunded one by one: their part of `totalAmount` goes back. */
  returnedTickets: z.int(),
  /** What became of all of the money since; null while it, or a part of it, stands. */
  refund: z.enum(['refunding', 'refunded', 'disputed']).nullable(),
  /** The first of its tickets; null while there is none. */
  ticketId: z.uuid().nullable(),
  eventDate: z.iso.datetime(),
  eventLocation: z.string(),
});
export type Customer = z.infer<typeof Customer>;

export const CustomerStatus = z.enum(['all', 'paid', 'pending']);
export type CustomerStatus = z.infer<typeof CustomerStatus>;

/** What the list and its file are narrowed to. */
export const CustomerFilter = z.object({
  /** A part of a name, an address or an event's title, in any case; or an order number. */
  q: searchText(100).optional(),
  status: CustomerStatus.default('all'),
});
export type CustomerFilter = z.infer<typeof CustomerFilter>;

/** With any of these a page is answered, else the list. */
export const CustomerQuery = CustomerFilter.extend({
  /** The `nextCursor` of the page before. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type CustomerQuery = z.infer<typeof CustomerQuery>;

/** Newest first. */
export const CustomerPage = z.object({ items: z.array(Customer), nextCursor: z.string().nullable() });
export type CustomerPage = z.infer<typeof CustomerPage>;
export const CustomerList = z.array(Customer).max(MAX_LISTED_CUSTOMERS);

/** GET /api/tickets/customers/totals: over all purchases whose money stands, whatever the list shows. Dollars. */
export const CustomerTotals = z.object({
  /** By their addresses, in any case. */
  uniqueBuyers: z.int(),
  totalRevenue: z.number(),
  totalTickets: z.int(),
  averageOrderValue: z.number(),
});
export type CustomerTotals = z.infer<typeof CustomerTotals>;
