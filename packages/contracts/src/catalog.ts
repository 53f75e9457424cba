import { z } from 'zod';
import { CATEGORY_NAMES } from './categories.ts';
import { envelope, fieldOr, optionalField } from './common.ts';
import { EventCounts } from './engagement.ts';
import { IMAGE_PATH } from './media.ts';
import { DEFAULT_REFUND_DEADLINE_HOURS } from './refunds.ts';
import { Repeat, daysOf } from './series.ts';
import { isTag } from './tags.ts';
import { blockText, emailText, lineText, visibleOnly } from './text.ts';
import { dayOf, eventDateFrom, instantOf } from './times.ts';

export const PromotionLevel = z.enum(['none', 'featured', 'premium', 'livestream']);
export type PromotionLevel = z.infer<typeof PromotionLevel>;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 19:00');

/** Of our time: years that every calendar and database reads alike. */
const sane = (value: string | Date) => {
  const year = new Date(value).getUTCFullYear();
  return year >= 2000 && year <= 2100;
};

/** ISO 8601 writes an instant with and without seconds; RFC 3339 only with them. */
const anInstant = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })] as const;

/** ISO text or a date, answered as ISO text (docs/product.md#days-and-hours): the midnight of its day in New York. */
const eventDate = z
  .union([...anInstant, z.iso.date(), z.date()], { error: 'Event Date must be a date' })
  .refine(sane, 'Event Date must be a date between 2000 and 2100')
  .transform((value) => (value instanceof Date ? instantOf(dayOf(value)).toISOString() : eventDateFrom(value)));

const salesTime = z.iso.datetime({ offset: true }).refine(sane, 'must be between 2000 and 2100');

const MAX_ADDRESS = 2_000;
/** URL parsers pass over spaces and controls, and what stands before an `@` is taken for the host by readers. */
const isPlainAddress = (value: string) =>
  /^[^\s\\<>"]+$/.test(value) && visibleOnly(value) === value && !/^\w+:\/*[^/?#]*@/.test(value);
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address', abort: true })
  .max(MAX_ADDRESS)
  .refine(isPlainAddress, 'must be a web address');

const PRICE_WANTED = 'Please enter a valid ticket price greater than $0';
const CENTS_WANTED = 'Please enter a ticket price in dollars and whole cents, such as 12.50';
const CAPACITY_WANTED = 'Please enter the total number of tickets available';

/** What the card provider charges at least, in US dollars (docs.stripe.com/currencies, minimum charge amounts). */
const LEAST_CENTS = 50;

/** Text or number in dollars, in steps of a cent (docs/product.md#prices), kept as integer cents. Never rounded. */
export const TicketPrice = z
  .union([z.number().transform(String), z.string().trim()], { error: PRICE_WANTED })
  .refine((price) => /^\d+(\.\d+)?$/.test(price), { error: PRICE_WANTED, abort: true })
  .refine((price) => /^\d+(\.\d{1,2})?$/.test(price), { error: CENTS_WANTED, abort: true })
  .transform((price) => Math.round(Number(price) * 100))
  .refine((cents) => cents > 0 && cents <= 99_999_999, PRICE_WANTED)
  .refine(
    (cents) => cents <= 0 || cents >= LEAST_CENTS,
    'Ticket prices start at $0.50, the least a card can be charged',
  );

const MAX_REFUND_DEADLINE_HOURS = 8_760;
const HOURS_WANTED = 'must be a whole number of hours, from 0 to 8760 (a year)';

/** Text or number, a whole number of admissions. */
const capacity = z
  .union([z.number(), z.string().trim().regex(/^\d+$/, CAPACITY_WANTED)], { error: CAPACITY_WANTED })
  .transform(Number)
  .refine((count) => Number.isInteger(count) && count > 0 && count <= 1_000_000, CAPACITY_WANTED);

/** A web address, a stored picture or poster of this site, or an embedded picture of up to 5 MB (as base64 about a third more). */
const image = z
  .string()
  .max(7_100_000, 'Please select an image smaller than 5MB')
  .refine(
    (value) =>
      (/^https:/i.test(value) && webAddress.safeParse(value).success) ||
      IMAGE_PATH.test(value) ||
      /^data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/.test(value),
    'must be a web address that begins with https://, or an image',
  );

const fields = {
  title: lineText(200, 'Event Title is required'),
  description: blockText(5000, 'Event Description is required'),
  eventDate,
  eventStartTime: time,
  eventEndTime: fieldOr(time, null),
  location: lineText(200, 'Event Location is required'),
  tags: z
    .array(lineText(40, 'A tag must not be empty').refine(isTag, 'A tag is one word of letters and digits'))
    .max(20),
  imageUrl: fieldOr(image, null),
  videoUrl: fieldOr(webAddress, null),
  contactEmail: emailText('Please enter a valid email address for event confirmation'),
  hasTickets: z.boolean(),
  ticketSalesEnabled: z.boolean(),
  ticketPrice: fieldOr(TicketPrice, null),
  totalTickets: fieldOr(capacity, null),
  ticketSalesStartTime: fieldOr(salesTime, null),
  ticketSalesEndTime: fieldOr(salesTime, null),
  /** Buyers may cancel until this many hours before it begins. null, which is not the same as absent: never. */
  refundDeadlineHours: z
    .int(HOURS_WANTED)
    .min(0, HOURS_WANTED)
    .max(MAX_REFUND_DEADLINE_HOURS, HOURS_WANTED)
    .nullable()
    .optional(),
};

/**
 * POST /api/events (docs/product.md#launching-an-event). Parsed: `ticketPrice` in integer cents, `eventDate` the midnight of its day
 * in New York, as ISO text in UTC.
 * Promotion is bought, never claimed: `isSponsored` and `promotionLevel` are accepted with their default only.
 */
export const CreateEventBody = z
  .strictObject({
    ...fields,
    tags: fieldOr(fields.tags, []),
    hasTickets: fieldOr(fields.hasTickets, false),
    ticketSalesEnabled: fieldOr(fields.ticketSalesEnabled, false),
    refundDeadlineHours: fields.refundDeadlineHours.default(DEFAULT_REFUND_DEADLINE_HOURS),
    isSponsored: fieldOr(z.literal(false, { error: 'Promotion is bought at /checkout' }), false),
    promotionLevel: fieldOr(z.literal('none', { error: 'Promotion is bought at /checkout' }), 'none'),
    /** Several dates: an event each, of one series. Answered is the first one. */
    repeat: optionalField(Repeat),
  })
  .superRefine((event, context) => {
    const days = event.repeat ? daysOf(dayOf(event.eventDate), event.repeat) : [];
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['repeat'], message });
    if (event.repeat && !days.includes(dayOf(event.eventDate)))
      refuse('The date is not the last of its weekday in its month');
    if (event.repeat && days.length < 2) refuse('Choose at least one more date');
    if (days.some((day) => !sane(day))) refuse('All dates must be between 2000 and 2100');
    if (!event.hasTickets) return;
    if (event.ticketPrice == null)
      context.addIssue({
        code: 'custom',
        path: ['ticketPrice'],
        message: PRICE_WANTED,
      });
    if (event.totalTickets == null)
      context.addIssue({
        code: 'custom',
        path: ['totalTickets'],
        message: CAPACITY_WANTED,
      });
  });
