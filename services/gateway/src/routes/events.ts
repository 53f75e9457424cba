import {
  EventCounts,
  InterestBody,
  MyEngagements,
  engagementParameters,
  savedParameters,
} from '@beltway/contracts/identity/engagement';
import { ViewAnalytics } from '@beltway/contracts/payments/platform';
import { HomeStats } from '@beltway/contracts/catalog/stats';
import { CreateEventBody, UpdateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { CancelEventBody, Event, EventCancellation, EventList, EventPage } from '@beltway/contracts/catalog/events';
import { LiveStreamList } from '@beltway/contracts/catalog/livestream';
import { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { StoredImage } from '@beltway/contracts/media/images';
import { OrganizerProfileBody } from '@beltway/contracts/catalog/organizer-profile';
import { Followed, Following, Organizer, OrganizerEvents, Organizing } from '@beltway/contracts/catalog/organizers';
import {
  MAX_SAVED_SEARCHES,
  RenameSearchBody,
  SavedSearch,
  SavedSearches,
  SaveSearchBody,
} from '@beltway/contracts/catalog/saved-searches';
import { embedParameters, feedParameters, searchParameters } from '@beltway/contracts/catalog/search';
import { Weather, weatherParameters } from '@beltway/contracts/media/weather';
import { z } from 'zod';
import { answeredBy, type Route } from './route.ts';

const MB = 1_048_576;
/** Maximum body: a picture of 5 MB, as base64 inside JSON, fits. */
const EVENT_BYTES = 8 * MB;

export const events: Route[] = answeredBy('catalog', [
  {
    method: 'get',
    path: '/api/events',
    cache: 'public',
    summary:
      'List up to 200 events: current ones soonest first, then postponed, then past. With any parameter: search, in pages',
    access: 'public',
    gate: 'search',
    query: searchParameters,
    answer: z.union([EventList, EventPage]),
  },
  {
    method: 'post',
    path: '/api/events',
    summary: 'Publish an event, or a series of events with `repeat`. `imageUrl` may be a data URL of up to 5 MB',
    access: 'signed in',
    gate: 'upload',
    headers: ['Idempotency-Key'],
    maxBytes: EVENT_BYTES,
    body: CreateEventBody,
    answer: Event,
    status: 201,
  },
  {
    method: 'get',
    path: '/api/events/featured',
    cache: 'public',
    summary:
      'List featured events, 20 at most. Their order rotates by one position every minute, so all get equal exposure',
    access: 'public',
    answer: EventList,
  },
  {
    method: 'get',
    path: '/api/events/premium',
    cache: 'public',
    summary:
      'List events promoted to the top of ‘Happening Now’, of any date, 20 at most. They rotate like featured events',
    access: 'public',
    answer: EventList,
  },
  {
    method: 'get',
    path: '/api/live-streams',
    cache: 'public',
    summary: 'List current and upcoming live streams, 100 at most: those with a signal first, then by start',
    access: 'public',
    answer: LiveStreamList,
  },
  {
    method: 'get',
    path: '/api/stats',
    cache: 'public',
    summary: 'Get the home page’s figures: active users, events today and within 30 days, new venues, engagement',
    access: 'public',
    answer: HomeStats,
  },
  {
    method: 'get',
    path: '/api/events/all',
    cache: 'public',
    summary: 'List published and postponed events for a picker, latest date first, 1,000 at most',
    access: 'public',
    answer: EventList,
  },
  {
    method: 'get',
    path: '/api/events.ics',
    summary: 'Get a search as a calendar to subscribe to; canceled events stay in it, marked as canceled',
    access: 'public',
    rate: 'feed',
    gate: 'feed',
    cache: 'public',
    query: feedParameters,
    file: 'text/calendar',
  },
  {
    method: 'get',
    path: '/api/events.rss',
    summary: 'Get a search as an RSS feed',
    access: 'public',
    rate: 'feed',
    gate: 'feed',
    cache: 'public',
    query: feedParameters,
    file: 'application/rss+xml',
  },
  {
    method: 'get',
    path: '/embed',
    summary: 'Get a search as a small HTML list for a frame on another site; `/embed.js` inserts the frame',
    access: 'public',
    gate: 'search',
    cache: 'public',
    isFramed: true,
    query: embedParameters,
    file: 'text/html',
  },
  {
    method: 'get',
    path: '/api/events/{id}.ics',
    summary: 'Get an event as a calendar file',
    access: 'public',
    cache: 'public',
    file: 'text/calendar',
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}',
    summary: 'Get the public view of an event',
    access: 'public',
    cache: 'public',
    answer: Event,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}/similar',
    summary: 'List up to three upcoming events that are similar in tags, category and place and are not sold out',
    access: 'public',
    cache: 'public',
    answer: EventList,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}/dates',
    summary: 'List the other upcoming and postponed dates of an event’s series; empty if the event is in no series',
    access: 'public',
    cache: 'public',
    answer: EventList,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}/managed',
    summary:
      'Get an event with its contact email address and, as `ETag`, its version for `If-Match`; organizer and admins only',
    access: 'signed in',
    answer: Event,
    problems: [403, 404],
  },
  {
    method: 'patch',
    path: '/api/events/{id}',
    summary: 'Change an event; organizer and admins only. With `If-Match`, only if the event still has this version',
    access: 'signed in',
    gate: 'upload',
    headers: ['If-Match', 'Idempotency-Key'],
    maxBytes: EVENT_BYTES,
    body: UpdateEventBody,
    answer: Event,
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/api/events/{id}/postpone',
    summary:
      'Postpone an event; organizer and admins only. It has no date, and sales stop, until a PATCH sets `eventDate`',
    access: 'signed in',
    headers: ['If-Match', 'Idempotency-Key'],
    answer: Event,
    problems: [403, 404, 409],
  },
  {
    method: 'put',
    path: '/api/events/{id}/livestream',
    summary: 'Configure an event’s live stream before it begins; organizer and admins only',
    access: 'signed in',
    headers: ['Idempotency-Key'],
    body: LivestreamConfig,
    answer: Event,
    problems: [403, 404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/events/{id}/cancellation',
    summary: 'Get the number of orders and the amount that canceling an event would refund',
    access: 'admin',
    answer: EventCancellation,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/events/{id}/cancel',
    summary:
      'Cancel an event and refund every buyer; organizer and admins only. Once it is over, admins only, who confirm the figures of `cancellation`',
    access: 'signed in',
    headers: ['If-Match', 'Idempotency-Key'],
    body: CancelEventBody,
    answer: Event,
    problems: [403, 404, 409],
  },
  {
    method: 'get',
    path: '/api/organizers/{id}',
    summary: 'Get an organizer’s name, number of followers and profile; 404 if the account has published no event',
    access: 'public',
    cache: 'public',
    answer: Organizer,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/organizers/{id}/events',
    summary: 'List an organizer’s events: the next 100, and the latest 24 past ones',
    access: 'public',
    cache: 'public',
    answer: OrganizerEvents,
    problems: [404],
  },
  {
    method: 'put',
    path: '/api/organizers/{id}/follow',
    summary: 'Follow an organizer; a repeat changes nothing. An account can follow 1,000 organizers',
    access: 'signed in',
    answer: Followed,
    problems: [404, 409],
  },
  {
    method: 'delete',
    path: '/api/organizers/{id}/follow',
    summary: 'Stop following an organizer; a repeat changes nothing',
    access: 'signed in',
    answer: Followed,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/me/organizer',
    summary: 'Count the events that the caller has published, in any state',
    access: 'signed in',
    answer: Organizing,
  },
  {
    method: 'put',
    path: '/api/me/organizer',
    summary:
      'Replace the caller’s organizer profile: text, links, picture and cover; 404 before the caller’s first event',
    access: 'signed in',
    body: OrganizerProfileBody,
    answer: Organizer,
    problems: [404, 503],
  },
  {
    method: 'get',
    path: '/api/me/following',
    summary: 'List the organizers that the caller follows, latest first, and the next 24 events of these organizers',
    access: 'signed in',
    answer: Following,
  },
  {
    method: 'get',
    path: '/api/me/saved-searches',
    summary: 'List the caller’s saved searches, latest first',
    access: 'signed in',
    answer: SavedSearches,
  },
  {
    method: 'post',
    path: '/api/me/saved-searches',
    summary: `Save a search (${MAX_SAVED_SEARCHES} at most), to be notified of new events that it finds; 200 with the existing one if already saved`,
    access: 'signed in',
    body: SaveSearchBody,
    answer: SavedSearch,
    status: 201,
    problems: [409],
  },
  {
    method: 'patch',
    path: '/api/me/saved-searches/{searchId}',
    summary: 'Rename a saved search',
    access: 'signed in',
    body: RenameSearchBody,
    answer: SavedSearch,
    problems: [404],
  },
  {
    method: 'delete',
    path: '/api/me/saved-searches/{searchId}',
    summary: 'Delete a saved search; a repeat changes nothing',
    access: 'signed in',
    status: 204,
  },
  {
    method: 'get',
    path: '/api/users/{id}/events',
    summary: 'List the caller’s events, or any account’s for an admin: newest first, with canceled ones, 1,000 at most',
    access: 'signed in',
    rate: 'report',
    gate: 'report',
    answer: EventList,
    problems: [403, 404],
  },
]);

