import { z } from 'zod';
import { ShownInPlace } from './promoted-places.ts';
import { CATEGORY_NAMES } from './categories.ts';
import { envelope, optionalField } from '../common/basics.ts';
import { EventCounts } from '../identity/engagement.ts';

export const PromotionLevel = z.enum(['none', 'featured', 'premium', 'livestream']);
export type PromotionLevel = z.infer<typeof PromotionLevel>;

/** What canceling an event gives back to its buyers, as payments knows it. */
const refundsOfEvent = {
  /** Payments of which something has not gone back. */
  orders: z.int().min(0),
  refundCents: z.int().min(0),
};

/** GET /internal/events/:eventId/refundable, of payments: of this organizer's event. */
export const RefundableQuery = z.object({ organizerId: z.coerce.number().int().positive() });
export const RefundableOfEvent = z.object(refundsOfEvent);
export type RefundableOfEvent = z.infer<typeof RefundableOfEvent>;

/** GET /api/events/{id}/cancellation, for admins. `isOver`: only an admin may cancel it now, by confirming these figures. */
export const EventCancellation = z.object({ eventId: z.int(), isOver: z.boolean(), ...refundsOfEvent });
export type EventCancellation = z.infer<typeof EventCancellation>;

/** POST /api/events/{id}/cancel. `confirm`: of an event that is over, the figures that an admin has seen. */
export const CancelEventBody = z.strictObject({ confirm: optionalField(z.strictObject(refundsOfEvent)) });
export type CancelEventBody = z.infer<typeof CancelEventBody>;

/** What is said of an event wherever it is shown: in answers, in messages, beside tickets. */
export const shownOfEvent = {
  title: z.string(),
  location: z.string(),
  imageUrl: z.string().nullable(),
  eventDate: z.iso.datetime(),
  eventStartTime: z.string(),
  eventEndTime: z.string().nullable(),
};

/** Where an event is, found by what its location says. `id` is that of the gazetteer; a position in degrees. */
export const EventPlace = z.object({
  id: z.string().optional(),
  name: z.string(),
  lat: z.number(),
  lon: z.number(),
  state: z.enum(['DC', 'MD', 'VA']),
  /** True: the position is that of the town or quarter that the location lies in, such as "in Washington". */
  isApproximate: z.boolean().optional(),
});
export type EventPlace = z.infer<typeof EventPlace>;

/** `postponed`: it does not take place on its `eventDate`, and has no other one yet. Its tickets stay valid, and none are sold. */
export const EventStatus = z.enum(['published', 'postponed', 'canceled']);
export type EventStatus = z.infer<typeof EventStatus>;

/** An event as every list and page reads it. */
export const Event = z.object({
  id: z.int(),
  ...shownOfEvent,
  description: z.string(),
  videoUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** From the tags. */
  category: z.enum(CATEGORY_NAMES).optional(),
  /** Null: nobody can say for sure where its location is, so that it has no marker. */
  place: EventPlace.nullish(),
  /** Only in answers to a search with `near`, and null for an event without a place. */
  distanceMiles: z.number().nullish(),
  /** At most a second behind what people do; views come every few seconds. */
  counts: EventCounts.optional(),
  isSponsored: z.boolean(),
  promotionLevel: PromotionLevel,
  /** Only for the organizer and admins, once a promotion was paid: what was paid in all, in cents, and until when it is promoted. */
  promotionPaid: z.boolean().optional(),
  promotionAmount: z.int().optional(),
  promotionEndsAt: z.iso.datetime().nullish(),
  /** Only in `GET /api/users/{id}/events`, once it was seen in a place that was paid for. */
  promotionShown: z.array(ShownInPlace).optional(),
  hasTickets: z.boolean(),
  ticketSalesEnabled: z.boolean(),
  /** Dollars as text, "25.00"; what the buyer pays, nothing is added. */
  ticketPrice: z.string().nullable(),
  totalTickets: z.int().nullable(),
  soldTickets: z.int(),
  /** In other buyers' hands for up to 20 minutes: not sold, not to be had. */
  heldTickets: z.int(),
  /** Version of the sale these two are of, 0 before there is one: a page that heard of a newer one asks again. */
  stockVersion: z.int(),
  ticketSalesStartTime: z.iso.datetime().nullable(),
  ticketSalesEndTime: z.iso.datetime().nullable(),
  /** So many hours before it begins its buyers may cancel; null: never. Orders keep what was promised as they were held. */
  refundDeadlineHours: z.int().nullable().optional(),
  isLivestream: z.boolean(),
  livestreamUrl: z.string().nullable(),
  livestreamStatus: z.string(),
  livestreamStartTime: z.iso.datetime().nullable(),
  livestreamEndTime: z.iso.datetime().nullable(),
  /** Only for the organizer and admins; null for everybody else. */
  contactEmail: z.string().nullable(),
  status: EventStatus,
  /** Events with the same one are dates of one series. Null: it is none. */
  seriesId: z.int().nullish(),
  /** Counts its changes: `If-Match: "3"` changes it only as long as nobody else has. */
  version: z.int().optional(),
  /** The organizer. */
  userId: z.int(),
  /** Only in the answers about one event; null while the name is not known here yet. */
  organizerName: z.string().nullish(),
  createdAt: z.iso.datetime(),
});
export type Event = z.infer<typeof Event>;
export const EventList = z.array(Event);

/** A page of a search. `nextCursor` is null after the last one. */
export const EventPage = z.object({ items: z.array(Event), nextCursor: z.string().nullable() });
export type EventPage = z.infer<typeof EventPage>;

/** Of the event's own stream: of two messages the higher is the newer. */
const streamVersion = z.int().positive();

/** The whole state of an event, so that a reader needs no call back. Money in cents, times in UTC. */
export const EventState = z.object({
  eventId: z.int(),
  version: streamVersion,
  /** The organizer. Renaming a field of a message would be a new version of it. */
  ownerId: z.int(),
  ...shownOfEvent,
  description: z.string(),
  tags: z.array(z.string()),
  hasTickets: z.boolean(),
  /** Of the series that it is a date of. */
  seriesId: z.int().exactOptional(),
  /** False while it is postponed. */
  salesEnabled: z.boolean(),
  /** It has no date: `eventDate` is the one it had. Missing: it has one. */
  isPostponed: z.literal(true).exactOptional(),
  salesStart: z.iso.datetime().nullable(),
  salesEnd: z.iso.datetime().nullable(),
  priceCents: z.int().nullable(),
  capacity: z.int().nullable(),
  /** Its buyers may cancel until this many hours before it begins; null: never. */
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
