import { expect, test } from 'vitest';
import { BroadcastEndedV1, BroadcastStartedV1 } from '@beltway/contracts/media/broadcast';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import type { BroadcastEvent } from './events.ts';
import { publishBroadcast } from './publish.ts';

const correlationId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const logged = (event: BroadcastEvent, version: number): Logged => ({
  ...event,
  ...{ stream: 'broadcast-42', id: '42', version, userId: 7, correlationId, causationId: correlationId },
  occurredAt: new Date('2026-12-06T00:00:10.000Z'),
});
const eventId = 42;
const session = 'b0c4fbb1-1f57-4f1c-8a6f-0b9b5f5c9a10';

test('only the start and end of a broadcast are published, as in the golden files', () => {
  const happened: BroadcastEvent[] = [
    { type: 'KeyMade', data: { eventId, digest: 'never told', ending: 'told' } },
    { type: 'AddressSet', data: { eventId, livestreamUrl: 'https://cdn.example.org/a.m3u8' } },
    { type: 'BroadcastStarted', data: { eventId, source: 'rtmp', session } },
    { type: 'SignalLost', data: { eventId, session } },
    { type: 'SignalReturned', data: { eventId, source: 'rtmp', session } },
    { type: 'BroadcastEnded', data: { eventId, reason: 'stopped' } },
    { type: 'RecordingKept', data: { eventId, session, startedAt: 'x', durationMs: 1, bytes: 1 } },
    { type: 'BroadcastReopened', data: { eventId } },
  ];
  const messages = happened
    .map((event, at) => logged(event, at + 1))
    .flatMap(publishBroadcast)
    .map((one) => messageOf('media.events', one));
  expect(messages).toEqual([golden('media.broadcast-started.v1'), golden('media.broadcast-ended.v1')]);
  expect(BroadcastStartedV1.parse(messages[0])).toEqual(messages[0]);
  expect(BroadcastEndedV1.parse(messages[1])).toEqual(messages[1]);
});
