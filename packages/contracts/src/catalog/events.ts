import { z } from 'zod';
import { ShownInPlace } from './promoted-places.ts';
import { CATEGORY_NAMES } from './categories.ts';
import { envelope, optionalField } from '../common/basics.ts';
import { EventCounts } from '../identity/engagement.ts';

export const PromotionLevel = z.enum(['none', 'featured', 'premium', 'livestream']);
export type PromotionLevel = z.infer<typeof PromotionLevel>;

/** The refunds that canceling an event causes, as computed by payments. */
const refundsOfEvent = {
  /** Payments that are not fully refunded. */
  orders: z.int().min(0),
  refundCents: z.int().min(0),
};

/** GET /internal/events/:eventId/refundable of payments: refundable money of this organizer's event. */
export const RefundableQuery = z.object({ organizerId: z.coerce.number().int().positive() });
export const RefundableOfEvent = z.object(refundsOfEvent);
export type RefundableOfEvent = z.infer<typeof RefundableOfEvent>;

/**
 * GET /api/events/{id}/cancellation, for admins. `isOver`: the event is over, so only an admin may cancel it, by
 * confirming these figures.
 */
export const EventCancellation = z.object({ eventId: z.int(), isOver: z.boolean(), ...refundsOfEvent });
export type EventCancellation = z.infer<typeof EventCancellation>;

/** POST /api/events/{id}/cancel. `confirm`: the figures that the admin saw, for an event that is over. */
export const CancelEventBody = z.strictObject({ confirm: optionalField(z.strictObject(refundsOfEvent)) });
export type CancelEventBody = z.infer<typeof CancelEventBody>;

/** Fields of an event that API responses, messages and tickets have in common. */
export const shownOfEvent = {
  title: z.string(),
  location: z.string(),
  /** The street address, if the organizer entered one. */
  address: z.string().nullish(),
  imageUrl: z.string().nullable(),
  eventDate: z.iso.datetime(),
  /** The last day of an event of several days, in the format of `eventDate`. */
  eventLastDate: z.iso.datetime().nullish(),
  eventStartTime: z.string(),
  eventEndTime: z.string().nullable(),
};

/**
 * The place that an event's location resolves to. `id` is the place's id in the gazetteer; the position is in degrees.
 */
export const EventPlace = z.object({
  id: z.string().optional(),
  name: z.string(),
  lat: z.number(),
  lon: z.number(),
  state: z.enum(['DC', 'MD', 'VA']),
  /**
   * True if the position is only the center of the town or neighborhood that the location names, such as "in
   * Washington".
   */
  isApproximate: z.boolean().optional(),
});
export type EventPlace = z.infer<typeof EventPlace>;

/**
 * `postponed`: the event does not take place on its `eventDate` and has no new date yet. Its tickets stay valid; the
 * sale is closed.
 */
export const EventStatus = z.enum(['published', 'postponed', 'canceled']);
export type EventStatus = z.infer<typeof EventStatus>;

