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

// What organizers send, apart from catalog.ts, so that the first page does not load it.

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, fault('invalid.time'));

/** Of our time: years that every calendar and database reads alike. */
const sane = (value: string | Date) => {
  const year = new Date(value).getUTCFullYear();
  return year >= 2000 && year <= 2100;
};

/** ISO 8601 writes an instant with and without seconds; RFC 3339 only with them. */
const anInstant = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })] as const;

/** ISO text or a date, answered as ISO text (services/catalog/PRODUCT.md#days-and-hours): the midnight of its day in New York. */
const eventDate = z
  .union([...anInstant, z.iso.date(), z.date()], { error: fault('invalid.event-date') })
  .refine(sane, fault('invalid.event-date-years'))
  .transform((value) => (value instanceof Date ? instantOf(dayOf(value)).toISOString() : eventDateFrom(value)));

const salesTime = z.iso.datetime({ offset: true }).refine(sane, fault('invalid.years'));

const MAX_ADDRESS = 2_000;
/** URL parsers pass over spaces and controls, and readers take the part before an `@` for the host. */
const isPlainAddress = (value: string) =>
  /^[^\s\\<>"]+$/.test(value) && visibleOnly(value) === value && !/^\w+:\/*[^/?#]*@/.test(value);
const webAddress = z
  .url({ protocol: /^https?$/, error: fault('invalid.web-address'), abort: true })
  .max(MAX_ADDRESS)
  .refine(isPlainAddress, fault('invalid.web-address'));

const PRICE_WANTED = fault('invalid.price');
const CENTS_WANTED = fault('invalid.price-cents');
const CAPACITY_WANTED = fault('invalid.capacity');

/** What the card provider charges at least, in US dollars (docs.stripe.com/currencies, minimum charge amounts). */
const LEAST_CENTS = 50;

/**
 * Text as people type it or a number, in dollars and steps of a cent (services/ticketing/PRODUCT.md#prices), kept as
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
const HOURS_WANTED = fault('invalid.deadline');

/** Text as people type it or a number: a whole number of admissions. */
export const TicketCount = z
  .union([z.number(), z.string().transform((typed) => wholeNumber(typed) ?? 0)], { error: CAPACITY_WANTED })
  .refine((count) => Number.isInteger(count) && count > 0 && count <= 1_000_000, CAPACITY_WANTED);

/** A web address, a stored picture or poster of this site, or an embedded picture of up to 5 MB (as base64 about a third more). */
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

const fields = {
  title: lineText(200, 'invalid.event-title'),
  description: blockText(5000, 'invalid.event-description'),
  eventDate,
  eventStartTime: time,
  eventEndTime: fieldOr(time, null),
  location: lineText(200, 'invalid.event-location'),
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
  /** Buyers may cancel until this many hours before it begins. null, which is not the same as absent: never. */
  refundDeadlineHours: z
    .int(HOURS_WANTED)
    .min(0, HOURS_WANTED)
    .max(MAX_REFUND_DEADLINE_HOURS, HOURS_WANTED)
    .nullable()
    .optional(),
};

/**
 * POST /api/events (services/catalog/PRODUCT.md#launching-an-event). Parsed: `ticketPrice` in integer cents,
 * `eventDate` the midnight of its day
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
    isSponsored: fieldOr(z.literal(false, { error: fault('invalid.promotion') }), false),
    promotionLevel: fieldOr(z.literal('none', { error: fault('invalid.promotion') }), 'none'),
    /** Several dates: an event each, of one series. Answered is the first one. */
    repeat: optionalField(Repeat),
  })
  .superRefine((event, context) => {
    const days = event.repeat ? daysOf(dayOf(event.eventDate), event.repeat) : [];
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['repeat'], message });
    if (event.repeat && !days.includes(dayOf(event.eventDate))) refuse(fault('invalid.last-weekday'));
    if (event.repeat && days.length < 2) refuse(fault('invalid.one-more-date'));
    if (days.some((day) => !sane(day))) refuse(fault('invalid.dates-years'));
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

/** PATCH /api/events/:id, by its organizer: any of the fields of creation. */
export const UpdateEventBody = z.strictObject(fields).partial();
export type UpdateEventBody = z.infer<typeof UpdateEventBody>;
