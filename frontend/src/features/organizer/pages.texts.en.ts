import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  organizerPage: 'Organizer',
  organizer: 'Organizer',
  notFound: 'Organizer Not Found',
  notFoundWhy: 'Nobody here has published an event under this address.',
  seeWhatIsOn: 'See what is on',
  pageFailed: 'This page could not be loaded',
  pageLoading: 'The organizer is loading',
  upcoming: 'Upcoming',
  nothingNow: 'Nothing is announced right now. Follow to find it under Following when it is.',
  past: 'Past',
  nextOf: 'The next {shown} of {all} events.',
  latestOf: 'The latest {shown} of {all} events.',
  eventsFailed: 'The events could not be loaded',
  eventsLoading: 'The events are loading',
  following: 'Following',
  nobody: 'You follow nobody yet',
  nobodyWhy: 'Press Follow on an organizer’s page or beside an event. What they announce stands here.',
  comingUp: 'Coming up',
  noneAnnounced: 'None of them has announced anything right now.',
  organizers: 'Organizers',
  followingFailed: 'Whom you follow could not be loaded',
  followingLoading: 'Loading whom you follow',
} as const;
export const texts = catalog(english, { es: () => import('./pages.texts.es.ts') });
