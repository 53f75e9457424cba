import { endOf, startOf, type EventHours } from '../common/times.ts';

/** Where the place of an event is on a map, with directions there; the location is what its organizer typed. */
export const mapUrl = (location: string): string =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: location }).toString()}`;

/** The way to a place, from wherever one is. */
export const directionsUrl = (location: string): string =>
  `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: location }).toString()}`;

/** "20300601T230000Z" (RFC 5545, section 3.3.5) */
const stamp = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** Opens a calendar on the web with the event filled in; other calendars take the .ics file. */
export const calendarUrl = (event: EventHours & { title: string; location: string }, details: string): string =>
  `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${stamp(startOf(event))}/${stamp(endOf(event))}`,
    location: event.location,
    details,
  }).toString()}`;
