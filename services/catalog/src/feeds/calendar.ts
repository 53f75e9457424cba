import { calendarFile, type CalendarEntry } from '@beltway/calendar/calendar-file';
import { fullAddress } from '@beltway/contracts/catalog/event-links';
import { endOf, startOf } from '@beltway/contracts/common/times';
import type { ListingRow } from '../event/queries.ts';
import { eventUrl, priceText, shortDescription, stateOf, titleOf } from './shown.ts';

/** After this many seconds, subscribed calendar programs refresh. */
const REFRESH_SECONDS = 3_600;

/**
 * A calendar entry. The calendar of a search and the file of a single event use the same entry id, so that a calendar
 * program shows the event once.
 */
function entryOf(row: ListingRow, publicUrl: string): CalendarEntry {
  const url = eventUrl(row, publicUrl);
  const { isOn, note } = stateOf(row);
  return {
    id: `event-${row.eventId}@beltway`,
    sequence: row.version - 1,
    // A postponed event is marked as canceled at its old time. With its new date it gets a higher sequence number.
    status: isOn ? 'confirmed' : 'canceled',
    changedAt: row.changedAt,
    start: startOf(row),
    end: endOf(row),
    summary: titleOf(row),
    location: fullAddress(row),
    description: [note || priceText(row), shortDescription(row), url].filter(Boolean).join('\n\n'),
    url,
    categories: row.tags,
    ...(row.lat !== null &&
      row.lon !== null &&
      !row.placeIsApproximate && { position: { lat: row.lat, lon: row.lon } }),
  };
}

const PRODUCT = '//Beltway//Events//EN';

/**
 * The results of a search as a calendar to subscribe to (RFC 5545). A canceled event stays in the calendar, marked as
 * canceled, until its end.
 */
export const calendarOf = (rows: readonly ListingRow[], name: string, publicUrl: string): Promise<string> =>
  calendarFile({
    name,
    product: PRODUCT,
    refreshSeconds: REFRESH_SECONDS,
    entries: rows.map((row) => entryOf(row, publicUrl)),
  });

/** A calendar file with one event. */
export const calendarOfEvent = (row: ListingRow, publicUrl: string): Promise<string> =>
  calendarFile({ name: 'Beltway', product: PRODUCT, entries: [entryOf(row, publicUrl)] });
