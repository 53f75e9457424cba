import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  organizedBy: 'Organized by',
  nameless: 'An organizer',
  followers: '{count, plural, =0 {No followers yet} one {{number} follower} other {{number} followers}}',
  followOf: 'Follow {name}',
  thisOrganizer: 'this organizer',
  following: 'Following',
  follow: 'Follow',
  notFollowed: 'Not followed',
  stillFollowed: 'Still followed',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