/** An event as API responses contain it. */
export const Event = z.object({
  id: z.int(),
  ...shownOfEvent,
  description: z.string(),
  videoUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** Derived from the tags. */
  category: z.enum(CATEGORY_NAMES).optional(),
  /** null: the location is ambiguous or unknown, so the map has no marker for it. */
  place: EventPlace.nullish(),
  /** Only in responses to a search with `near`; null for an event without a place. */
  distanceMiles: z.number().nullish(),
  /** Counts, at most one second old. Views are updated every few seconds. */
  counts: EventCounts.optional(),
  isSponsored: z.boolean(),
  promotionLevel: PromotionLevel,
  /**
   * These three fields are only for the organizer and admins, after a promotion was paid. The amount is the total in
   * cents.
   */
  promotionPaid: z.boolean().optional(),
  promotionAmount: z.int().optional(),
  promotionEndsAt: z.iso.datetime().nullish(),
  /** Only in `GET /api/users/{id}/events`, once the event was shown in a paid placement on the home page. */
  promotionShown: z.array(ShownInPlace).optional(),
  hasTickets: z.boolean(),
  ticketSalesEnabled: z.boolean(),
  /** True if the organizer states that entry is free without a ticket; null: not stated. */
  freeEntry: z.boolean().nullish(),
  /** The final price without added fees, in dollars as text: "25.00". */
  ticketPrice: z.string().nullable(),
  totalTickets: z.int().nullable(),
  soldTickets: z.int(),
  /**
   * Tickets that buyers hold for 10 minutes, or with extensions for up to 40 minutes. Held tickets are neither sold nor
   * available.
   */
  heldTickets: z.int(),
  /**
   * Version of the ticket sale to which `soldTickets` and `heldTickets` belong; 0 before the sale exists. A client that
   * knows a newer version requests the counts again.
   */
  stockVersion: z.int(),
  ticketSalesStartTime: z.iso.datetime().nullable(),
  ticketSalesEndTime: z.iso.datetime().nullable(),
  /**
   * Buyers may cancel until this many hours before the start; null: never. An order keeps the deadline that applied at
   * the time of its hold.
   */
  refundDeadlineHours: z.int().nullable().optional(),
  isLivestream: z.boolean(),
  livestreamUrl: z.string().nullable(),
  livestreamStatus: z.string(),
  livestreamStartTime: z.iso.datetime().nullable(),
  livestreamEndTime: z.iso.datetime().nullable(),
  /** Only for the organizer and admins; null for other readers. */
  contactEmail: z.string().nullable(),
  status: EventStatus,
  /**
   * Present: admins suspended the event or its organizer. No list contains the event and no tickets are sold. Existing
   * tickets stay valid.
   */
  isSuspended: z.literal(true).exactOptional(),
  /** The id that all dates of a series share. null: a single event. */
  seriesId: z.int().nullish(),
  /** Number of changes to the event. A change with `If-Match: "3"` fails if the event's version is no longer 3. */
  version: z.int().optional(),
  /** The organizer. */
  userId: z.int(),
  /** Only in responses for a single event; null until catalog knows the name. */
  organizerName: z.string().nullish(),
  createdAt: z.iso.datetime(),
});
export type Event = z.infer<typeof Event>;
export const EventList = z.array(Event);

/** A page of search results. `nextCursor` is null on the last page. */
export const EventPage = z.object({ items: z.array(Event), nextCursor: z.string().nullable() });
export type EventPage = z.infer<typeof EventPage>;

/** Version of the event's stream. The message with the higher version is newer. */
const streamVersion = z.int().positive();

/** The complete state of an event, so that consumers need not call the catalog. Money in cents, times in UTC. */
export const EventState = z.object({
  eventId: z.int(),
  version: streamVersion,
  /** The organizer. The field keeps this name because renaming it would require a new message version. */
  ownerId: z.int(),
  ...shownOfEvent,
  description: z.string(),
  tags: z.array(z.string()),
  hasTickets: z.boolean(),
  /** The series that this date belongs to. */
  seriesId: z.int().exactOptional(),
  /** False while the event is postponed or suspended. */
  salesEnabled: z.boolean(),
  /** The event has no date now; `eventDate` is its former date. Absent: the event has a date. */
  isPostponed: z.literal(true).exactOptional(),
  /** Present: admins suspended the event or its organizer. Sales stay closed until a later version lacks this field. */
  isSuspended: z.literal(true).exactOptional(),
  salesStart: z.iso.datetime().nullable(),
  salesEnd: z.iso.datetime().nullable(),
  priceCents: z.int().nullable(),
  capacity: z.int().nullable(),
  /** Buyers may cancel until this many hours before the start; null: never. */
  refundDeadlineHours: z.int().min(0).nullable(),
});
export type EventState = z.infer<typeof EventState>;

export const EventPublishedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.event-published'),
  version: z.literal(1),
  data: EventState,
});
export type EventPublishedV1 = z.infer<typeof EventPublishedV1>;

export const EventUpdatedV1 = z.object({
  ...envelope,
  type: z.literal('catalog.event-updated'),
  version: z.literal(1),
  data: EventState,
});
export type EventUpdatedV1 = z.infer<typeof EventUpdatedV1>;

export const EventCanceledV1 = z.object({
  ...envelope,
  type: z.literal('catalog.event-canceled'),
  version: z.literal(1),
  data: z.object({ eventId: z.int(), version: streamVersion, ownerId: z.int() }),
});
export type EventCanceledV1 = z.infer<typeof EventCanceledV1>;
