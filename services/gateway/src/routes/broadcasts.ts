import { Broadcast, BroadcastUrlBody, Playback, StreamKey, ViewerSeat } from '@beltway/contracts/broadcast';
import { answeredBy, type Route } from './route.ts';

/** How live streams are sent and watched; when they take place is the catalog's. */
export const broadcasts: Route[] = answeredBy('media', [
  {
    method: 'get',
    path: '/api/broadcasts/{eventId}',
    summary: 'The studio: where the live stream of one’s event stands, how to send it, who watches, what was recorded',
    access: 'signed in',
    answer: Broadcast,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/key',
    summary: 'Make a new stream key, shown this once; the one before is cut off',
    access: 'signed in',
    answer: StreamKey,
    status: 201,
    problems: [404, 409],
  },
  {
    method: 'put',
    path: '/api/broadcasts/{eventId}/url',
    summary: 'Give the address of a stream elsewhere: a YouTube or Vimeo video, or an HLS playlist',
    access: 'signed in',
    body: BroadcastUrlBody,
    answer: Broadcast,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/start',
    summary: 'Go live from the address elsewhere, or take a signal again after it was stopped',
    access: 'signed in',
    answer: Broadcast,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/stop',
    summary: 'End the broadcast and cut its signal off',
    access: 'signed in',
    answer: Broadcast,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/live-streams/{eventId}/playback',
    summary: 'What a reader would see of a live stream, whether they may, and what was recorded',
    access: 'optional',
    answer: Playback,
    problems: [404],
  },
  {
    method: 'put',
    path: '/api/live-streams/{eventId}/viewers/{viewerId}',
    summary: 'Take a seat of a live stream, or keep it: the address to play',
    access: 'optional',
    // A page says so three times a minute.
    rate: 'read',
    answer: ViewerSeat,
    problems: [401, 403, 404, 409],
  },
  {
    method: 'delete',
    path: '/api/live-streams/{eventId}/viewers/{viewerId}',
    summary: 'Give the seat back',
    access: 'optional',
    rate: 'read',
    status: 204,
  },
  {
    method: 'get',
    path: '/media/live/{eventId}/{token}/{name}',
    summary: 'The playlist `index.m3u8` of a live stream and its segments, for who has the seat that the address names',
    access: 'public',
    // A player asks twice a second, and who has no seat gets nothing.
    rate: 'none',
    file: 'application/vnd.apple.mpegurl',
    problems: [403, 404],
  },
  {
    method: 'get',
    path: '/media/recordings/{session}/{name}',
    summary: 'What was recorded of a live stream, as an MP4 with ranges, by an address that is good for some hours',
    access: 'public',
    file: 'video/mp4',
    problems: [403, 404, 416],
  },
]);
