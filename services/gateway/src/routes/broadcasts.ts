import {
  Broadcast,
  BroadcastUrlBody,
  Playback,
  StreamKey,
  StreamSources,
  ViewerSeat,
} from '@beltway/contracts/media/broadcast';
import { answeredBy, type Route } from './route.ts';

/** Sending and watching live streams. Catalog has the schedule of the streams. */
export const broadcasts: Route[] = answeredBy('media', [
  {
    method: 'get',
    path: '/api/stream-sources',
    summary: 'Get the signal sources that this installation accepts for live streams now: encoder, camera',
    access: 'public',
    answer: StreamSources,
  },
  {
    method: 'get',
    path: '/api/broadcasts/{eventId}',
    summary:
      'Get the studio of an event’s live stream: status, how to send, viewers, recordings; organizer and admins only',
    access: 'signed in',
    answer: Broadcast,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/key',
    summary:
      'Create a stream key, shown only this once; the previous key and its signal are cut off; organizer and admins only',
    access: 'signed in',
    answer: StreamKey,
    status: 201,
    problems: [404, 409],
  },
  {
    method: 'put',
    path: '/api/broadcasts/{eventId}/url',
    summary:
      'Set the URL of a stream elsewhere: a YouTube or Vimeo video, or an HLS playlist; null removes it; organizer and admins only',
    access: 'signed in',
    body: BroadcastUrlBody,
    answer: Broadcast,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/start',
    summary:
      'Go live from the stream’s URL elsewhere, or accept a signal again after a stop; organizer and admins only',
    access: 'signed in',
    answer: Broadcast,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/stop',
    summary:
      'End the broadcast and disconnect its signal; signals are refused until the next start; organizer and admins only',
    access: 'signed in',
    answer: Broadcast,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/broadcasts/{eventId}/whip',
    isLive: true,
    summary:
      'Send the browser’s camera by WHIP (RFC 9725): `application/sdp` offer in, SDP answer and `Location` out; organizer and admins only',
    access: 'signed in',
    file: 'application/sdp',
    status: 201,
    problems: [400, 404, 409, 413, 415, 422, 503],
  },
  {
    method: 'delete',
    path: '/api/broadcasts/{eventId}/whip/{session}',
    isLive: true,
    summary: 'End the signal of the browser’s camera; organizer and admins only',
    access: 'signed in',
    status: 204,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/live-streams/{eventId}/playback',
    summary:
      'Get what the caller could watch of a live stream: its status, any reason not to watch, recordings; takes no seat',
    access: 'optional',
    answer: Playback,
    problems: [404],
  },
  {
    method: 'put',
    path: '/api/live-streams/{eventId}/viewers/{viewerId}',
    summary:
      'Take a viewer seat of a live stream, or renew it every `renewSeconds` (it lasts 60 seconds); returns the URL to play',
    access: 'optional',
    // A viewer's browser sends this three times a minute.
    rate: 'read',
    answer: ViewerSeat,
    problems: [401, 403, 404, 409],
  },
  {
    method: 'delete',
    path: '/api/live-streams/{eventId}/viewers/{viewerId}',
    summary: 'Give up a viewer seat of a live stream',
    access: 'optional',
    rate: 'read',
    status: 204,
    problems: [404],
  },
  {
    method: 'get',
    path: '/media/live/{eventId}/{token}/{name}',
    isLive: true,
    summary: 'Get the playlist `index.m3u8` or a segment of a live stream; requires the viewer seat that the URL names',
    access: 'public',
    // A player polls twice a second. Without a viewer seat it gets nothing, so the call needs no rate limit.
    rate: 'none',
    file: 'application/vnd.apple.mpegurl',
    problems: [403, 404],
  },
  {
    method: 'get',
    path: '/media/recordings/{session}/{name}',
    summary:
      'Get a recording of a live stream as MP4, with range requests; the signed URL expires after about six hours',
    access: 'public',
    gate: 'video',
    file: 'video/mp4',
    problems: [403, 404, 416],
  },
]);
