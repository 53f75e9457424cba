/**
 * Events of a chat room. The streams `room-region` and `room-<eventId>` begin with the first message or change. When a
 * message is removed or its writer's account is erased, the text and the name are also removed from stored events
 * (docs/decisions/0069).
 */
export type RoomEvent =
  | { type: 'MessagePosted'; data: MessageFacts }
  /** A system message, for example that the event was canceled or that slow mode is on. */
  | { type: 'SystemMessagePosted'; data: { seq: number; text: string; at: string } }
  /** The writer or a moderator removed the message. `by` is null for a guest or an operator. */
  | { type: 'MessageRemoved'; data: { seq: number; by: number | null; at: string } }
  /**
   * The person may not write in this room before `until`; if `until` is null, never again. `seq`: the message that
   * caused the mute.
   */
  | { type: 'PersonMuted'; data: { person: string; seq: number; until: string | null; by: number; at: string } }
  | { type: 'PersonUnmuted'; data: { person: string; by: number } }
  /** Settings that a moderator changed. Missing settings are unchanged. */
  | { type: 'RoomChanged'; data: RoomSettings & { by: number } }
  /** The room's event was canceled or postponed, or has a date again. */
  | { type: 'EventStatusHeard'; data: { status: EventStatus } }
  /** Everything that this account wrote in this room is removed. */
  | { type: 'PersonErased'; data: { userId: number; at: string } };

export interface MessageFacts {
  seq: number;
  messageId: string;
  /** null for a guest. */
  userId: number | null;
  guestId: string | null;
  userName: string;
  text: string;
  isOrganizer: boolean;
  at: string;
}

export interface RoomSettings {
  name?: string;
  description?: string;
  isActive?: boolean;
  slowModeSeconds?: number;
}

export type EventStatus = 'published' | 'postponed' | 'canceled';

/** The writer of a message. */
export type Writer =
  | { kind: 'account'; userId: number; name: string }
  | { kind: 'guest'; guestId: string; name: string };

export type RoomCommand =
  | {
      type: 'PostMessage';
      messageId: string;
      writer: Writer;
      text: string;
      isOrganizer: boolean;
      /** Moderators are exempt from slow mode, and may write in a closed room. */
      isModerator: boolean;
      now: string;
    }
  | { type: 'RemoveMessage'; seq: number; by: number | null; now: string }
  | { type: 'MutePerson'; person: string; seq: number; until: string | null; by: number; now: string }
  | { type: 'UnmutePerson'; person: string; by: number }
  | { type: 'ChangeRoom'; settings: RoomSettings; by: number; now: string }
  | { type: 'HearEventStatus'; status: EventStatus; now: string }
  | { type: 'ErasePerson'; userId: number; now: string };
