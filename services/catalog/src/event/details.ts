import type { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog';
import type { Details } from './events.ts';

const utc = (time: string | null | undefined) => (time ? new Date(time).toISOString() : null);

/** What a new event's form says, in the catalog's words. */
export const detailsOf = (body: CreateEventBody, pictureUrl: string | null): Details => ({
  title: body.title,
  description: body.description,
  location: body.location,
  pictureUrl,
  videoUrl: body.videoUrl || null,
  tags: body.tags,
  eventDate: body.eventDate,
  eventStartTime: body.eventStartTime,
  eventEndTime: body.eventEndTime || null,
  contactEmail: body.contactEmail,
  hasTickets: body.hasTickets,
  ticketSalesEnabled: body.ticketSalesEnabled,
  priceCents: body.ticketPrice ?? null,
  capacity: body.totalTickets ?? null,
  salesStart: utc(body.ticketSalesStartTime),
  salesEnd: utc(body.ticketSalesEndTime),
});

/** The fields a change names; a field that is not sent stays as it is. `pictureUrl` is undefined when the picture stays. */
export function changesOf(body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> {
  const {
    title,
    description,
    location,
    tags,
    eventDate,
    eventStartTime,
    contactEmail,
    hasTickets,
    ticketSalesEnabled,
  } = body;
  const named: Record<keyof Details, unknown> = {
    ...{
      title,
      description,
      location,
      tags,
      eventDate,
      eventStartTime,
      contactEmail,
      hasTickets,
      ticketSalesEnabled,
      pictureUrl,
    },
    videoUrl: body.videoUrl === undefined ? undefined : body.videoUrl || null,
    eventEndTime: body.eventEndTime === undefined ? undefined : body.eventEndTime || null,
    priceCents: body.ticketPrice,
    capacity: body.totalTickets,
    salesStart: body.ticketSalesStartTime === undefined ? undefined : utc(body.ticketSalesStartTime),
    salesEnd: body.ticketSalesEndTime === undefined ? undefined : utc(body.ticketSalesEndTime),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Partial<Details>;
}
