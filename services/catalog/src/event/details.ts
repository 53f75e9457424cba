import { UpdateEventBody, type CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { fieldsOf } from '@beltway/kit/columns';
import type { Details, SentDetails } from './events.ts';

/** What the catalog calls otherwise than the API. */
const RENAMED: Partial<Record<keyof SentDetails, keyof Details>> = {
  imageUrl: 'pictureUrl',
  ticketPrice: 'priceCents',
  totalTickets: 'capacity',
  ticketSalesStartTime: 'salesStart',
  ticketSalesEndTime: 'salesEnd',
};

/** Every detail of an event: a column of its listing each. */
export const DETAILS = fieldsOf(UpdateEventBody.shape).map((field) => RENAMED[field] ?? (field as keyof Details));

const utc = <Time extends string | null | undefined>(time: Time) =>
  (time ? new Date(time).toISOString() : time) as Time;

/** A new event as its form describes it. */
export function detailsOf(body: CreateEventBody, pictureUrl: string | null): Details {
  const { isSponsored: _sponsored, promotionLevel: _level, repeat: _repeat, ...form } = body;
  return renamed(form, pictureUrl);
}

/** The fields a change names; a field that is not sent keeps its value. `pictureUrl` is undefined when the picture stays. */
export const changesOf = (body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> =>
  Object.fromEntries(
    Object.entries(renamed(body as SentDetails, pictureUrl)).filter(([, value]) => value !== undefined),
  );

/** The form's fields under the catalog's names. */
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
