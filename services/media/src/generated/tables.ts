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
  eventStartTime: 'text',
  tags: 'text[]',
  version: 'text',
  catalogVersion: 'int4=',
});

export const photos = table('photos', {
  photoId: 'int4',
  eventId: 'int4',
  userId: 'int4',
  picture: 'text',
  width: 'int4',
  height: 'int4',
  status: 'text',
  openReports: 'int4',
  uploadedAt: 'timestamptz',
});

export const uploaders = table('uploaders', {
  userId: 'int4',
  state: 'text',
  askedAt: 'timestamptz',
  decidedAt: 'timestamptz?',
});

export const photoTexts = table('photo_texts', {
  photoId: 'int4',
  title: 'text',
  description: 'text?',
  reason: 'text?',
  writtenAt: 'timestamptz',
});

export const photoUploads = table('photo_uploads', {
  userId: 'int4',
  key: 'text',
  photoId: 'int4',
  fingerprint: 'text',
  createdAt: 'timestamptz',
});

export const photoLikes = table('photo_likes', {
  photoId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const photoLikeCounts = table('photo_like_counts', {
  photoId: 'int4',
  likes: 'int4',
});

export const photoReports = table('photo_reports', {
  photoId: 'int4',
  userId: 'int4',
  reason: 'text',
  note: 'text?',
  createdAt: 'timestamptz',
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

export const videos = table('videos', {
  videoId: 'int4',
  userId: 'int4',
  category: 'text',
  file: 'text',
  thumbnail: 'text',
  promotionId: 'uuid?',
  isApproved: 'bool',
  isFeatured: 'bool',
  openReports: 'int4',
  uploadedAt: 'timestamptz',
});

export const videoTexts = table('video_texts', {
  videoId: 'int4',
  title: 'text',
  description: 'text?',
  uploadedBy: 'text',
  reason: 'text?',
  writtenAt: 'timestamptz',
});

export const videoUploads = table('video_uploads', {
  userId: 'int4',
  key: 'text',
  videoId: 'int4',
  fingerprint: 'text',
  createdAt: 'timestamptz',
});

export const videoLikes = table('video_likes', {
  videoId: 'int4',
  userId: 'int4',
  createdAt: 'timestamptz',
});

export const videoLikeCounts = table('video_like_counts', {
  videoId: 'int4',
  likes: 'int4',
});

export const videoReports = table('video_reports', {
  videoId: 'int4',
  userId: 'int4',
  reason: 'text',
  note: 'text?',
  createdAt: 'timestamptz',
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
  isCancelled: 'bool',
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

export const contentDecisions = table('content_decisions', {
  kind: 'text',
  contentId: 'text',
  decision: 'int4',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  images: typeof images;
  furtherUploads: typeof furtherUploads;
  posters: typeof posters;
  photos: typeof photos;
  uploaders: typeof uploaders;
  photoTexts: typeof photoTexts;
  photoUploads: typeof photoUploads;
  photoLikes: typeof photoLikes;
  photoLikeCounts: typeof photoLikeCounts;
  photoReports: typeof photoReports;
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
  videos: typeof videos;
  videoTexts: typeof videoTexts;
  videoUploads: typeof videoUploads;
  videoLikes: typeof videoLikes;
  videoLikeCounts: typeof videoLikeCounts;
  videoReports: typeof videoReports;
  videoViewCounts: typeof videoViewCounts;
  viewKeys: typeof viewKeys;
  videoVisitors: typeof videoVisitors;
  videoFiles: typeof videoFiles;
  clipEvents: typeof clipEvents;
  clipRights: typeof clipRights;
  clipUses: typeof clipUses;
  contentDecisions: typeof contentDecisions;
}>;

// Made from 2745bb7dc15814f4f63a7cfbf77dd5c212c88ef25caac87177acdf45c47ca5f8
