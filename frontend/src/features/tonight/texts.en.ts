import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Tonight near me',
  lead: 'Events you can still make, on foot or by Metro, and when to leave.',
  usePosition: 'Use my location',
  whereYouAre: 'where you are',
  whereStart: 'Where are you starting from?',
  whereStartWhy:
    'Share your location, or pick a Metro station or a neighborhood. It stays on this device, except that we ask for the weather near you, within a few miles.',
  whereYouStart: 'Starting point',
  station: 'Station or neighborhood',
  show: 'Show',
  unknown: 'We couldn’t find that place. Try a Metro station, a neighborhood or a town.',
  notLoaded: 'Couldn’t load the events',
  loading: 'Loading tonight’s events',
  eventsFrom: '{number} {count, plural, one {event} other {events}} from {name}',
  nothing: 'Nothing starts near you soon',
  later: 'See what’s on later',
  nothingWhy:
    'No event within reach of {name}, on foot or by Metro, starts in the next three hours. Try another starting point, or look further ahead.',
  estimates:
    'Travel times are estimates: 260 feet a minute on foot and usual waits for trains. Check WMATA for delays.',
  onlyFirst: ' We only checked the first {number} events that start soon.',
  leaveNow: 'Leave now: you’d be {count, plural, one {# minute} other {# minutes}} late',
  leaveAt: 'Leave at {time}',
  heldByOthers: '{price}, all in other carts',
  left: '{price}, {count} left',
  soldOut: 'Sold Out',
  notYet: '{price}, not on sale yet',
  noLonger: 'Tickets are no longer on sale',
  noTickets: 'No tickets on Beltway',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
