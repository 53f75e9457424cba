import { z } from 'zod';
import { fieldOr, optionalField, type Said } from '../common/basics.ts';
import { ReportReason } from './comments.ts';
import { blockText, lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Maximum characters of a message. */
export const MAX_CHAT_MESSAGE = 500;
/** Number of messages that a room displays at first. */
export const FIRST_MESSAGES = 26;
/** Maximum number of messages in one response. */
export const MAX_MESSAGES = 100;
/** Maximum characters of a guest's name. */
export const MAX_GUEST_NAME = 30;

/** Reactions that a person can add to a message with one click. */
export const REACTIONS = ['❤️', '🔥', '👏', '😂', '🎉'] as const;
export const Reaction = z.enum(REACTIONS);
export type Reaction = z.infer<typeof Reaction>;

/** A room's id, always text: `region` is the room of the home page; any other room has its event's id. */
export const RoomId = z
  .string()
  .regex(/^(?:region|[1-9]\d{0,9})$/, fault('invalid.room'))
  .refine((room) => room === 'region' || Number(room) <= 2_147_483_647, fault('invalid.room'));
export type RoomId = z.infer<typeof RoomId>;

/** Number of uses of each reaction; reactions with zero are omitted. */
export const ReactionCounts = z.partialRecord(Reaction, z.int().positive());
export type ReactionCounts = z.infer<typeof ReactionCounts>;

/** A message as every reader sees it. */
export const ChatMessage = z.object({
  /** 1, 2, 3, … in its room, without gaps. A removed message keeps its number. */
  seq: z.int().positive(),
  /** The id that the writer's client generated. */
  id: z.uuid(),
  eventId: z.int().nullable(),
  /** null: the writer is a guest or the system. */
  userId: z.int().nullable(),
  userName: z.string(),
  /** Plain text; empty if removed. */
  message: z.string(),
  isSystemMessage: z.boolean(),
  /** True if the event's owner wrote the message. */
  isOrganizer: z.boolean(),
  isRemoved: z.boolean(),
  /** Present if the reader blocks the writer or the writer blocks the reader (`hiddenMessage`). */
  isHidden: z.literal(true).optional(),
  reactions: ReactionCounts,
  createdAt: z.iso.datetime(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/**
 * What remains of a message for readers who may not see its writer: its position in the room. Clients that do not know
 * `isHidden` treat it as removed.
 */
export const hiddenMessage = ({ seq, id, eventId, createdAt }: ChatMessage): ChatMessage => ({
  ...{ seq, id, eventId, userId: null, userName: '', message: '', isSystemMessage: false, isOrganizer: false },
  ...{ isRemoved: true, isHidden: true, reactions: {}, createdAt },
});

/** A room as every reader sees it: GET /api/chat/{room}. */
export const ChatRoom = z.object({
  room: RoomId,
  eventId: z.int().nullable(),
  name: z.string(),
  description: z.string(),
  /** Whether people can write. */
  isActive: z.boolean(),
  /** Current participants, over all instances. */
  participantCount: z.int(),
  /** Minimum seconds between two messages of one person; 0: no limit. */
  slowModeSeconds: z.int().min(0),
  /** The last message's number; 0 if the room has no message yet. */
  seq: z.int().min(0),
  /** Whether the caller may moderate this room. */
  canModerate: z.boolean(),
});
export type ChatRoom = z.infer<typeof ChatRoom>;

export const RoomDescription = blockText(300, 'invalid.room-description');

/** PATCH /api/chat/{room}, by the event's owner or an admin. */
export const ChatRoomBody = z
  .strictObject({
    name: lineText(80, 'invalid.room-name'),
    /** null or empty text removes the description. */
    description: fieldOr(RoomDescription, null),
    isActive: z.boolean(),
    slowModeSeconds: z.int().min(0).max(600),
  })
  .partial();
export type ChatRoomBody = z.infer<typeof ChatRoomBody>;

const messageText = blockText(MAX_CHAT_MESSAGE, 'invalid.something');

/**
 * Identifies a guest. The server generates the key and returns it from `join`; the browser stores it and sends it in
 * the handshake (`auth.guestKey`) or as `X-Guest-Key`. Guests without a key share one identity per network: they can
 * write and react, but cannot remove their messages and reactions.
 */
export const GuestKey = z.string().regex(/^[\w-]{43}$/, fault('invalid.guest-key'));

export const GuestName = lineText(MAX_GUEST_NAME, 'invalid.guest-name');

/**
 * POST /api/chat/{room}/messages. The client generates `id`, which makes a repeated request harmless. `guestName` is
 * for writers without an account.
 */
export const PostMessageBody = z.strictObject({
  id: z.uuid(),
  message: messageText,
  guestName: optionalField(GuestName),
});
export type PostMessageBody = z.infer<typeof PostMessageBody>;

/**
 * GET /api/chat/{room}/messages: the messages directly after `after` or directly before `before`, otherwise the last
 * messages. The response is always sorted by `seq`.
 */
export const MessagesQuery = z.object({
  after: z.coerce.number().int().min(0).optional(),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(MAX_MESSAGES).default(FIRST_MESSAGES),
});
export const MessagePage = z.object({
  messages: z.array(ChatMessage),
  /** The last message's number in the room. */
  seq: z.int().min(0),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** PUT and DELETE /api/chat/{room}/messages/{seq}/reactions/{reaction}: adds or removes the caller's reaction. */
export const Reacted = z.object({ seq: z.int(), reactions: ReactionCounts });
export type Reacted = z.infer<typeof Reacted>;

/** POST /api/chat/{room}/messages/{seq}/report */
export const ReportMessageBody = z.strictObject({
  reason: ReportReason,
  note: optionalField(blockText(500, 'invalid.something-or-nothing')),
});

/**
 * POST /api/chat/{room}/mutes: forbids the writer of message `seq`, an account or a guest, to write in this room.
 * Permanent if `minutes` is absent (the room's block list).
 */
export const MuteBody = z.strictObject({
  seq: z.int().positive(),
  minutes: optionalField(z.int().min(1).max(10_080)),
});
/** GET /api/chat/{room}/mutes; DELETE /api/chat/{room}/mutes/{id} */
export const Mute = z.object({
  id: z.string(),
  userName: z.string(),
  isGuest: z.boolean(),
  /** null: permanent. */
  until: z.iso.datetime().nullable(),
  at: z.iso.datetime(),
});
export type Mute = z.infer<typeof Mute>;

/** GET /api/chat/reported: reported messages of the rooms that the caller moderates, newest message first. */
export const ReportedMessagesQuery = z.object({
  before: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const ReportedMessage = z.object({
  room: RoomId,
  roomName: z.string(),
  message: ChatMessage,
  /** The latest reports, without the reporters. */
  reports: z.array(
    z.object({
      reason: ReportReason,
      note: z.string().nullable(),
      /** The message's text at the time of the report. */
      message: z.string(),
      at: z.iso.datetime(),
    }),
  ),
});
export type ReportedMessage = z.infer<typeof ReportedMessage>;
export const ReportedMessages = z.object({
  items: z.array(ReportedMessage),
  /** `before` of the next page; null after the last page. */
  nextBefore: z.iso.datetime().nullable(),
});
export type ReportedMessages = z.infer<typeof ReportedMessages>;

/** An error, with the fields that a problem has over HTTP. */
export interface Refused {
  error: Said & { code: string; retryAfterSeconds?: number };
}

/** Response to `join`. */
export interface Joined {
  /**
   * The messages directly after `after` (at most 100; the frontend loads the rest with GET), or the last 26 messages.
   * Sorted by `seq`.
   */
  messages: ChatMessage[];
  /** The last message's number in the room. */
  seq: number;
  /** Current participants. */
  online: number;
  /**
   * Only with `after`: the messages that are removed or hidden or have reactions, in their current state, among the 100
   * messages up to `after`.
   */
  changed: ChatMessage[];
  /**
   * Only with `after`: the room has no such message, because its log was restored from a backup. The frontend discards
   * its messages, which are from the old log, and starts with the last 26, which `messages` contains.
   */
  startsAnew?: true;
  /** For a guest who joined without a key: the key that identifies the guest from now on (`GuestKey`). */
  guestKey?: string;
}

/** socket.io, browser to server. The server responds to each message. Joining twice without leaving counts once. */
export interface ChatClientMessages {
  /**
   * `after`: the number of the last message that the frontend has. `afterId`: the id of that message, which proves that
   * the log has not been replaced.
   */
  join: (body: { room: string; after?: number; afterId?: string }, answer: (joined: Joined | Refused) => void) => void;
  leave: (body: { room: string }) => void;
  say: (
    body: { room: string; id: string; message: string; guestName?: string },
    answer: (said: { seq: number } | Refused) => void,
  ) => void;
  react: (
    body: { room: string; seq: number; reaction: Reaction; isOn: boolean },
    answer: (reacted: Reacted | Refused) => void,
  ) => void;
  /**
   * Replaces the token on the same connection; null signs out. For an expired token the error is `token-expired`, and
   * the sender becomes a guest.
   */
  authenticate: (body: { token: string | null }, answer: (done: { userId: number | null } | Refused) => void) => void;
}

/** socket.io, server to browser, for participants of the room. */
export interface ChatServerMessages {
  /**
   * Sorted by `seq`. After a gap, the frontend loads the missing messages with GET and recognizes duplicates by `seq`.
   */
  messages: (data: { room: string; messages: ChatMessage[] }) => void;
  /**
   * The current state of changed messages: removed, with changed reactions, hidden from this reader, or visible again.
   */
  'messages-changed': (data: { room: string; messages: ChatMessage[] }) => void;
  'room-changed': (data: {
    room: string;
    isActive: boolean;
    slowModeSeconds: number;
    name: string;
    description: string;
  }) => void;
  online: (data: { room: string; online: number }) => void;
  /**
   * The token has expired, or was invalid when the socket was opened. The frontend sends a new token with
   * `authenticate`; until then the sender is a guest.
   */
  'token-expired': () => void;
}
