import {
  EventCounts,
  InterestBody,
  MyEngagements,
  engagementParameters,
  savedParameters,
} from '@beltway/contracts/engagement';
import { HomeStats } from '@beltway/contracts/stats';
import { CreateEventBody, Event, EventList, EventPage, UpdateEventBody } from '@beltway/contracts/catalog';
import { StoredImage } from '@beltway/contracts/media';
import { Followed, Following, Organizer, OrganizerEvents } from '@beltway/contracts/organizers';
import { feedParameters, searchParameters } from '@beltway/contracts/search';
import { Weather, weatherParameters } from '@beltway/contracts/weather';
import { z } from 'zod';
import { answeredBy, type Route } from './route.ts';

const MB = 1_048_576;
/** A picture of 5 MB inside JSON. */
const EVENT_BYTES = 8 * MB;

export const events: Route[] = answeredBy('catalog', [
  {
    method: 'get',
    path: '/api/events',
    cache: 'public',
    summary: 'Events to come, soonest first: a list without parameters, with any of them a page of a search',
    access: 'public',
    query: searchParameters,
    answer: z.union([EventList, EventPage]),
  },
  {
    method: 'post',
    path: '/api/events',
    summary: 'Launch an event, with `repeat` a series of them. `imageUrl` may be a data URL of up to 5 MB',
    access: 'signed in',
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
    summary: 'Promoted events',
    access: 'public',
    answer: EventList,
  },
  {
    method: 'get',
    path: '/api/stats',
    cache: 'public',
    summary: 'Counts for the home page: active users, events today, new venues',
    access: 'public',
    answer: HomeStats,
  },
  {
    method: 'get',
    path: '/api/events/all',
    cache: 'public',
    summary: 'Events for a picker',
    access: 'public',
    answer: EventList,
  },
  {
    method: 'get',
    path: '/api/events.ics',
    summary: 'A search as a calendar to subscribe to; cancelled events stay in it as cancelled',
    access: 'public',
    cache: 'public',
    query: feedParameters,
    file: 'text/calendar',
  },
  {
    method: 'get',
    path: '/api/events.rss',
    summary: 'A search as an RSS feed',
    access: 'public',
    cache: 'public',
    query: feedParameters,
    file: 'application/rss+xml',
  },
  {
    method: 'get',
    path: '/api/events/{id}.ics',
    summary: 'One event as a calendar file',
    access: 'public',
    cache: 'public',
    file: 'text/calendar',
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}',
    summary: 'One event, as everybody sees it',
    access: 'public',
    cache: 'public',
    answer: Event,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}/similar',
    summary: 'At most three events to come that are like this one: by tags, category and place',
    access: 'public',
    cache: 'public',
    answer: EventList,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/events/{id}/dates',
    summary: 'The other dates to come of the series that an event is of; none when it is of none',
    access: 'public',
    cache: 'public',
    answer: EventList,
  },
  {
    method: 'get',
    path: '/api/events/{id}/managed',
    summary: 'An event of one’s own: with the contact address, and its version as `ETag` for `If-Match`',
    access: 'signed in',
    answer: Event,
    problems: [403, 404],
  },
  {
    method: 'patch',
    path: '/api/events/{id}',
    summary: 'Change an event of one’s own. `If-Match`: only if it is still as its organiser saw it',
    access: 'signed in',
    headers: ['If-Match', 'Idempotency-Key'],
    maxBytes: EVENT_BYTES,
    body: UpdateEventBody,
    answer: Event,
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/api/events/{id}/postpone',
    summary: 'Take an event of one’s own off its date; a PATCH with `eventDate` gives it a new one',
    access: 'signed in',
    headers: ['If-Match', 'Idempotency-Key'],
    answer: Event,
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/api/events/{id}/cancel',
    summary: 'Cancel an event of one’s own; every buyer is refunded',
    access: 'signed in',
    headers: ['If-Match', 'Idempotency-Key'],
    answer: Event,
    problems: [403, 404, 409],
  },
  {
    method: 'get',
    path: '/api/organizers/{id}',
    summary: 'An account that published an event: its name, and how many follow it',
    access: 'public',
    cache: 'public',
    answer: Organizer,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/organizers/{id}/events',
    summary: 'Its events: the next 100, and the latest 24 of those that are over',
    access: 'public',
    cache: 'public',
    answer: OrganizerEvents,
    problems: [404],
  },
  {
    method: 'put',
    path: '/api/organizers/{id}/follow',
    summary: 'Follow an organiser; a repeat changes nothing',
    access: 'signed in',
    answer: Followed,
    problems: [404, 409],
  },
  {
    method: 'delete',
    path: '/api/organizers/{id}/follow',
    summary: 'Follow an organiser no longer; a repeat changes nothing',
    access: 'signed in',
    answer: Followed,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/me/following',
    summary: 'Whom one follows, the latest first, and the next 24 events of them',
    access: 'signed in',
    answer: Following,
  },
  {
    method: 'get',
    path: '/api/users/{id}/events',
    summary: 'One’s own events, or anybody’s for an admin',
    access: 'signed in',
    answer: EventList,
    problems: [403, 404],
  },
]);

/** What the caller does with an event; sent again it changes nothing. */
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
  reaction('put', 'like', 'Like an event; answers its counts'),
  reaction('delete', 'like', 'Take a like back'),
  reaction('put', 'bookmark', 'Save an event'),
  reaction('delete', 'bookmark', 'Save it no longer'),
  {
    ...reaction('put', 'interest', 'Say that one is interested, or going; one of the two'),
    body: InterestBody,
  },
  reaction('delete', 'interest', 'Take that back'),
  {
    method: 'post',
    path: '/api/events/{id}/share',
    summary: 'Tell that one shared an event: counted once for an account, or for the network of a visitor',
    access: 'optional',
    answer: EventCounts,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/events/{id}/view',
    summary: 'Tell that its page is looked at: counted once for a visitor and day, and no word about what was counted',
    access: 'public',
    // As many as pages are read, by whole offices behind one address.
    rate: 'read',
    status: 204,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/me/engagement',
    summary: 'Which of these events one likes and has saved, and what one said of going',
    access: 'signed in',
    query: engagementParameters,
    answer: MyEngagements,
  },
  {
    method: 'get',
    path: '/api/me/bookmarks',
    summary: 'Saved events, page by page: those to come soonest first, those that are over latest first',
    access: 'signed in',
    query: savedParameters,
    answer: EventPage,
  },
]);

/** Pictures are as cheap as the page's files, so no rate is counted for them. */
export const media: Route[] = answeredBy('media', [
  {
    method: 'post',
    path: '/api/images',
    summary: 'Store a picture of up to 5 MB',
    access: 'signed in',
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
      'A stored picture: `<hash>-<tint>-large.webp`, `-medium.webp` or `-small.webp`; older ones have no tint and no medium size',
    access: 'public',
    rate: 'none',
    cache: 'public',
    file: 'image/webp',
    problems: [404],
  },
  {
    method: 'get',
    path: '/media/posters/{name}',
    summary: 'The poster drawn for an event that has no picture',
    access: 'public',
    rate: 'none',
    cache: 'public',
    file: 'image/webp',
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/weather',
    summary: 'The weather of a place: now and for five days, from the first source that works',
    access: 'public',
    cache: 'public',
    query: weatherParameters,
    answer: Weather,
  },
]);
