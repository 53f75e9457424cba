import type { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog';
import type { Details } from './events.ts';

/** Undefined is what a form does not name; empty is null. */
const orNull = (text: string | null | undefined) => (text === undefined ? undefined : text || null);
const utc = (time: string | null | undefined) => (time ? new Date(time).toISOString() : orNull(time));

/** Every field of a form; undefined where it names none. */
type Form = { [Field in keyof UpdateEventBody]-?: UpdateEventBody[Field] | undefined };

/** The form's fields in the catalog's words. What is called the same in both is taken over. */
function said(form: UpdateEventBody, pictureUrl: string | null | undefined) {
  const { imageUrl: _image, ticketPrice, totalTickets, ...others } = form as Form;
  const { ticketSalesStartTime, ticketSalesEndTime, videoUrl, eventEndTime, ...same } = others;
  return {
    ...same,
    pictureUrl,
    videoUrl: orNull(videoUrl),
    eventEndTime: orNull(eventEndTime),
    priceCents: ticketPrice,
    capacity: totalTickets,
    salesStart: utc(ticketSalesStartTime),
    salesEnd: utc(ticketSalesEndTime),
  } satisfies { [Field in keyof Details]: Details[Field] | undefined };
}

/** What a new event's form says; a field that it leaves out is null. Those that an event must have it cannot leave out. */
export function detailsOf(body: CreateEventBody, pictureUrl: string | null): Details {
  const { isSponsored: _sponsored, promotionLevel: _level, ...form } = body;
  const fields = Object.entries(said(form, pictureUrl)).map(([field, value]) => [field, value ?? null]);
  return Object.fromEntries(fields) as Details;
}

/** The fields a change names; a field that is not sent stays as it is. `pictureUrl` is undefined when the picture stays. */
export const changesOf = (body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> =>
  Object.fromEntries(Object.entries(said(body, pictureUrl)).filter(([, value]) => value !== undefined));
