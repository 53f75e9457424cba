import { CATEGORIES } from '@beltway/contracts/catalog/categories';
import { moneyText } from '@beltway/contracts/common/basics';
import type { FeedQuery } from '@beltway/contracts/catalog/search';
import { cutText } from '@beltway/contracts/common/cut-text';
import type { ListingRow } from '../event/queries.ts';

/** As much of a description as a feed has. */
const LONGEST_DESCRIPTION = 500;

/** The beginning of a description, not cut inside a character. */
export const shortDescription = ({ description }: ListingRow): string =>
  description.length <= LONGEST_DESCRIPTION ? description : `${cutText(description, LONGEST_DESCRIPTION - 1)}…`;

/** Whether it takes place at its time, and why not. */
export const stateOf = ({ status }: ListingRow): { isOn: boolean; sign: string; note: string } => {
  if (status === 'canceled') return { isOn: false, sign: 'Canceled', note: 'The organizer canceled this event.' };
  if (status === 'postponed')
    return { isOn: false, sign: 'Postponed', note: 'The organizer postponed this event. It has no new date yet.' };
  return { isOn: true, sign: '', note: '' };
};

/** Its title, with what people must know first. */
export function titleOf(row: ListingRow): string {
  const { isOn, sign } = stateOf(row);
  return isOn ? row.title : `${sign}: ${row.title}`;
}

/** "Tickets $25.00"; null where none are sold. Whether any are left changes too often for a feed. */
export const priceText = ({ hasTickets, priceCents }: ListingRow): string | null =>
  hasTickets && priceCents !== null ? `Tickets ${moneyText(priceCents)}` : null;

/** The page of an event. */
export const eventUrl = ({ eventId }: Pick<ListingRow, 'eventId'>, publicUrl: string): string =>
  new URL(`/event/${eventId}`, publicUrl).href;

/** What a feed is called among others: "Beltway: jazz, Music, #free". */
export function feedName({ q, tags = [], category = [], near }: FeedQuery): string {
  const labels = CATEGORIES.filter(({ name }) => category.includes(name)).map(({ label }) => label);
  const said = [q?.trim(), ...labels, ...tags, near && `near ${near}`].filter(Boolean);
  return said.length > 0 ? `Beltway: ${said.join(', ')}` : 'Beltway: events around DC';
}