export type CreateEventBody = z.infer<typeof CreateEventBody>;

/** PATCH /api/events/:id, by its organiser: any of the fields of creation. */
export const UpdateEventBody = z.strictObject(fields).partial();
export type UpdateEventBody = z.infer<typeof UpdateEventBody>;

/** What cancelling an event gives back to its buyers, as payments knows it. */
const refundsOfEvent = {
  /** Payments of which something has not gone back. */
  orders: z.int().min(0),
  refundCents: z.int().min(0),
};

/** GET /internal/events/:eventId/refundable, of payments: of this organizer's event. */
export const RefundableQuery = z.object({ organiserId: z.coerce.number().int().positive() });
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
});
export type EventPlace = z.infer<typeof EventPlace>;

/** `postponed`: it does not take place on its `eventDate`, and has no other one yet. Its tickets stay valid, and none are sold. */
export const EventStatus = z.enum(['published', 'postponed', 'cancelled']);
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
  /** Only for the organiser and admins, once a promotion was paid: what was paid in all, in cents, and until when it is promoted. */
  promotionPaid: z.boolean().optional(),
  promotionAmount: z.int().optional(),
  promotionEndsAt: z.iso.datetime().nullish(),
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
  /** Only for the organiser and admins; null for everybody else. */
  contactEmail: z.string().nullable(),
  status: EventStatus,
  /** Events with the same one are dates of one series. Null: it is none. */
  seriesId: z.int().nullish(),
  /** Counts its changes: `If-Match: "3"` changes it only as long as nobody else has. */
  version: z.int().optional(),
  /** The organiser. */
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

/** Of the event's own stream: of two messages the higher is the newer. Missing in messages of older days, which are older than any. */
const streamVersion = z.int().positive().exactOptional();

/** The whole state of an event, so that a reader needs no call back. Money in cents, times in UTC. */
export const EventState = z.object({
  eventId: z.int(),
  version: streamVersion,
  /** The organiser. Renaming a field of a message would be a new version of it. */
  ownerId: z.int(),
  ...shownOfEvent,
  /** Missing in messages of before, of events without one. */
  eventEndTime: shownOfEvent.eventEndTime.default(null),
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
  /** So many hours before it begins its buyers may cancel; null: never. Missing, as in messages of before: the default of 24. */
  refundDeadlineHours: z.int().min(0).nullable().exactOptional(),
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

export const EventCancelledV1 = z.object({
  ...envelope,
  type: z.literal('catalog.event-cancelled'),
  version: z.literal(1),
  data: z.object({ eventId: z.int(), version: streamVersion, ownerId: z.int() }),
});
export type EventCancelledV1 = z.infer<typeof EventCancelledV1>;
