import type { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog';
import type { Details } from './events.ts';

const utc = (time: string | null | undefined) => (time ? new Date(time).toISOString() : time);

/** Every field of a form; undefined where it names none. */
type Form = { [Field in keyof UpdateEventBody]-?: UpdateEventBody[Field] | undefined };

/**
 * The form's fields in the catalog's words, undefined where it names none. What is called the same in both is taken over; empty text
 * is null.
 */
function said(form: UpdateEventBody, pictureUrl: string | null | undefined): Array<[field: string, value: unknown]> {
  const { imageUrl: _image, ticketPrice, totalTickets, ...others } = form as Form;
  const { ticketSalesStartTime, ticketSalesEndTime, ...same } = others;
  const fields = {
    ...same,
    pictureUrl,
    priceCents: ticketPrice,
    capacity: totalTickets,
    salesStart: utc(ticketSalesStartTime),
    salesEnd: utc(ticketSalesEndTime),
  } satisfies { [Field in keyof Details]: Details[Field] | undefined };
  return Object.entries(fields).map(([field, value]) => [field, value === '' ? null : value]);
}

/** What a new event's form says; a field that it leaves out is null. Those that an event must have it cannot leave out. */
export function detailsOf(body: CreateEventBody, pictureUrl: string | null): Details {
  const { isSponsored: _sponsored, promotionLevel: _level, repeat: _repeat, ...form } = body;
  return Object.fromEntries(
    said(form, pictureUrl).map(([field, value]) => [field, value ?? null]),
  ) as unknown as Details;
}

/** The fields a change names; a field that is not sent stays as it is. `pictureUrl` is undefined when the picture stays. */
export const changesOf = (body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> =>
  Object.fromEntries(said(body, pictureUrl).filter(([, value]) => value !== undefined));
