import { calendarFile, type CalendarEntry } from '@beltway/calendar/calendar-file';
import { endOf, startOf } from '@beltway/contracts/common/times';
import type { ListingRow } from '../event/queries.ts';
import { eventUrl, priceText, shortDescription, stateOf, titleOf } from './shown.ts';

/** How often programs that subscribe ask again, in seconds. */
const REFRESH_SECONDS = 3_600;

/** An event as every calendar has it, whether from its own file or from a search: the same id, so that it stands there once. */
function entryOf(row: ListingRow, publicUrl: string): CalendarEntry {
  const url = eventUrl(row, publicUrl);
  const { isOn, note } = stateOf(row);
  return {
    id: `event-${row.eventId}@beltway`,
    sequence: row.version - 1,
    // A postponed event does not take place at the time that it had; its next one is a later sequence.
    status: isOn ? 'confirmed' : 'canceled',
    changedAt: row.changedAt,
    start: startOf(row),
    end: endOf(row),
    summary: titleOf(row),
    location: row.location,
    description: [note || priceText(row), shortDescription(row), url].filter(Boolean).join('\n\n'),
    url,
    categories: row.tags,
    ...(row.lat !== null &&
      row.lon !== null &&
      !row.placeIsApproximate && { position: { lat: row.lat, lon: row.lon } }),
  };
}

const PRODUCT = '//Beltway//Events//EN';

/** A search as a calendar to subscribe to (RFC 5545). What was canceled stays in it, as canceled, until it would be over. */
export const calendarOf = (rows: readonly ListingRow[], name: string, publicUrl: string): Promise<string> =>
  calendarFile({
    name,
    product: PRODUCT,
    refreshSeconds: REFRESH_SECONDS,
    entries: rows.map((row) => entryOf(row, publicUrl)),
  });

/** One event, for any calendar. */
export const calendarOfEvent = (row: ListingRow, publicUrl: string): Promise<string> =>
  calendarFile({ name: 'Beltway', product: PRODUCT, entries: [entryOf(row, publicUrl)] });
