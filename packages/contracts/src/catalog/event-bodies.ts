import { z } from 'zod';
import { fieldOr, optionalField } from '../common/basics.ts';
import { IMAGE_PATH } from '../media/images.ts';
import { DEFAULT_REFUND_DEADLINE_HOURS } from '../ticketing/refunds.ts';
import { Repeat, daysOf } from './series.ts';
import { isTag } from './tags.ts';
import { blockText, emailText, lineText, visibleOnly } from '../common/text.ts';
import { dayOf, eventDateFrom, instantOf } from '../common/times.ts';
import { plainNumber, wholeNumber } from '../common/typed-number.ts';
import { fault } from '../problems/fault.ts';

// Request bodies of organizers, in a separate file so that the frontend's first screen does not load them.

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, fault('invalid.time'));

/** Years that all calendars and databases interpret in the same way. */
const YEARS = { from: '2000', to: '2100' };
const sane = (value: string | Date) => {
  const year = new Date(value).getUTCFullYear();
  return year >= Number(YEARS.from) && year <= Number(YEARS.to);
};

/** ISO 8601 allows an instant without seconds; RFC 3339 requires them. */
const anInstant = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })] as const;

/**
 * Accepts ISO text or a `Date`. Returns the ISO text of midnight in New York on the day of the date
 * (services/catalog/PRODUCT.md#days-and-hours).
 */
const eventDate = z
  .union([...anInstant, z.iso.date(), z.date()], { error: fault('invalid.event-date') })
  .refine(sane, fault('invalid.event-date-years', YEARS))
  .transform((value) => (value instanceof Date ? instantOf(dayOf(value)).toISOString() : eventDateFrom(value)));

const salesTime = z.iso.datetime({ offset: true }).refine(sane, fault('invalid.years', YEARS));

const MAX_ADDRESS = 2_000;
/**
 * Rejects spaces and control characters, because URL parsers ignore them. Rejects user names, because readers mistake
 * the text before an `@` for the host.
 */
