// Made from prisma/schema.prisma by scripts/setup.mjs: change that.
import { table, type TablesOf } from '@beltway/kit/columns';

export const listings = table('listings', {
  eventId: 'int4',
  organizerId: 'int4',
  status: 'text',
  title: 'text',
  description: 'text',
  location: 'text',
  pictureUrl: 'text?',
  videoUrl: 'text?',
  tags: 'text[]',
  eventDate: 'timestamptz',
  eventLastDate: 'timestamptz?',
  eventStartTime: 'text',
  eventEndTime: 'text?',
  contactEmail: 'text',
  address: 'text?',
  hasTickets: 'bool',
  ticketSalesEnabled: 'bool',
  freeEntry: 'bool?',
  priceCents: 'int4?',
  capacity: 'int4?',
  salesStart: 'timestamptz?',
  salesEnd: 'timestamptz?',
  refundDeadlineHours: 'int4?',
  seriesId: 'int4?',
  isSponsored: 'bool=',
  promotionLevel: 'text=',
  promotionPaid: 'bool=',
  promotionAmount: 'int4=',
  promotionEndsAt: 'timestamptz?',
  isLivestream: 'bool=',
  livestreamUrl: 'text?',
  livestreamStatus: 'text=',
  livestreamStartTime: 'timestamptz?',
  livestreamEndTime: 'timestamptz?',
  livestreamMaxViewers: 'int4?',
  livestreamChatEnabled: 'bool?',
  livestreamRecordingEnabled: 'bool?',
  createdAt: 'timestamptz',
  changedAt: 'timestamptz=',
  version: 'int4',
  placeId: 'text?',
  placeName: 'text?',
  placeState: 'text?',
  lat: 'float8?',
  lon: 'float8?',
  placeIsApproximate: 'bool=',
  suspendedWithoutDate: 'bool=',
});

export const eventSearch = table('event_search', {
  eventId: 'int4',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  createdAt: 'timestamptz',
  priceCents: 'int4?',
  capacity: 'int4?',
  salesStart: 'timestamptz?',
  salesEnd: 'timestamptz?',
  popularity: 'int4',
  position: 'other?',
  document: 'other',
  severalDays: 'bool=',
  eventVersion: 'int4',
  indexVersion: 'int4',
});

export const canceledSearch = table('canceled_search', {
  eventId: 'int4',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  createdAt: 'timestamptz',
  priceCents: 'int4?',
  capacity: 'int4?',
  salesStart: 'timestamptz?',
  salesEnd: 'timestamptz?',
  popularity: 'int4',
  position: 'other?',
  document: 'other',
  severalDays: 'bool=',
  eventVersion: 'int4',
  indexVersion: 'int4',
});

export const searchWords = table('search_words', {
  word: 'text',
  lexeme: 'text',
  deletes: 'text[]=',
});

export const located = table('located', {
  location: 'text',
  lat: 'float8',
  lon: 'float8',
  state: 'text',
});

export const promotions = table('promotions', {
  eventId: 'int4',
  level: 'text',
  endsAt: 'timestamptz',
});

export const stock = table('stock', {
  eventId: 'int4',
  sold: 'int4',
  held: 'int4',
  version: 'int8',
});

export const accounts = table('accounts', {
  userId: 'int4',
  name: 'text',
});

export const organizerSuspensions = table('organizer_suspensions', {
  userId: 'int4',
  isSuspended: 'bool',
  version: 'int4',
});

export const organizerProfiles = table('organizer_profiles', {
  userId: 'int4',
  about: 'text',
  links: 'text[]',
  pictureUrl: 'text?',
  coverUrl: 'text?',
  updatedAt: 'timestamptz=',
});

export const follows = table('follows', {
  followerId: 'int4',
  organizerId: 'int4',
  createdAt: 'timestamptz=',
});

export const savedSearches = table('saved_searches', {
  id: 'int4=',
  userId: 'int4',
  name: 'text',
  search: 'jsonb',
  digest: 'text',
  savedAt: 'timestamptz=',
});

