import type { Projection } from '@beltway/event-store';
import { writerTo } from '@beltway/kit/columns';
import { broadcastRecordings, broadcasts } from '../generated/tables.ts';
import type { BroadcastEvent } from './events.ts';

const BEGUN = broadcasts.insert(['eventId', 'status', 'isReceiving'], 'on conflict do nothing');
const KEY = broadcasts.update('eventId', ['keyDigest', 'keyEnding', 'keyMadeAt']);
const ADDRESS = broadcasts.update('eventId', ['livestreamUrl']);
const STARTED = broadcasts.update('eventId', ['status', 'liveSince', 'endedAt', 'endReason']);
const SIGNAL = broadcasts.update('eventId', ['source', 'session', 'clip', 'signalSince', 'isReceiving', 'lostAt']);
const LOST = broadcasts.update('eventId', ['isReceiving', 'lostAt']);
const ENDED = broadcasts.update('eventId', ['status', 'session', 'isReceiving', 'lostAt', 'endedAt', 'endReason']);
const REOPENED = broadcasts.update('eventId', ['status', 'endedAt', 'endReason']);
const KEPT = broadcastRecordings.insert(
  ['session', 'eventId', 'startedAt', 'durationMs', 'bytes'],
  'on conflict do nothing',
);

/** Current broadcasts and their recordings. */
export const projectBroadcasts: Projection<BroadcastEvent> = (sql, group) => {
  const write = writerTo(sql);
  for (const { type, data, occurredAt: at } of group) {
    const { eventId } = data;
    write(BEGUN, { eventId, status: 'waiting', isReceiving: false });
    switch (type) {
      case 'KeyMade':
        write(KEY, { eventId, keyDigest: data.digest, keyEnding: data.ending, keyMadeAt: at });
        break;
      case 'AddressSet':
        write(ADDRESS, { eventId, livestreamUrl: data.livestreamUrl });
        break;
      case 'BroadcastStarted':
      case 'SignalReturned': {
        const { source, session } = data;
        const clip = type === 'BroadcastStarted' ? (data.clip ?? null) : null;
        if (type === 'BroadcastStarted')
          write(STARTED, { eventId, status: 'live', liveSince: at, endedAt: null, endReason: null });
        write(SIGNAL, { eventId, source, session, clip, signalSince: at, isReceiving: true, lostAt: null });
        break;
      }
      case 'SignalLost':
        write(LOST, { eventId, isReceiving: false, lostAt: at });
        break;
      case 'BroadcastEnded': {
        const status = data.reason === 'canceled' ? 'canceled' : 'ended';
        const ended = { session: null, isReceiving: false, lostAt: null, endedAt: at, endReason: data.reason };
        write(ENDED, { eventId, status, ...ended });
        break;
      }
      case 'BroadcastReopened':
        write(REOPENED, { eventId, status: 'waiting', endedAt: null, endReason: null });
        break;
      case 'RecordingKept':
        write(KEPT, data);
        break;
    }
  }
};
