import { personal } from '@beltway/kit/personal-data';
import * as tables from '../generated/tables.ts';

/** Deleted in the transaction whose append erases the account, in this order. */
export const OF_ACCOUNT = [
  personal(tables.sessions, 'userId', { erasure: 'delete' }),
  personal(tables.emailChanges, 'userId', { erasure: 'delete' }),
  personal(tables.accountLanguages, 'userId', { erasure: 'delete' }),
  personal(tables.moderationTexts, 'authorId', { erasure: { set: { excerpt: '' } } }),
  personal(tables.moderationReports, 'reporterId', { erasure: 'delete' }),
  personal(tables.users, 'id', { erasure: 'delete' }),
  // Comes after the account's row, which is locked while a secret or a passkey is added.
  personal(tables.totpFactors, 'userId', { erasure: 'delete' }),
  personal(tables.totpChallenges, 'userId', { erasure: 'delete' }),
  personal(tables.totpSecrets, 'userId', { erasure: 'delete' }),
  personal(tables.passkeys, 'userId', { erasure: 'delete' }),
  personal(tables.passkeyChallenges, 'userId', { erasure: 'delete' }),
];

export const OF_REFERRALS = [
  personal(tables.referralCodes, 'userId', {
    exported: { as: 'codes', fields: ['code'], one: true },
    erasure: 'delete',
  }),
  personal(tables.signupNetworks, 'userId', {
    exported: { as: 'networkOfRegistration', fields: ['notedAt'], one: true },
    erasure: 'delete',
  }),
  personal(tables.referralHints, 'referrerId', { erasure: 'delete' }),
  personal(tables.referralHints, 'referredId', { erasure: 'delete' }),
  personal(tables.referrals, 'referrerId', {
    exported: { as: 'made', fields: ['joinedAt'], newest: 'joinedAt' },
    erasure: 'delete',
  }),
  personal(tables.referrals, 'referredId', {
    exported: { as: 'own', fields: ['joinedAt'], one: true },
    erasure: { elsewhere: 'The projection of accounts notes when they left; the referrer keeps the reward.' },
  }),
];

/** Deleted by the projection of the engagement streams. */
export const OF_ENGAGEMENT = [
  personal(tables.engagementProfiles, 'userId', {
    exported: { as: 'profile', fields: ['isVisible'], one: true },
    erasure: 'delete',
  }),
  personal(tables.countedFacts, 'userId', {
    exported: {
      as: 'counted',
      fields: ['kind', 'subjectId', 'eventId', 'day', 'points', 'place', 'countedAt as at'],
      newest: 'countedAt',
    },
    erasure: 'delete',
  }),
  personal(tables.takenBackFacts, 'userId', {
    exported: {
      as: 'takenBack',
      fields: ['kind', 'subjectId', 'eventId', 'day', 'points', 'countedAt as at', 'takenBackAt'],
      newest: 'countedAt',
    },
    erasure: 'delete',
  }),
  personal(tables.userBadges, 'userId', {
    exported: { as: 'badges', fields: ['badgeId as id', 'unlockedAt as at'], newest: 'unlockedAt' },
    erasure: 'delete',
  }),
  personal(tables.leaderboardScores, 'userId', { erasure: 'delete' }),
  personal(tables.connectionWishes, 'userId', {
    exported: { as: 'connections', fields: ['otherId as userId', 'wants', 'saidAt as at'], newest: 'saidAt' },
    erasure: 'delete',
  }),
  personal(tables.connectionWishes, 'otherId', { erasure: { elsewhere: 'Looks at the connections of each side.' } }),
  personal(tables.challengeStandings, 'userId', { erasure: { elsewhere: 'Looks at the challenges: places go on.' } }),
];

/** Copies of facts that other services publish. */
export const OF_COPIES = [
  personal(tables.engagementOrders, 'buyerId', { erasure: { set: { buyerId: null } } }),
  personal(tables.engagementPhotos, 'uploaderId', { erasure: { set: { uploaderId: null } } }),
];

/** Every column that identifies an account. */
export const PERSONAL = [
  ...[...OF_ACCOUNT, ...OF_REFERRALS, ...OF_ENGAGEMENT, ...OF_COPIES],
  personal(tables.erasedUsers, 'userId', { erasure: { kept: 'Which accounts are no more, by number alone.' } }),
  personal(tables.revokedSessions, 'userId', { erasure: { kept: 'Tokens of an ended session are refused.' } }),
  personal(tables.auditEntries, 'accountId', { erasure: { kept: 'What admins did stays, by number alone.' } }),
  personal(tables.moderationCases, 'authorId', { erasure: { kept: 'Decisions stay, by number alone.' } }),
  personal(tables.moderationDecisions, 'adminId', { erasure: { kept: 'Decisions stay, by number alone.' } }),
  personal(tables.contactMessages, 'answeredBy', { erasure: { kept: 'Which admin answered, by number alone.' } }),
  personal(tables.engagementEvents, 'organizerId', { erasure: { kept: 'The catalog keeps its events.' } }),
];
