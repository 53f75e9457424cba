import { endOf, startOf, type EventHours } from '../common/times.ts';

/**
 * Street first, as on a letter: "815 V St NW, Shaw, Washington, DC"; only the location if there is no street address.
 */
export const fullAddress = ({ location, address }: { location: string; address?: string | null | undefined }): string =>
  address ? `${address}, ${location}` : location;

/** The URL of a map search for the location that the organizer typed. */
export const mapUrl = (location: string): string =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: location }).toString()}`;

/** The URL of directions from the reader's position to a location. */
export const directionsUrl = (location: string): string =>
  `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: location }).toString()}`;

/** "20300601T230000Z" (RFC 5545, section 3.3.5) */
const stamp = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The URL that opens Google Calendar with the event filled in. Other calendars use the .ics file. */
export const calendarUrl = (
  event: EventHours & { title: string } & Parameters<typeof fullAddress>[0],
  details: string,
): string =>
  `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${stamp(startOf(event))}/${stamp(endOf(event))}`,
    location: fullAddress(event),
    details,
  }).toString()}`;
