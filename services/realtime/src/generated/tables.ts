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
  eventStartTime: 'text',
  eventEndTime: 'text?',
  status: 'text',
  version: 'int4',
  isAnnounced: 'bool=',
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
  id: 'int8',
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
  isOrganiser: 'bool',
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

export const chatReports = table('chat_reports', {
  room: 'text',
  seq: 'int4',
  reporterId: 'int4',
  reason: 'text',
  note: 'text?',
  message: 'text',
  reportedAt: 'timestamptz=',
  settledAt: 'timestamptz?',
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
  id: 'int8',
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
  id: 'int4',
  userId: 'int4',
  blockedId: 'int4',
  createdAt: 'timestamptz',
});

export const communityRequests = table('community_requests', {
  userId: 'int4',
  key: 'text',
  fingerprint: 'text',
  kind: 'text',
  subjectId: 'int4',
  createdAt: 'timestamptz',
});

export const socialPosts = table('social_posts', {
  id: 'int4',
  userId: 'int4',
  eventId: 'int4?',
  content: 'text',
  imageUrl: 'text?',
  type: 'text',
  placeId: 'text?',
  townId: 'text?',
  likes: 'int4=',
  comments: 'int4=',
  shares: 'int4=',
  createdAt: 'timestamptz',
  editedAt: 'timestamptz?',
  hiddenAt: 'timestamptz?',
});

export const socialPostLikes = table('social_post_likes', {
  postId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const socialPostShares = table('social_post_shares', {
  postId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const socialPostComments = table('social_post_comments', {
  id: 'int4',
  postId: 'int4',
  userId: 'int4',
  text: 'text',
  createdAt: 'timestamptz',
  hiddenAt: 'timestamptz?',
});

export const contentDecisions = table('content_decisions', {
  kind: 'text',
  contentId: 'text',
  decision: 'int4',
});

export const messageBoard = table('message_board', {
  id: 'int4',
  userId: 'int4',
  question: 'text',
  category: 'text=',
  placeId: 'text?',
  townId: 'text?',
  eventId: 'int4?',
  acceptedAnswerId: 'int4?',
  isAnswered: 'bool=',
  isPinned: 'bool=',
  isTop: 'bool=',
  likes: 'int4=',
  answers: 'int4=',
  createdAt: 'timestamptz',
  editedAt: 'timestamptz?',
  hiddenAt: 'timestamptz?',
  document: 'other=',
});

export const messageBoardAnswers = table('message_board_answers', {
  id: 'int4',
  questionId: 'int4',
  userId: 'int4',
  answer: 'text',
  isVerified: 'bool',
  likes: 'int4=',
  createdAt: 'timestamptz',
  hiddenAt: 'timestamptz?',
});

export const messageBoardLikes = table('message_board_likes', {
  questionId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const messageBoardAnswerLikes = table('message_board_answer_likes', {
  answerId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const messageBoardFollows = table('message_board_follows', {
  questionId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
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
  chatReports: typeof chatReports;
  chatGuests: typeof chatGuests;
  chatKeys: typeof chatKeys;
  notificationPreferences: typeof notificationPreferences;
  pushSubscriptions: typeof pushSubscriptions;
  endedSessions: typeof endedSessions;
  communityPeople: typeof communityPeople;
  communityBlocks: typeof communityBlocks;
  communityRequests: typeof communityRequests;
  socialPosts: typeof socialPosts;
  socialPostLikes: typeof socialPostLikes;
  socialPostShares: typeof socialPostShares;
  socialPostComments: typeof socialPostComments;
  contentDecisions: typeof contentDecisions;
  messageBoard: typeof messageBoard;
  messageBoardAnswers: typeof messageBoardAnswers;
  messageBoardLikes: typeof messageBoardLikes;
  messageBoardAnswerLikes: typeof messageBoardAnswerLikes;
  messageBoardFollows: typeof messageBoardFollows;
}>;

// Made from 0a58f3ce65a984246448092eea0944bcbba344b31c68eb604bc9a8e1c7ec4c33
