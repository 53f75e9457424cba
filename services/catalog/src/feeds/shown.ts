import { CATEGORIES } from '@beltway/contracts/catalog/categories';
import { moneyText } from '@beltway/contracts/common/basics';
import { plainDescription } from '@beltway/contracts/catalog/plain-description';
import type { FeedQuery } from '@beltway/contracts/catalog/search';
import { cutText } from '@beltway/contracts/common/cut-text';
import { statusOf, type ListingRow } from '../event/queries.ts';

/** Maximum number of characters of a description in a feed. */
const LONGEST_DESCRIPTION = 500;

/** The beginning of a description, without markup. Never ends in the middle of a character. */
export function shortDescription({ description }: ListingRow): string {
  const words = plainDescription(description);
  return words.length <= LONGEST_DESCRIPTION ? words : `${cutText(words, LONGEST_DESCRIPTION - 1)}…`;
}

/** Whether the event takes place at its time. If not, `sign` is the label and `note` explains it. */
export const stateOf = (row: ListingRow): { isOn: boolean; sign: string; note: string } => {
  const status = statusOf(row);
  if (status === 'canceled') return { isOn: false, sign: 'Canceled', note: 'The organizer canceled this event.' };
  if (status === 'postponed')
    return { isOn: false, sign: 'Postponed', note: 'The organizer postponed this event. It has no new date yet.' };
  return { isOn: true, sign: '', note: '' };
};

/** The event's title. If the event does not take place at its time, the label comes before the title. */
export function titleOf(row: ListingRow): string {
  const { isOn, sign } = stateOf(row);
  return isOn ? row.title : `${sign}: ${row.title}`;
}

/** "Tickets $25.00"; null if the event sells no tickets. Availability changes too often for a feed. */
export const priceText = ({ hasTickets, priceCents }: ListingRow): string | null =>
  hasTickets && priceCents !== null ? `Tickets ${moneyText(priceCents)}` : null;

export const eventUrl = ({ eventId }: Pick<ListingRow, 'eventId'>, publicUrl: string): string =>
  new URL(`/event/${eventId}`, publicUrl).href;

/** The name of a feed: "Beltway: jazz, Music, #free". */
export function feedName({ q, tags = [], category = [], near }: FeedQuery): string {
  const labels = CATEGORIES.filter(({ name }) => category.includes(name)).map(({ label }) => label);
  const said = [q?.trim(), ...labels, ...tags, near && `near ${near}`].filter(Boolean);
  return said.length > 0 ? `Beltway: ${said.join(', ')}` : 'Beltway: events around DC';
}
