import type { Pool } from 'pg';
import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import type { Logger } from '@beltway/kit/logger';
import type { Redis } from '@beltway/kit/redis';
import type { RealtimeSocket } from '../../sockets.ts';
import type { DatabaseClock } from '../database-clock.ts';
import type { RoomInfo } from '../queries.ts';
import type { Prepared } from './frames.ts';
import type { RoomThrottle } from './throttle.ts';
import type { Visibility } from './visibility.ts';

/** Messages that are read in one query, and sent in one frame to a member that was behind. */
export const PAGE = 100;

export interface HubDeps {
  pool: Pool;
  log: Logger;
  redis?: Redis | undefined;
  /** Identifies this process to its peers. */
  instance: string;
  clock: Pick<DatabaseClock, 'sync'>;
}

/** The chat rooms that this instance serves, in memory. */
export interface Hub extends HubDeps {
  /** By name: rooms with members, and rooms that are being loaded. */
  rooms: Map<string, OpenRoom>;
  opening: Map<string, Promise<OpenRoom | undefined>>;
  visibility: Visibility;
  /** Sequence numbers of changed messages: to be read from the database, and to be published to the peers. */
  changesToRead: RoomThrottle;
  changesToPublish: RoomThrottle;
  /** By message: the content of changed messages that was sent last, and the database's time of the change that was read last. */
  sentContent: Map<string, string>;
  changeTimes: Map<string, string>;
  /** Runs while a member is behind. */
  resumeTimer: ReturnType<typeof setInterval> | undefined;
  pollTimer: ReturnType<typeof setTimeout> | undefined;
  /** By the database's clock, like all times it is compared with. */
  polledAt: Date | undefined;
  isClosed: boolean;
}

export interface OpenRoom {
  info: RoomInfo;
  isLoaded: boolean;
  /** All messages up to this number were queued for the members, in order. */
  last: number;
  /** The last messages, in order. */
  ring: ChatMessage[];
  /** Messages of the ring that a member may have seen differently: removed, or with other reactions. */
  changed: Set<number>;
  /** Messages that arrived before the one ahead of them: as read last, else as posted. */
  early: Map<number, ChatMessage>;
  /** The database has messages after `last` that were not read yet. */
  hasMore: boolean;
  /** Numbers of changed messages to read; with the database's time of the change if polling found it. */
  toRead: Map<number, string | undefined>;
  /** One read at a time: what is read later is newer. */
  reading: Promise<void>;
  isReading: boolean;
  members: Map<RealtimeSocket, Member>;
  /** Messages for the next flush. */
  outbox: ChatMessage[];
  flushTimer: ReturnType<typeof setTimeout> | undefined;
  flushedAt: number;
  /** The earliest time of the next flush of a quiet room. */
  restsUntil: number;
  pace: Pace;
}

/** Messages in this second and in the one before. */
export interface Pace {
  second: number;
  now: number;
  before: number;
}

/** A page in a room. */
export interface Member {
  socket: RealtimeSocket;
  /** The number of the last message it was sent. */
  sent: number;
  /** Its connection is full: it is skipped, and resumed later. */
  isBehind: boolean;
  /** Nothing is sent while its answer is prepared, or while the people hidden from it are read. */
  isJoining: boolean;
  /** Messages that changed while it could not be sent them, in their latest state. */
  missed: Map<number, ChatMessage>;
  /** Other frames that it could not be sent: the last of each event. */
  unsent: Map<string, Prepared>;
  /** The account whose blocks apply. Undefined for guests and the room's moderators: they see everybody. */
  reader: number | undefined;
}

/** The number of the last message that members were sent. */
export const lastSent = ({ last, outbox }: OpenRoom): number => last - outbox.length;
