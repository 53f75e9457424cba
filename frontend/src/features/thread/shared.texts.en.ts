import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  community: 'Community',
  posts: 'Posts',
  questions: 'Questions',
  leaderboard: 'Leaderboard',
  challenges: 'Challenges',
  badges: 'Badges',
  connections: 'Connections',
  referrals: 'Referrals',
  district: 'The District',
  somebody: 'Someone',
  charactersLeft: '{count, plural, other {# characters left}}',
  blockedPeople: 'Blocked people',
  whatBlocked: 'blocked people',
  noneBlocked: 'You haven’t blocked anyone.',
  since: 'Since {when}',
  unblockOne: 'Unblock {name}',
  unblock: 'Unblock',
  unblocked: 'Unblocked.',
} as const;
export const texts = catalog(english, { es: () => import('./shared.texts.es.ts') });
