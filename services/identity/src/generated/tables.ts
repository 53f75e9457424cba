// Made from prisma/schema.prisma by scripts/setup.mjs: change that.
import { table, type TablesOf } from '@beltway/kit/columns';

export const users = table('users', {
  id: 'int4',
  email: 'text',
  credentialId: 'uuid',
  name: 'text',
  role: 'text',
  stripeCustomerId: 'text?',
  stripeSubscriptionId: 'text?',
  subscriptionStatus: 'text=',
  subscriptionPlan: 'text=',
  generation: 'int4=',
  generationRaisedAt: 'timestamptz?',
  emailVerifiedAt: 'timestamptz?',
  createdAt: 'timestamptz',
  suspendedAt: 'timestamptz?',
  suspendedUntil: 'timestamptz?',
});

export const erasedUsers = table('erased_users', {
  userId: 'int4',
  generation: 'int4',
  erasedAt: 'timestamptz',
});

export const revokedSessions = table('revoked_sessions', {
  sessionId: 'uuid',
  userId: 'int4',
  reason: 'text',
  revokedAt: 'timestamptz',
});

export const auditEntries = table('audit_entries', {
  stream: 'text',
  version: 'int4',
  accountId: 'int4',
  kind: 'text',
  subject: 'text',
  note: 'text',
  at: 'timestamptz',
});

export const credentials = table('credentials', {
  id: 'uuid',
  passwordHash: 'text',
  createdAt: 'timestamptz=',
});

export const sessions = table('sessions', {
  id: 'uuid',
  userId: 'int4',
  createdAt: 'timestamptz',
  endsAt: 'timestamptz',
  credentialId: 'uuid',
  device: 'text=',
  totpSecretId: 'uuid?',
});

export const refreshTokens = table('refresh_tokens', {
  hash: 'bytea',
  sessionId: 'uuid',
  issuedAt: 'timestamptz',
  replacedAt: 'timestamptz?',
  successor: 'text?',
});

export const signingKeys = table('signing_keys', {
  kid: 'text',
  publicJwk: 'jsonb',
  private: 'text',
  signsFrom: 'timestamptz',
});

export const loginAttempts = table('login_attempts', {
  key: 'bytea',
  failures: 'int4',
  blockedUntil: 'timestamptz',
  triedAt: 'timestamptz',
});

export const loginBudgets = table('login_budgets', {
  key: 'bytea',
  spentUntil: 'timestamptz',
});

export const loginPlaces = table('login_places', {
  key: 'bytea',
  due: 'timestamptz',
});

export const contactMessages = table('contact_messages', {
  id: 'uuid',
  email: 'text',
  phone: 'text?',
  comments: 'text',
  createdAt: 'timestamptz=',
  answeredAt: 'timestamptz?',
  answeredBy: 'int4?',
});

export const accountLanguages = table('account_languages', {
  userId: 'int4',
  language: 'text',
});

export const emailChanges = table('email_changes', {
  userId: 'int4',
  id: 'uuid',
  email: 'text',
  before: 'text',
  credentialId: 'uuid',
  askedAt: 'timestamptz',
});

export const moderationCases = table('moderation_cases', {
  caseId: 'text',
  kind: 'text',
  contentId: 'text',
  authorId: 'int4?',
  state: 'text',
  standing: 'text',
  openReports: 'int4',
  decisions: 'int4',
  changedAt: 'timestamptz',
});

export const moderationDecisions = table('moderation_decisions', {
  caseId: 'text',
  number: 'int4',
  action: 'text',
  reason: 'text',
  adminId: 'int4',
  at: 'timestamptz',
  until: 'timestamptz?',
  appealedAt: 'timestamptz?',
  outcome: 'text?',
});

export const moderationReports = table('moderation_reports', {
  caseId: 'text',
  reporterId: 'int4',
  reason: 'text',
  note: 'text?',
  at: 'timestamptz',
  version: 'int4=',
  decisions: 'int4=',
});

export const moderationTexts = table('moderation_texts', {
  caseId: 'text',
  authorId: 'int4?',
  excerpt: 'text',
  path: 'text',
});

export const moderationWords = table('moderation_words', {
  caseId: 'text',
  number: 'int4',
  note: 'text?',
  appeal: 'text?',
});

export const passkeys = table('passkeys', {
  id: 'uuid',
  userId: 'int4',
  credentialId: 'text',
  publicKey: 'bytea',
  counter: 'int8',
  transports: 'text[]',
  userHandle: 'text',
  name: 'text',
  generation: 'int4',
  createdAt: 'timestamptz',
  usedAt: 'timestamptz?',
});

export const passkeyChallenges = table('passkey_challenges', {
  hash: 'bytea',
  userId: 'int4?',
  userHandle: 'text?',
  generation: 'int4?',
  madeAt: 'timestamptz',
});

export const totpFactors = table('totp_factors', {
  userId: 'int4',
  secretId: 'uuid',
  turnedOnAt: 'timestamptz',
  lastStep: 'int4',
  recoveryCodesLeft: 'int4',
});

export const totpSecrets = table('totp_secrets', {
  id: 'uuid',
  userId: 'int4',
  sealed: 'text',
  createdAt: 'timestamptz',
});

export const totpRecoveryCodes = table('totp_recovery_codes', {
  secretId: 'uuid',
  number: 'int4',
  hash: 'bytea',
});

