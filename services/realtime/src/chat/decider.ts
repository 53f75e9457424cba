import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { EventStatus, MessageFacts, RoomCommand, RoomEvent, RoomSettings, Writer } from './events.ts';

/** Thrown until slow mode allows this person to write again. */
export class TooSoon extends Rejected<'slow-mode'> {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('slow-mode', { seconds: retryAfterSeconds });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Room {
  /** The number of the last message. */
  seq: number;
  settings: Required<Pick<RoomSettings, 'isActive' | 'slowModeSeconds'>> & Pick<RoomSettings, 'name' | 'description'>;
  eventStatus: EventStatus;
  /** Muted people, each with the end of the mute; null if the mute is permanent. */
  mutes: Map<string, string | null>;
  /**
   * While slow mode is on: when each person last wrote, oldest first. An entry is dropped after the slow-mode interval.
   */
  wroteAt: Map<string, number>;
}

/** Maximum of concurrent mutes in one room. If more people would have to be muted, moderators should close the room. */
const MAX_MUTES = 1_000;

const initial = (): Room => ({
  seq: 0,
  settings: { isActive: true, slowModeSeconds: 0 },
  eventStatus: 'published',
  mutes: new Map(),
  wroteAt: new Map(),
});

/** The key of an account or a guest in mutes and slow mode. */
export const personOf = (writer: Writer): string =>
  writer.kind === 'account' ? `account:${writer.userId}` : `guest:${writer.guestId}`;

const EVENT_TEXT: Record<EventStatus, string> = {
  canceled: 'This event was canceled.',
  postponed: 'This event was postponed. It has no new date yet.',
  published: 'This event has a date again.',
};

/**
 * The system messages that announce a change of settings. A new name or description is visible and needs no
 * announcement.
 */
function announcements({ settings }: Room, changed: RoomSettings): string[] {
  const texts: string[] = [];
  const { slowModeSeconds: seconds, isActive } = changed;
  if (seconds !== undefined && seconds !== settings.slowModeSeconds)
    texts.push(
      seconds > 0
        ? `Slow mode is on: each of you can write once in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
        : 'Slow mode is off.',
    );
  if (isActive !== undefined && isActive !== settings.isActive)
    texts.push(isActive ? 'The chat is open again.' : 'The chat is closed. Nobody can write for now.');
  return texts;
}

/** Throws when this person may not write now. */
function checkMayWrite(room: Room, command: Extract<RoomCommand, { type: 'PostMessage' }>): void {
  const { writer, isModerator, now } = command;
  if (isModerator) return;
  const person = personOf(writer);
  const until = room.mutes.get(person);
  if (until === null) throw new Rejected('muted');
  if (until !== undefined && until > now) throw new Rejected('muted.for-a-while');
  if (!room.settings.isActive) throw new Rejected('room-closed');
  const { slowModeSeconds } = room.settings;
  const before = room.wroteAt.get(person);
  if (slowModeSeconds === 0 || before === undefined) return;
  const waitMs = before + slowModeSeconds * 1_000 - Date.parse(now);
  if (waitMs > 0) throw new TooSoon(Math.min(Math.ceil(waitMs / 1_000), slowModeSeconds));
}

function posted(
  room: Room,
  { messageId, writer, text, isOrganizer, now }: Extract<RoomCommand, { type: 'PostMessage' }>,
): MessageFacts {
  return {
    seq: room.seq + 1,
    messageId,
    userId: writer.kind === 'account' ? writer.userId : null,
    guestId: writer.kind === 'guest' ? writer.guestId : null,
    userName: writer.name,
    text,
    isOrganizer,
    at: now,
  };
}

const differs = (room: Room, settings: RoomSettings): boolean =>
  (Object.keys(settings) as Array<keyof RoomSettings>).some((field) => settings[field] !== room.settings[field]);

function decide(command: RoomCommand, room: Room): RoomEvent[] {
  switch (command.type) {
    case 'PostMessage':
      checkMayWrite(room, command);
      return [{ type: 'MessagePosted', data: posted(room, command) }];
    case 'RemoveMessage': {
      const { seq, by, now } = command;
      if (seq > room.seq) throw new Rejected('no-such-message');
      return [{ type: 'MessageRemoved', data: { seq, by, at: now } }];
    }
    case 'MutePerson': {
      const { person, seq, until, by, now } = command;
      const open = [...room.mutes.values()].filter((end) => end === null || end > now).length;
      if (!room.mutes.has(person) && open >= MAX_MUTES) throw new Rejected('too-many-mutes');
      return [{ type: 'PersonMuted', data: { person, seq, until, by, at: now } }];
    }
    case 'UnmutePerson': {
      const { person, by } = command;
      return room.mutes.has(person) ? [{ type: 'PersonUnmuted', data: { person, by } }] : [];
    }
    case 'ChangeRoom': {
      const { settings, by, now } = command;
      if (!differs(room, settings)) return [];
      return [
        { type: 'RoomChanged', data: { ...settings, by } },
        ...announcements(room, settings).map((text, at) => systemMessage(room.seq + at + 1, text, now)),
      ];
    }
    case 'HearEventStatus': {
      const { status, now } = command;
      if (status === room.eventStatus) return [];
      return [{ type: 'EventStatusHeard', data: { status } }, systemMessage(room.seq + 1, EVENT_TEXT[status], now)];
    }
    case 'ErasePerson':
      return [{ type: 'PersonErased', data: { userId: command.userId, at: command.now } }];
  }
}

const systemMessage = (seq: number, text: string, at: string): RoomEvent => ({
  type: 'SystemMessagePosted',
  data: { seq, text, at },
});

/** Records a writer and drops entries older than the slow-mode interval. */
function noteWriter({ settings: { slowModeSeconds }, wroteAt }: Room, { userId, guestId, at }: MessageFacts) {
  if (slowModeSeconds === 0) return;
  const person = userId === null ? `guest:${guestId}` : `account:${userId}`;
  const time = Date.parse(at);
  wroteAt.delete(person);
  wroteAt.set(person, time);
  for (const [other, before] of wroteAt) {
    if (before + slowModeSeconds * 1_000 > time) break;
    wroteAt.delete(other);
  }
}

// May mutate the state: the store owns the state, and drops the state if the append fails.
function evolve(room: Room, { type, data }: RoomEvent): Room {
  switch (type) {
    case 'MessagePosted':
      room.seq = data.seq;
      noteWriter(room, data);
      return room;
    case 'SystemMessagePosted':
      room.seq = data.seq;
      return room;
    case 'PersonMuted':
      for (const [person, until] of room.mutes) if (until !== null && until <= data.at) room.mutes.delete(person);
      room.mutes.set(data.person, data.until);
      return room;
    case 'PersonUnmuted':
      room.mutes.delete(data.person);
      return room;
    case 'RoomChanged': {
      const { by: _by, ...settings } = data;
      room.settings = { ...room.settings, ...settings };
      if (room.settings.slowModeSeconds === 0) room.wroteAt.clear();
      return room;
    }
    case 'EventStatusHeard':
      room.eventStatus = data.status;
      return room;
    case 'PersonErased':
      room.mutes.delete(`account:${data.userId}`);
      room.wroteAt.delete(`account:${data.userId}`);
      return room;
    case 'MessageRemoved':
      return room; // readers read the row, which the projection changes
  }
}

export const roomDecider: Decider<Room, RoomCommand, RoomEvent> = { initial, decide, evolve };