/** A caller's reaction to an event. Repeating it changes nothing. */
const reaction = (method: 'put' | 'delete', name: string, summary: string): Omit<Route, 'service'> => ({
  method,
  path: `/api/events/{id}/${name}`,
  summary,
  access: 'signed in',
  answer: EventCounts,
  problems: [404, 409],
});

/** Likes, bookmarks, interests, shares and views. */
export const engagement: Route[] = answeredBy('catalog', [
  reaction('put', 'like', 'Like an event; the response has the event’s counts'),
  reaction('delete', 'like', 'Withdraw the caller’s like of an event'),
  reaction('put', 'bookmark', 'Save an event as a bookmark'),
  reaction('delete', 'bookmark', 'Remove an event from the caller’s bookmarks'),
  {
    ...reaction('put', 'interest', 'Mark the caller as either interested in an event or going to it'),
    body: InterestBody,
  },
  reaction('delete', 'interest', 'Withdraw the caller’s mark as interested or going'),
  {
    method: 'get',
    path: '/api/platform/analytics/views',
    summary:
      'Count page views of events that sell tickets: the caller’s, or all for an admin; business accounts and admins only',
    access: 'signed in',
    answer: ViewAnalytics,
    problems: [403],
  },
  {
    method: 'post',
    path: '/api/events/{id}/share',
    summary: 'Count a share of an event: once per account, or for visitors once per network in 30 days',
    access: 'optional',
    answer: EventCounts,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/events/{id}/view',
    summary:
      'Count a view of an event’s page: once per visitor and day. The response does not reveal whether it counted',
    access: 'public',
    // A high limit: the page sends this request with each view, and a whole office may share one IP address.
    rate: 'read',
    status: 204,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/me/engagement',
    summary: 'List the caller’s likes, bookmarks and interests among the given events; events without any are left out',
    access: 'signed in',
    query: engagementParameters,
    answer: MyEngagements,
  },
  {
    method: 'get',
    path: '/api/me/bookmarks',
    summary: 'List the caller’s saved events in pages: upcoming ones soonest first, or past ones latest first',
    access: 'signed in',
    query: savedParameters,
    answer: EventPage,
  },
]);

