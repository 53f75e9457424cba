import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Tonight near me',
  lead: 'What starts within the next three hours, on foot or by Metro, and when to leave.',
  usePosition: 'Use my position',
  whereYouAre: 'where you are',
  whereStart: 'Where do you start?',
  whereStartWhy:
    'Let us use your position, which stays on this device but for the weather, asked for by some miles. Or choose a Metro station or a neighborhood.',
  whereYouStart: 'Where you start',
  station: 'Station or neighborhood',
  show: 'Show',
  unknown: 'We do not know this place for sure. Try a Metro station, a neighborhood or a town.',
  notLoaded: 'The events could not be loaded',
  loading: 'Loading what starts tonight',
  eventsFrom: '{number} {count, plural, one {event} other {events}} from {name}',
  nothing: 'Nothing starts near here soon',
  later: 'See what is on later',
  nothingWhy:
    'Within three hours no event begins that is on foot or by Metro from {name}. Start from another place, or look further ahead.',
  estimates:
    'Ways are estimates: 80 meters a minute on foot, usual waiting times for trains, no timetable and no news of delays.',
  onlyFirst: ' Only the first {number} events that start soon were checked.',
  leaveNow: 'Leave now: you would be {count, plural, one {# minute} other {# minutes}} late',
  leaveAt: 'Leave at {time}',
  heldByOthers: '{price}, all that is left is in other buyers’ hands',
  left: '{price}, {count} left',
  soldOut: 'Sold Out',
  notYet: '{price}, not on sale yet',
  noLonger: 'Tickets are no longer sold here',
  noTickets: 'No tickets are sold here',
  rightHere: 'Right here',
  onFoot: 'About {count, plural, one {# minute} other {# minutes}} on foot',
  byMetro:
    'About {count, plural, one {# minute} other {# minutes}} by Metro: {line} Line from {from}{changes}, to {to}',
  change: ', change to {line}',
  red: 'Red',
  orange: 'Orange',
  silver: 'Silver',
  blue: 'Blue',
  yellow: 'Yellow',
  green: 'Green',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
