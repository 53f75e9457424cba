import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  challenges: 'Challenges',
  challengesLead: 'Made each week of what is on. Everybody takes part; what you do counts by itself.',
  yourPoints: 'Your points',
  whatList: 'challenges',
  none: 'No challenges yet',
  noneWhy: 'They are made when events with tickets are on this week.',
  twoEvents: 'Two nights out',
  twoEventsWhy: 'Attend two events this week',
  town: 'A night in {place}',
  townWhy: 'Attend an event in {place} this week',
  photo: 'Show how it was',
  photoWhy: 'Share a photo of an event that you attended, this week',
  gain: '+{number} points',
  progressOf: 'Progress of {title}',
  progress: '{done} of {all}',
  met: 'You made it: its points are yours.',
  noPlace: 'You made it, but all places were taken. If one is given back, it can still be yours.',
  placesLeft: '{number} of {all} {count, plural, one {place} other {places}} left',
  placesGone: 'All places are taken',
  until: 'Until {when}',
  over: 'Over',
  signIn: 'Sign in to see how far you are',
} as const;
export const texts = catalog(english, { es: () => import('./challenges.texts.es.ts') });