export const eventReactions = table('event_reactions', {
  userId: 'int4',
  kind: 'text',
  eventId: 'int4',
  value: 'text',
  createdAt: 'timestamptz',
});

export const eventShares = table('event_shares', {
  eventId: 'int4',
  sharer: 'text',
  createdAt: 'timestamptz',
});

export const eventCounts = table('event_counts', {
  eventId: 'int4',
  likes: 'int4=',
  comments: 'int4=',
  commentsVersion: 'int4=',
  interested: 'int4=',
  going: 'int4=',
  shares: 'int4=',
  views: 'int4=',
});

export const viewKeys = table('view_keys', {
  day: 'date',
  key: 'bytea',
});

export const viewVisitors = table('view_visitors', {
  day: 'date',
  visitor: 'bytea',
  eventId: 'int4',
});

export const eventSeries = table('event_series', {
  seriesId: 'int4',
  organizerId: 'int4',
  details: 'jsonb?',
  askedAt: 'timestamptz',
  createdAt: 'timestamptz=',
  publishedAt: 'timestamptz?',
});

export const seriesDates = table('series_dates', {
  seriesId: 'int4',
  day: 'date',
  eventId: 'int4',
});

export const ads = table('ads', {
  adId: 'uuid',
  paymentId: 'text',
  packageId: 'text',
  slot: 'text',
  days: 'int4',
  maxImpressions: 'int4?',
  guaranteedImpressions: 'int4?',
  businessName: 'text',
  eventTitle: 'text',
  keyHash: 'text',
  submission: 'int4',
  submittedAt: 'timestamptz?',
  sentImageUrl: 'text?',
  sentLinkUrl: 'text?',
  sentTitle: 'text?',
  sentAlt: 'text?',
  isWaiting: 'bool',
  rejection: 'text?',
  shownSubmission: 'int4?',
  shownImageUrl: 'text?',
  shownLinkUrl: 'text?',
  shownTitle: 'text?',
  shownAlt: 'text?',
  boughtAt: 'timestamptz',
  startsAt: 'timestamptz?',
  endsAt: 'timestamptz?',
  isExtended: 'bool',
  endedAt: 'timestamptz?',
  endReason: 'text?',
});

export const adCounts = table('ad_counts', {
  adId: 'uuid',
  impressions: 'int4=',
  clicks: 'int4=',
});

export const adDays = table('ad_days', {
  adId: 'uuid',
  day: 'date',
  impressions: 'int4=',
  clicks: 'int4=',
});

export const promotionCounts = table('promotion_counts', {
  eventId: 'int4',
  place: 'text',
  impressions: 'int4=',
  ofPlace: 'int8=',
});

export const adVisitors = table('ad_visitors', {
  day: 'date',
  visitor: 'bytea',
  views: 'bytea',
  clicked: 'bool',
});

export const broadcasts = table('broadcasts', {
  eventId: 'int4',
  isLive: 'bool',
  isClip: 'bool=',
  version: 'int4',
});

/** What the service's query builder knows. */
export type Tables = TablesOf<{
  listings: typeof listings;
  eventSearch: typeof eventSearch;
  canceledSearch: typeof canceledSearch;
  searchWords: typeof searchWords;
  located: typeof located;
  promotions: typeof promotions;
  stock: typeof stock;
  accounts: typeof accounts;
  organizerSuspensions: typeof organizerSuspensions;
  organizerProfiles: typeof organizerProfiles;
  follows: typeof follows;
  savedSearches: typeof savedSearches;
  eventReactions: typeof eventReactions;
  eventShares: typeof eventShares;
  eventCounts: typeof eventCounts;
  viewKeys: typeof viewKeys;
  viewVisitors: typeof viewVisitors;
  eventSeries: typeof eventSeries;
  seriesDates: typeof seriesDates;
  ads: typeof ads;
  adCounts: typeof adCounts;
  adDays: typeof adDays;
  promotionCounts: typeof promotionCounts;
  adVisitors: typeof adVisitors;
  broadcasts: typeof broadcasts;
}>;

// Made from a1d3c6b2574143e606e6ef13fa7a15b15e90f3b6edd8b92a4a518c73654ce90f
