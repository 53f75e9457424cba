import type { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog/event-bodies';
import type { Details } from './events.ts';

const utc = <Time extends string | null | undefined>(time: Time) =>
  (time ? new Date(time).toISOString() : time) as Time;

/** A new event as its form describes it. */
export function detailsOf(body: CreateEventBody, pictureUrl: string | null): Details {
  const { isSponsored: _sponsored, promotionLevel: _level, repeat: _repeat, ...form } = body;
  return renamed(form, pictureUrl);
}

/** The fields a change names; a field that is not sent keeps its value. `pictureUrl` is undefined when the picture stays. */
export const changesOf = (body: UpdateEventBody, pictureUrl: string | null | undefined): Partial<Details> =>
  Object.fromEntries(Object.entries(renamed(body as Form, pictureUrl)).filter(([, value]) => value !== undefined));

type Form = Omit<CreateEventBody, 'isSponsored' | 'promotionLevel' | 'repeat'>;

/** The form's fields under the catalog's names. */
function renamed<Picture>(
  { imageUrl: _image, ticketPrice, totalTickets, ticketSalesStartTime, ticketSalesEndTime, ...same }: Form,
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
