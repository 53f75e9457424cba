/**
 * What happens in a chat room. Streams `room-region` and `room-<eventId>`, begun by the first message or change. Texts and names leave the
 * stored events when a message is removed or its writer's account is erased (docs/decisions/0069).
 */
export type RoomEvent =
  | { type: 'MessagePosted'; data: MessageFacts }
  /** The room itself says something: its event was canceled, slow mode is on. */
  | { type: 'SystemMessagePosted'; data: { seq: number; text: string; at: string } }
  /** By its writer or a moderator. `by` null: a guest's own, or an operator. */
  | { type: 'MessageRemoved'; data: { seq: number; by: number | null; at: string } }
  /** Until then, or for good, this person may not write here. `seq`: the message it was done at. */
  | { type: 'PersonMuted'; data: { person: string; seq: number; until: string | null; by: number; at: string } }
  | { type: 'PersonUnmuted'; data: { person: string; by: number } }
  /** What a moderator changed; what is not named stays. */
  | { type: 'RoomChanged'; data: RoomSettings & { by: number } }
  /** Its event was canceled or postponed, or has a date again. */
  | { type: 'EventStatusHeard'; data: { status: EventStatus } }
  /** Everything that this account wrote here is taken out. */
  | { type: 'PersonErased'; data: { userId: number; at: string } };

export interface MessageFacts {
  seq: number;
  messageId: string;
  /** Null: a guest. */
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

/** Who writes. */
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
      /** Neither slow mode nor a closed room stops a moderator. */
      isModerator: boolean;
      now: string;
    }
  | { type: 'RemoveMessage'; seq: number; by: number | null; now: string }
  | { type: 'MutePerson'; person: string; seq: number; until: string | null; by: number; now: string }
  | { type: 'UnmutePerson'; person: string; by: number }
  | { type: 'ChangeRoom'; settings: RoomSettings; by: number; now: string }
  | { type: 'HearEventStatus'; status: EventStatus; now: string }
  | { type: 'ErasePerson'; userId: number; now: string };
