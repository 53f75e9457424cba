import { UpdateEventBody, type CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { fieldsOf } from '@beltway/kit/columns';
import type { Details, SentDetails } from './events.ts';

/** Fields that the catalog and the API name differently. */
const RENAMED: Partial<Record<keyof SentDetails, keyof Details>> = {
  imageUrl: 'pictureUrl',
  ticketPrice: 'priceCents',
  totalTickets: 'capacity',
  ticketSalesStartTime: 'salesStart',
  ticketSalesEndTime: 'salesEnd',
};

/** The names of all details of an event. Each detail is a column of the listing. */
export const DETAILS = fieldsOf(UpdateEventBody.shape).map((field) => RENAMED[field] ?? (field as keyof Details));

const utc = <Time extends string | null | undefined>(time: Time) =>
  (time ? new Date(time).toISOString() : time) as Time;

/** The details of a new event, from its form. */
export function detailsOf(body: CreateEventBody, pictureUrl: string | null): Details {
  const { isSponsored: _sponsored, promotionLevel: _level, repeat: _repeat, ...form } = body;
  return renamed(form, pictureUrl);
}

/**
 * The fields that a change contains; fields that were not sent keep their values. `pictureUrl`: undefined if the
 * picture stays unchanged.
 */
export const changesOf = (body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> =>
  Object.fromEntries(
    Object.entries(renamed(body as SentDetails, pictureUrl)).filter(([, value]) => value !== undefined),
  );

/** The fields of the form, renamed as in the catalog. */
function renamed<Picture>(
  { imageUrl: _image, ticketPrice, totalTickets, ticketSalesStartTime, ticketSalesEndTime, ...same }: SentDetails,
  pictureUrl: Picture,
) {
  return {
    ...same,
    pictureUrl,
    priceCents: ticketPrice,
    capacity: totalTickets,
    salesStart: utc(ticketSalesStartTime),
    salesEnd: utc(ticketSalesEndTime),
  };
}