export const totpChallenges = table('totp_challenges', {
  hash: 'bytea',
  userId: 'int4',
  credentialId: 'uuid',
  tries: 'int4',
  madeAt: 'timestamptz',
});

export const engagementProfiles = table('engagement_profiles', {
  userId: 'int4',
  isVisible: 'bool=',
  points: 'int4=',
  eventsAttended: 'int4=',
  photosShared: 'int4=',
  connections: 'int4=',
});

export const countedFacts = table('counted_facts', {
  userId: 'int4',
  kind: 'text',
  subjectId: 'int4',
  eventId: 'int4?',
  day: 'date',
  week: 'date',
  points: 'int4',
  category: 'text?',
  place: 'text?',
  basis: 'text?',
  countedAt: 'timestamptz',
});

export const takenBackFacts = table('taken_back_facts', {
  userId: 'int4',
  kind: 'text',
  subjectId: 'int4',
  eventId: 'int4?',
  day: 'date',
  points: 'int4',
  basis: 'text?',
  countedAt: 'timestamptz',
  takenBackAt: 'timestamptz',
});

export const userBadges = table('user_badges', {
  userId: 'int4',
  badgeId: 'text',
  unlockedAt: 'timestamptz',
});

export const leaderboardScores = table('leaderboard_scores', {
  userId: 'int4',
  week: 'date',
  place: 'text',
  points: 'int4',
  isVisible: 'bool',
});

export const connectionWishes = table('connection_wishes', {
  userId: 'int4',
  otherId: 'int4',
  wants: 'bool',
  saidAt: 'timestamptz',
});

export const engagementEvents = table('engagement_events', {
  eventId: 'int4',
  title: 'text',
  endsAt: 'timestamptz',
  day: 'date',
  category: 'text?',
  place: 'text?',
  status: 'text',
  version: 'int8',
  sellsUntil: 'timestamptz?',
  organizerId: 'int4?',
});

export const engagementOrders = table('engagement_orders', {
  orderId: 'uuid',
  eventId: 'int4',
  buyerId: 'int4?',
  bought: 'int4',
  returned: 'int4',
  isReturned: 'bool',
  isVoid: 'bool=',
  validityVersion: 'int4=',
});

export const engagementPhotos = table('engagement_photos', {
  photoId: 'int4',
  uploaderId: 'int4?',
  eventId: 'int4?',
  isShown: 'bool',
  saidAt: 'timestamptz',
  shownAt: 'timestamptz?',
});

export const referrals = table('referrals', {
  referredId: 'int4',
  referrerId: 'int4',
  joinedAt: 'timestamptz',
  leftAt: 'timestamptz?',
});

export const referralCodes = table('referral_codes', {
  userId: 'int4',
  code: 'text',
});

export const signupNetworks = table('signup_networks', {
  userId: 'int4',
  networkKey: 'text',
  notedAt: 'timestamptz',
});

export const referralHints = table('referral_hints', {
  referredId: 'int4',
  referrerId: 'int4',
  sameNetwork: 'bool',
  sameDevice: 'bool',
  notedAt: 'timestamptz',
});

export const challenges = table('challenges', {
  id: 'text',
  number: 'int4',
  week: 'date',
  type: 'text',
  place: 'text?',
  reward: 'int4',
  maxProgress: 'int4',
  places: 'int4?',
  expiresAt: 'timestamptz',
  createdAt: 'timestamptz',
});

export const challengeStandings = table('challenge_standings', {
  challengeId: 'text',
  userId: 'int4',
  metAt: 'timestamptz',
  hasPlace: 'bool',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  users: typeof users;
  erasedUsers: typeof erasedUsers;
  revokedSessions: typeof revokedSessions;
  auditEntries: typeof auditEntries;
  credentials: typeof credentials;
  sessions: typeof sessions;
  refreshTokens: typeof refreshTokens;
  signingKeys: typeof signingKeys;
  loginAttempts: typeof loginAttempts;
  loginBudgets: typeof loginBudgets;
  loginPlaces: typeof loginPlaces;
  contactMessages: typeof contactMessages;
  accountLanguages: typeof accountLanguages;
  emailChanges: typeof emailChanges;
  moderationCases: typeof moderationCases;
  moderationDecisions: typeof moderationDecisions;
  moderationReports: typeof moderationReports;
  moderationTexts: typeof moderationTexts;
  moderationWords: typeof moderationWords;
  passkeys: typeof passkeys;
  passkeyChallenges: typeof passkeyChallenges;
  totpFactors: typeof totpFactors;
  totpSecrets: typeof totpSecrets;
  totpRecoveryCodes: typeof totpRecoveryCodes;
  totpChallenges: typeof totpChallenges;
  engagementProfiles: typeof engagementProfiles;
  countedFacts: typeof countedFacts;
  takenBackFacts: typeof takenBackFacts;
  userBadges: typeof userBadges;
  leaderboardScores: typeof leaderboardScores;
  connectionWishes: typeof connectionWishes;
  engagementEvents: typeof engagementEvents;
  engagementOrders: typeof engagementOrders;
  engagementPhotos: typeof engagementPhotos;
  referrals: typeof referrals;
  referralCodes: typeof referralCodes;
  signupNetworks: typeof signupNetworks;
  referralHints: typeof referralHints;
  challenges: typeof challenges;
  challengeStandings: typeof challengeStandings;
}>;

// Made from 62fd23b7040ef3ac8b03b28156090eb2e7592022d4f4a45b3d784c9b0a9a7994
