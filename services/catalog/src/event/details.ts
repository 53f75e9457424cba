import type { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog';
import type { Details } from './events.ts';

/** Undefined is what a form does not name; empty is null. */
const orNull = (text: string | null | undefined) => (text === undefined ? undefined : text || null);
const utc = (time: string | null | undefined) => (time ? new Date(time).toISOString() : orNull(time));

/** The form's fields in the catalog's words. */
const said = (body: UpdateEventBody, pictureUrl: string | null | undefined) =>
  ({
    title: body.title,
    description: body.description,
    location: body.location,
    pictureUrl,
    videoUrl: orNull(body.videoUrl),
    tags: body.tags,
    eventDate: body.eventDate,
    eventStartTime: body.eventStartTime,
    eventEndTime: orNull(body.eventEndTime),
    contactEmail: body.contactEmail,
    hasTickets: body.hasTickets,
    ticketSalesEnabled: body.ticketSalesEnabled,
    priceCents: body.ticketPrice,
    capacity: body.totalTickets,
    salesStart: utc(body.ticketSalesStartTime),
    salesEnd: utc(body.ticketSalesEndTime),
  }) satisfies { [Field in keyof Details]: Details[Field] | undefined };

/** What a new event's form says; a field that it leaves out is null. Those that an event must have it cannot leave out. */
export const detailsOf = (body: CreateEventBody, pictureUrl: string | null): Details =>
  Object.fromEntries(
    Object.entries(said(body, pictureUrl)).map(([field, value]) => [field, value ?? null]),
  ) as unknown as Details;

/** The fields a change names; a field that is not sent stays as it is. `pictureUrl` is undefined when the picture stays. */
export const changesOf = (body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> =>
  Object.fromEntries(
    Object.entries(said(body, pictureUrl)).filter(([, value]) => value !== undefined),
  ) as Partial<Details>;
