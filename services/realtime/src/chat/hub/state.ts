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

/** Maximum number of messages in one query, and in one frame to a member that was behind. */
export const PAGE = 100;

export interface HubDeps {
  pool: Pool;
  log: Logger;
  redis?: Redis | undefined;
  /** Identifies this process to the other instances. */
  instance: string;
  clock: Pick<DatabaseClock, 'sync'>;
}

/** The chat rooms that this instance serves, in memory. */
export interface Hub extends HubDeps {
  /** The key is the room's name. Contains rooms with members, and rooms that are being loaded. */
  rooms: Map<string, OpenRoom>;
  opening: Map<string, Promise<OpenRoom | undefined>>;
  visibility: Visibility;
  /** Sequence numbers of changed messages: to be read from the database, and to be published to the other instances. */
  changesToRead: RoomThrottle;
  changesToPublish: RoomThrottle;
  /**
   * Both maps are keyed by message. First the content of a changed message that was sent last. Then the database's time
   * of the change that was read last.
   */
  sentContent: Map<string, string>;
  changeTimes: Map<string, string>;
  /** Runs while a member is behind. */
  resumeTimer: ReturnType<typeof setInterval> | undefined;
  pollTimer: ReturnType<typeof setTimeout> | undefined;
  /** The time of the last poll, by the database's clock. */
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
  /**
   * Messages of the ring that have changed since a member may have received them: they were removed or got reactions.
   */
  changed: Set<number>;
  /** Messages that arrived before an earlier message: with the content that was read last, else as posted. */
  early: Map<number, ChatMessage>;
  /** The database has messages after `last` that have not been read yet. */
  hasMore: boolean;
  /** Numbers of changed messages to read, with the database's time of the change if polling found the change. */
  toRead: Map<number, string | undefined>;
  /** The current read. Only one read runs at a time, so that a later read has newer data. */
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

/** The number of messages in this second and in the previous second. */
export interface Pace {
  second: number;
  now: number;
  before: number;
}

/** A page in a room. */
export interface Member {
  socket: RealtimeSocket;
  /** The number of the last message that was sent to this member. */
  sent: number;
  /** The buffer of the member's connection is full, so the member is skipped and resumed later. */
  isBehind: boolean;
  /**
   * Nothing is sent while the response to the join is being prepared, or while the accounts hidden from the member are
   * being read.
   */
  isJoining: boolean;
  /** Messages that changed while nothing could be sent to this member, with their latest content. */
  missed: Map<number, ChatMessage>;
  /** Other frames that could not be sent to this member: the last frame of each socket event. */
  unsent: Map<string, Prepared>;
  /** The account whose blocks apply. Undefined for guests and the room's moderators, who see all messages. */
  reader: number | undefined;
}

/** The number of the last message that was sent to members. */
export const lastSent = ({ last, outbox }: OpenRoom): number => last - outbox.length;
