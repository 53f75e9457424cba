import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  organizedBy: 'Hosted by',
  nextShows: 'Next events',
  nameless: 'An organizer',
  followers: '{count, plural, =0 {No followers yet} one {{number} follower} other {{number} followers}}',
  followOf: 'Follow {name}',
  thisOrganizer: 'this organizer',
  following: 'Following',
  follow: 'Follow',
  notFollowed: 'Couldn’t follow',
  stillFollowed: 'Couldn’t unfollow',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
