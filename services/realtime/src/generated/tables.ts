// Made from prisma/schema.prisma by scripts/setup.mjs: change that.
import { table, type TablesOf } from '@beltway/kit/columns';

export const stock = table('stock', {
  eventId: 'int4',
  capacity: 'int4',
  sold: 'int4',
  held: 'int4',
  version: 'int8',
  changedAt: 'timestamptz=',
});

export const notedEvents = table('noted_events', {
  eventId: 'int4',
  ownerId: 'int4',
  title: 'text',
  location: 'text',
  eventDate: 'timestamptz',
  eventLastDate: 'timestamptz?',
  eventStartTime: 'text',
  eventEndTime: 'text?',
  status: 'text',
  version: 'int4',
  isAnnounced: 'bool=',
  isSuspended: 'bool=',
});

export const notedOrders = table('noted_orders', {
  orderId: 'uuid',
  eventId: 'int4',
  buyerId: 'int4?',
  quantity: 'int4',
  endedBy: 'text?',
  returned: 'int4=',
  isBought: 'bool=',
  isVoid: 'bool=',
  validityVersion: 'int4=',
});

export const notifications = table('notifications', {
  id: 'int8=',
  userId: 'int4',
  kind: 'text',
  key: 'text',
  eventId: 'int4?',
  subjectId: 'int4?',
  count: 'int4=',
  amountCents: 'int8?',
  version: 'int4=',
  detail: 'text?',
  at: 'timestamptz=',
  readAt: 'timestamptz?',
  onPage: 'bool=',
});

export const chatEvents = table('chat_events', {
  eventId: 'int4',
  ownerId: 'int4',
  title: 'text',
  status: 'text',
  version: 'int8',
});

export const chatRooms = table('chat_rooms', {
  room: 'text',
  seq: 'int4',
  name: 'text?',
  description: 'text?',
  isActive: 'bool',
  slowModeSeconds: 'int4',
});

export const chatMessages = table('chat_messages', {
  room: 'text',
  seq: 'int4',
  version: 'int8',
  id: 'uuid',
  userId: 'int4?',
  guestId: 'uuid?',
  userName: 'text',
  message: 'text',
  isSystem: 'bool',
  isOrganizer: 'bool',
  createdAt: 'timestamptz',
  removedAt: 'timestamptz?',
});

export const chatMutes = table('chat_mutes', {
  room: 'text',
  person: 'text',
  seq: 'int4',
  until: 'timestamptz?',
  mutedAt: 'timestamptz',
});

export const chatReactions = table('chat_reactions', {
  room: 'text',
  seq: 'int4',
  reaction: 'text',
  person: 'text',
  givenAt: 'timestamptz=',
});

export const chatReactionCounts = table('chat_reaction_counts', {
  room: 'text',
  seq: 'int4',
  counts: 'jsonb',
  changedAt: 'timestamptz=',
});

export const chatGuests = table('chat_guests', {
  guestId: 'uuid',
  network: 'bytea',
  seenAt: 'timestamptz=',
});

export const chatKeys = table('chat_keys', {
  id: 'int2',
  key: 'bytea',
});

export const notificationPreferences = table('notification_preferences', {
  userId: 'int4',
  pageOff: 'text[]',
  mailOn: 'text[]',
  isDaily: 'bool',
  pushOff: 'text[]=',
});

export const pushSubscriptions = table('push_subscriptions', {
  id: 'int8=',
  userId: 'int4',
  sessionId: 'uuid',
  endpoint: 'text',
  p256dh: 'text',
  auth: 'text',
  addedAt: 'timestamptz=',
});

export const endedSessions = table('ended_sessions', {
  id: 'uuid',
  endedAt: 'timestamptz=',
});

export const communityPeople = table('community_people', {
  userId: 'int4',
  name: 'text?',
  registeredAt: 'timestamptz?',
  isVisible: 'bool=',
});

export const communityBlocks = table('community_blocks', {
  id: 'int4=',
  userId: 'int4',
  blockedId: 'int4',
  createdAt: 'timestamptz',
});

export const contributions = table('contributions', {
  id: 'int4=',
  kind: 'text',
  authorId: 'int4',
  eventId: 'int4?',
  placeId: 'text?',
  townId: 'text?',
  parentId: 'int4?',
  text: 'text?',
  version: 'int4=',
  textKey: 'text?',
  imageUrl: 'text?',
  category: 'text?',
  isVerified: 'bool=',
  isPinned: 'bool=',
  isTop: 'bool=',
  acceptedId: 'int4?',
  isAnswered: 'bool=',
  likes: 'int4=',
  shares: 'int4=',
  below: 'int4=',
  createdAt: 'timestamptz',
  editedAt: 'timestamptz?',
  deletedAt: 'timestamptz?',
  hiddenAt: 'timestamptz?',
  hiddenByAdmin: 'bool=',
  document: 'other?',
});

export const contributionMarks = table('contribution_marks', {
  contributionId: 'int4',
  mark: 'text',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const contributionModerations = table('contribution_moderations', {
  id: 'int4=',
  contributionId: 'int4',
  action: 'text',
  moderatorId: 'int4',
  isAdmin: 'bool',
  createdAt: 'timestamptz',
});

export const reportedTexts = table('reported_texts', {
  contributionId: 'int4',
  version: 'int4',
  text: 'text',
});

export const eventComments = table('event_comments', {
  eventId: 'int4',
  comments: 'int4',
  version: 'int4',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  stock: typeof stock;
  notedEvents: typeof notedEvents;
  notedOrders: typeof notedOrders;
  notifications: typeof notifications;
  chatEvents: typeof chatEvents;
  chatRooms: typeof chatRooms;
  chatMessages: typeof chatMessages;
  chatMutes: typeof chatMutes;
  chatReactions: typeof chatReactions;
  chatReactionCounts: typeof chatReactionCounts;
  chatGuests: typeof chatGuests;
  chatKeys: typeof chatKeys;
  notificationPreferences: typeof notificationPreferences;
  pushSubscriptions: typeof pushSubscriptions;
  endedSessions: typeof endedSessions;
  communityPeople: typeof communityPeople;
  communityBlocks: typeof communityBlocks;
  contributions: typeof contributions;
  contributionMarks: typeof contributionMarks;
  contributionModerations: typeof contributionModerations;
  reportedTexts: typeof reportedTexts;
  eventComments: typeof eventComments;
}>;

// Made from 4e97b039839f6042d5ceff3ce75eb953c49119e6defca384d5dd4e7bd25340a9