const isPlainAddress = (value: string) =>
  /^[^\s\\<>"]+$/.test(value) && visibleOnly(value) === value && !/^\w+:\/*[^/?#]*@/.test(value);
const webAddress = z
  .url({ protocol: /^https?$/, error: fault('invalid.web-address'), abort: true })
  .max(MAX_ADDRESS)
  .refine(isPlainAddress, fault('invalid.web-address'));

const PRICE_WANTED = fault('invalid.price');
const CENTS_WANTED = fault('invalid.price-cents');
const CAPACITY_WANTED = fault('invalid.capacity');

/** The card provider's minimum charge in US dollars, in cents (docs.stripe.com/currencies, minimum charge amounts). */
const LEAST_CENTS = 50;

/**
 * Typed text or a number, in dollars with at most two decimals (services/ticketing/PRODUCT.md#prices), stored as
 * integer cents. Never rounded.
 */
export const TicketPrice = z
  .union(
    [z.number().transform(String), z.string().transform((typed) => plainNumber(typed.replace(/^\s*\$/, '')) ?? '')],
    {
      error: PRICE_WANTED,
    },
  )
  .refine((price) => /^\d+(\.\d+)?$/.test(price), { error: PRICE_WANTED, abort: true })
  .refine((price) => /^\d+(\.\d{1,2})?$/.test(price), { error: CENTS_WANTED, abort: true })
  .transform((price) => Math.round(Number(price) * 100))
  .refine((cents) => cents > 0 && cents <= 99_999_999, PRICE_WANTED)
  .refine((cents) => cents <= 0 || cents >= LEAST_CENTS, fault('invalid.price-least'));

const MAX_REFUND_DEADLINE_HOURS = 8_760;
const HOURS_WANTED = fault('invalid.deadline', { max: MAX_REFUND_DEADLINE_HOURS });

/** Typed text or a number: a whole number of admissions. */
export const TicketCount = z
  .union([z.number(), z.string().transform((typed) => wholeNumber(typed) ?? 0)], { error: CAPACITY_WANTED })
  .refine((count) => Number.isInteger(count) && count > 0 && count <= 1_000_000, CAPACITY_WANTED);

/** A URL, a stored picture or poster of this site, or an embedded picture of up to 5 MB (a third more as base64). */
const image = z
  .string()
  .max(7_100_000, fault('invalid.picture-large'))
  .refine(
    (value) =>
      (/^https:/i.test(value) && webAddress.safeParse(value).success) ||
      IMAGE_PATH.test(value) ||
      /^data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/.test(value),
    fault('invalid.picture-address'),
  );

const address = lineText(200, 'invalid.event-address');

const fields = {
  title: lineText(200, 'invalid.event-title'),
  description: blockText(5000, 'invalid.event-description'),
  eventDate,
  /** The last of at most `MOST_DAYS` days. null: the event takes one day. */
  eventLastDate: fieldOr(eventDate, null).optional(),
  eventStartTime: time,
  eventEndTime: fieldOr(time, null),
  location: lineText(200, 'invalid.event-location'),
  /** The street address, in addition to the location. Searches and the map use only the location. */
  address: fieldOr(address, null).optional(),
  tags: z.array(lineText(40, 'invalid.tag-empty').refine(isTag, fault('invalid.tag'))).max(20),
  imageUrl: fieldOr(image, null),
  videoUrl: fieldOr(webAddress, null),
  contactEmail: emailText('invalid.event-email'),
  hasTickets: z.boolean(),
  ticketSalesEnabled: z.boolean(),
  ticketPrice: fieldOr(TicketPrice, null),
  totalTickets: fieldOr(TicketCount, null),
  ticketSalesStartTime: fieldOr(salesTime, null),
  ticketSalesEndTime: fieldOr(salesTime, null),
  /** True if the organizer states that entry is free without a ticket. null: not stated. */
  freeEntry: fieldOr(z.boolean(), null).optional(),
  /**
   * Buyers may cancel until this many hours before the start. null: never. If the field is absent, the default applies.
   */
  refundDeadlineHours: z
    .int(HOURS_WANTED)
    .min(0, HOURS_WANTED)
    .max(MAX_REFUND_DEADLINE_HOURS, HOURS_WANTED)
    .nullable()
    .optional(),
};

/**
 * POST /api/events (services/catalog/PRODUCT.md#launching-an-event). Parsed: `ticketPrice` in integer cents;
 * `eventDate` as ISO text in UTC, the midnight of its day in New York. Promotion must be bought, so `isSponsored` and
 * `promotionLevel` accept only their defaults.
 */
export const CreateEventBody = z
  .strictObject({
    ...fields,
    eventLastDate: optionalField(eventDate),
    address: optionalField(address),
    freeEntry: optionalField(z.boolean()),
    tags: fieldOr(fields.tags, []),
    hasTickets: fieldOr(fields.hasTickets, false),
    ticketSalesEnabled: fieldOr(fields.ticketSalesEnabled, false),
    refundDeadlineHours: fields.refundDeadlineHours.default(DEFAULT_REFUND_DEADLINE_HOURS),
    isSponsored: fieldOr(z.literal(false, { error: fault('invalid.promotion') }), false),
    promotionLevel: fieldOr(z.literal('none', { error: fault('invalid.promotion') }), 'none'),
    /** Creates one event per date, in one series. The response contains the first event. */
    repeat: optionalField(Repeat),
  })
  .superRefine((event, context) => {
    const days = event.repeat ? daysOf(dayOf(event.eventDate), event.repeat) : [];
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['repeat'], message });
    if (event.repeat && !days.includes(dayOf(event.eventDate))) refuse(fault('invalid.last-weekday'));
    if (event.repeat && days.length < 2) refuse(fault('invalid.one-more-date'));
    if (days.some((day) => !sane(day))) refuse(fault('invalid.dates-years', YEARS));
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

/** PATCH /api/events/:id, called by the event's organizer: any subset of the event's fields. */
export const UpdateEventBody = z.strictObject(fields).partial();
export type UpdateEventBody = z.infer<typeof UpdateEventBody>;

/** GET /internal/events/:id/contact of catalog: the organizer's email address for messages from buyers; null: none. */
export const EventContact = z.object({ email: z.string().nullable() });
export type EventContact = z.infer<typeof EventContact>;
