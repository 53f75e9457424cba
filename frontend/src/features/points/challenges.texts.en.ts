import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  challenges: 'Challenges',
  challengesLead: 'New every week. You’re in automatically.',
  yourPoints: 'Your points',
  whatList: 'challenges',
  none: 'No challenges yet',
  noneWhy: 'New challenges come when ticketed events are on this week.',
  twoEvents: 'Two nights out',
  twoEventsWhy: 'Attend two events this week',
  town: 'A night in {place}',
  townWhy: 'Attend an event in {place} this week',
  photo: 'Show how it was',
  photoWhy: 'Share a photo this week of an event you attended',
  gain: '+{number} points',
  progressOf: 'Progress of {title}',
  progress: '{done} of {all}',
  met: 'Done! Points added.',
  noPlace: 'You did it, but all spots were taken. If one opens up, you may still get the points.',
  placesLeft: '{number} of {all} {count, plural, one {spot} other {spots}} left',
  placesGone: 'All spots are taken',
  until: 'Until {when}',
  over: 'Over',
  signIn: 'Sign in to see your progress',
} as const;
export const texts = catalog(english, { es: () => import('./challenges.texts.es.ts') });