/**
 * Pictures, posters and the weather. Reading a picture is as cheap as reading a file of the frontend, so it is not rate
 * limited.
 */
export const media: Route[] = answeredBy('media', [
  {
    method: 'post',
    path: '/api/images',
    summary: 'Store a picture of up to 5 MB and 40 megapixels',
    access: 'signed in',
    gate: 'upload',
    rate: 'upload',
    upload: 'image',
    maxBytes: 6 * MB,
    answer: StoredImage,
    status: 201,
    problems: [422],
  },
  {
    method: 'get',
    path: '/media/images/{name}',
    summary:
      'Get a stored picture: `<hash>-<tint>-large.webp`, `-medium.webp` or `-small.webp`. `-share.jpg` is a JPEG of 1200 × 630 for link previews',
    access: 'public',
    rate: 'none',
    cache: 'public',
    file: 'image/webp',
    problems: [404],
  },
  {
    method: 'get',
    path: '/media/posters/{name}',
    summary:
      'Get the poster drawn for an event without a picture; `-share.jpg` and `site-1-share.jpg` are JPEGs of 1200 × 630 for link previews',
    access: 'public',
    rate: 'none',
    cache: 'public',
    file: 'image/webp',
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/weather',
    summary: 'Get the weather of a place, now and for up to five days, from the first source that works',
    access: 'public',
    cache: 'public',
    query: weatherParameters,
    answer: Weather,
  },
]);
