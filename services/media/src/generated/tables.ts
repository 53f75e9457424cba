// Made from prisma/schema.prisma by scripts/setup.mjs: change that.
import { table, type TablesOf } from '@beltway/kit/columns';

export const images = table('images', {
  sourceHash: 'text',
  hash: 'text',
  width: 'int4',
  height: 'int4',
  tint: 'text',
  uploadedBy: 'int4?',
  createdAt: 'timestamptz=',
});

export const furtherUploads = table('further_uploads', {
  sourceHash: 'text',
  uploadedBy: 'int4',
  createdAt: 'timestamptz=',
});

export const posters = table('posters', {
  eventId: 'int4',
  title: 'text',
  location: 'text',
  eventDate: 'text',
  eventLastDate: 'text?',
  eventStartTime: 'text',
  tags: 'text[]',
  version: 'text',
  catalogVersion: 'int4=',
});

export const uploaders = table('uploaders', {
  userId: 'int4',
  state: 'text',
  askedAt: 'timestamptz',
  decidedAt: 'timestamptz?',
});

export const uploaderRequests = table('uploader_requests', {
  userId: 'int4',
  businessName: 'text',
  about: 'text',
});

export const galleryEvents = table('gallery_events', {
  eventId: 'int4',
  title: 'text',
  startsAt: 'timestamptz',
  status: 'text',
  catalogVersion: 'int4',
  isSuspended: 'bool=',
});

export const ticketOrders = table('ticket_orders', {
  orderId: 'uuid',
  eventId: 'int4',
  buyerId: 'int4?',
  bought: 'int4',
  returned: 'int4',
  isReturned: 'bool',
  isVoid: 'bool=',
  validityVersion: 'int4=',
});

export const broadcasts = table('broadcasts', {
  eventId: 'int4',
  status: 'text',
  source: 'text?',
  session: 'text?',
  clip: 'text?',
  isReceiving: 'bool',
  signalSince: 'timestamptz?',
  lostAt: 'timestamptz?',
  liveSince: 'timestamptz?',
  endedAt: 'timestamptz?',
  endReason: 'text?',
  keyDigest: 'text?',
  keyEnding: 'text?',
  keyMadeAt: 'timestamptz?',
  livestreamUrl: 'text?',
});

export const broadcastRecordings = table('broadcast_recordings', {
  session: 'text',
  eventId: 'int4',
  startedAt: 'timestamptz',
  durationMs: 'int8',
  bytes: 'int8',
});

export const broadcastTerms = table('broadcast_terms', {
  eventId: 'int4',
  title: 'text',
  ownerId: 'int4?',
  isTicketed: 'bool',
  eventStatus: 'text',
  eventVersion: 'int4',
  streamStatus: 'text?',
  startTime: 'timestamptz?',
  endTime: 'timestamptz?',
  maxViewers: 'int4?',
  chatEnabled: 'bool?',
  recordingEnabled: 'bool?',
  streamVersion: 'int4',
});

export const broadcastSeats = table('broadcast_seats', {
  eventId: 'int4',
  viewerId: 'uuid',
  holder: 'text',
  expiresAt: 'timestamptz',
});

export const broadcastAudiences = table('broadcast_audiences', {
  eventId: 'int4',
  total: 'int4',
  peak: 'int4',
});

export const broadcastMinutes = table('broadcast_minutes', {
  eventId: 'int4',
  at: 'timestamptz',
  viewers: 'int4',
});

export const broadcastKeys = table('broadcast_keys', {
  id: 'int4',
  key: 'bytea',
});

export const broadcastSignals = table('broadcast_signals', {
  session: 'text',
  eventId: 'int4',
  seenAt: 'timestamptz',
});

export const broadcastIngests = table('broadcast_ingests', {
  id: 'text',
  rtmpUrl: 'text?',
  hasWhip: 'bool',
  reason: 'text?',
  seenAt: 'timestamptz',
});

export const broadcastPending = table('broadcast_pending', {
  session: 'text',
  eventId: 'int4',
  since: 'timestamptz',
});

export const videoViewCounts = table('video_view_counts', {
  videoId: 'int4',
  views: 'int4',
});

export const viewKeys = table('view_keys', {
  day: 'date',
  key: 'bytea',
});

export const videoVisitors = table('video_visitors', {
  day: 'date',
  visitor: 'bytea',
  videoId: 'int4',
});

export const videoFiles = table('video_files', {
  name: 'text',
  bytes: 'int4',
});

export const clipEvents = table('clip_events', {
  eventId: 'int4',
  ownerId: 'int4?',
  isCanceled: 'bool',
});

export const clipRights = table('clip_rights', {
  promotionId: 'uuid',
  eventId: 'int4',
  until: 'timestamptz',
});

export const clipUses = table('clip_uses', {
  promotionId: 'uuid',
  videoId: 'int4',
  usedAt: 'timestamptz',
});

export const items = table('items', {
  kind: 'text',
  id: 'int4',
  userId: 'int4',
  status: 'text',
  picture: 'text',
  eventId: 'int4?',
  width: 'int4?',
  height: 'int4?',
  category: 'text?',
  file: 'text?',
  promotionId: 'uuid?',
  isFeatured: 'bool',
  uploadedAt: 'timestamptz',
});

export const itemTexts = table('item_texts', {
  kind: 'text',
  id: 'int4',
  title: 'text',
  description: 'text?',
  uploadedBy: 'text?',
  reason: 'text?',
  writtenAt: 'timestamptz',
});

export const itemLikes = table('item_likes', {
  kind: 'text',
  id: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const itemLikeCounts = table('item_like_counts', {
  kind: 'text',
  id: 'int4',
  likes: 'int4',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  images: typeof images;
  furtherUploads: typeof furtherUploads;
  posters: typeof posters;
  uploaders: typeof uploaders;
  uploaderRequests: typeof uploaderRequests;
  galleryEvents: typeof galleryEvents;
  ticketOrders: typeof ticketOrders;
  broadcasts: typeof broadcasts;
  broadcastRecordings: typeof broadcastRecordings;
  broadcastTerms: typeof broadcastTerms;
  broadcastSeats: typeof broadcastSeats;
  broadcastAudiences: typeof broadcastAudiences;
  broadcastMinutes: typeof broadcastMinutes;
  broadcastKeys: typeof broadcastKeys;
  broadcastSignals: typeof broadcastSignals;
  broadcastIngests: typeof broadcastIngests;
  broadcastPending: typeof broadcastPending;
  videoViewCounts: typeof videoViewCounts;
  viewKeys: typeof viewKeys;
  videoVisitors: typeof videoVisitors;
  videoFiles: typeof videoFiles;
  clipEvents: typeof clipEvents;
  clipRights: typeof clipRights;
  clipUses: typeof clipUses;
  items: typeof items;
  itemTexts: typeof itemTexts;
  itemLikes: typeof itemLikes;
  itemLikeCounts: typeof itemLikeCounts;
}>;

// Made from e0f30d1b2e1f3dd74c93b3f35c988d445e4d7811901abc7f8a84502c3c46a69c
