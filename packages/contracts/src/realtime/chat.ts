import { z } from 'zod';
import { fieldOr, optionalField, type Said } from '../common/basics.ts';
import { ReportReason } from './comments.ts';
import { blockText, lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Characters of a message at most. */
export const MAX_CHAT_MESSAGE = 500;
/** Messages that a room shows at first. */
export const FIRST_MESSAGES = 26;
/** Messages in one answer at most. */
export const MAX_MESSAGES = 100;
/** Characters of the name that a guest takes. */
export const MAX_GUEST_NAME = 30;

/** What a reader can answer a message with, by one click. */
export const REACTIONS = ['❤️', '🔥', '👏', '😂', '🎉'] as const;
export const Reaction = z.enum(REACTIONS);
export type Reaction = z.infer<typeof Reaction>;

/** As text, wherever it stands: `region`, the room of the home page, or the number of an event. */
export const RoomId = z
  .string()
  .regex(/^(?:region|[1-9]\d{0,9})$/, fault('invalid.room'))
  .refine((room) => room === 'region' || Number(room) <= 2_147_483_647, fault('invalid.room'));
export type RoomId = z.infer<typeof RoomId>;

/** How often each reaction was given; those that nobody gave are left out. */
export const ReactionCounts = z.partialRecord(Reaction, z.int().positive());
export type ReactionCounts = z.infer<typeof ReactionCounts>;

/** A message as everybody reads it. */
export const ChatMessage = z.object({
  /** 1, 2, 3, … in its room, without a gap; a removed message keeps its number. */
  seq: z.int().positive(),
  /** The id that its writer gave it. */
  id: z.uuid(),
  eventId: z.int().nullable(),
  /** Null: a guest, or the system. */
  userId: z.int().nullable(),
  userName: z.string(),
  /** Plain text; empty where it was removed. */
  message: z.string(),
  isSystemMessage: z.boolean(),
  /** Written by who owns the event. */
  isOrganizer: z.boolean(),
  isRemoved: z.boolean(),
  /** Of somebody whom the reader blocks, or who blocks them: `hiddenMessage`. Left out otherwise. */
  isHidden: z.literal(true).optional(),
  reactions: ReactionCounts,
  createdAt: z.iso.datetime(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** What is left of a message for who does not see its writer: its place in the room. Readers that know no `isHidden` take it for removed. */
export const hiddenMessage = ({ seq, id, eventId, createdAt }: ChatMessage): ChatMessage => ({
  ...{ seq, id, eventId, userId: null, userName: '', message: '', isSystemMessage: false, isOrganizer: false },
  ...{ isRemoved: true, isHidden: true, reactions: {}, createdAt },
});

/** A room as everybody reads it: GET /api/chat/{room}. */
export const ChatRoom = z.object({
  room: RoomId,
  eventId: z.int().nullable(),
  name: z.string(),
  description: z.string(),
  /** Whether people can write. */
  isActive: z.boolean(),
  /** People here now, at all instances. */
  participantCount: z.int(),
  /** Each person may write once in so many seconds; 0: no such limit. */
  slowModeSeconds: z.int().min(0),
  /** The last message's number; 0: none yet. */
  seq: z.int().min(0),
  /** Whether the caller may moderate here. */
  canModerate: z.boolean(),
});
export type ChatRoom = z.infer<typeof ChatRoom>;

export const RoomDescription = blockText(300, 'invalid.room-description');

/** PATCH /api/chat/{room}, by who owns the event, or an admin. */
export const ChatRoomBody = z
  .strictObject({
    name: lineText(80, 'invalid.room-name'),
    /** Null, or empty text, takes it away. */
    description: fieldOr(RoomDescription, null),
    isActive: z.boolean(),
    slowModeSeconds: z.int().min(0).max(600),
  })
  .partial();
export type ChatRoomBody = z.infer<typeof ChatRoomBody>;

const messageText = blockText(MAX_CHAT_MESSAGE, 'invalid.something');

/**
 * Tells one guest from another: made by the server, given by `join`, kept by the browser, and sent in the handshake (`auth.guestKey`) or as
 * `X-Guest-Key`. Guests without one share one identity per network: they write and react, and take nothing back.
 */
export const GuestKey = z.string().regex(/^[\w-]{43}$/, fault('invalid.guest-key'));

export const GuestName = lineText(MAX_GUEST_NAME, 'invalid.guest-name');

/** POST /api/chat/{room}/messages. `id`, made by the client, makes a repeat harmless. `guestName`: without an account. */
export const PostMessageBody = z.strictObject({
  id: z.uuid(),
  message: messageText,
  guestName: optionalField(GuestName),
});
export type PostMessageBody = z.infer<typeof PostMessageBody>;

/** GET /api/chat/{room}/messages: those right after `after`, those right before `before`, or the last ones; always in the order of `seq`. */
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

/** PUT and DELETE /api/chat/{room}/messages/{seq}/reactions/{reaction}: given once by each person, and taken back. */
export const Reacted = z.object({ seq: z.int(), reactions: ReactionCounts });
export type Reacted = z.infer<typeof Reacted>;

/** POST /api/chat/{room}/messages/{seq}/report */
export const ReportMessageBody = z.strictObject({
  reason: ReportReason,
  note: optionalField(blockText(500, 'invalid.something-or-nothing')),
});

/** POST /api/chat/{room}/mutes: the writer of message `seq`, an account or a guest, may not write here. Without `minutes`: for good (the room's block list). */
export const MuteBody = z.strictObject({
  seq: z.int().positive(),
  minutes: optionalField(z.int().min(1).max(10_080)),
});
/** GET /api/chat/{room}/mutes; DELETE /api/chat/{room}/mutes/{id} */
export const Mute = z.object({
  id: z.string(),
  userName: z.string(),
  isGuest: z.boolean(),
  /** Null: for good. */
  until: z.iso.datetime().nullable(),
  at: z.iso.datetime(),
});
export type Mute = z.infer<typeof Mute>;

/** GET /api/chat/reported: what was reported in the rooms that the caller moderates, the newest message first. */
export const ReportedMessagesQuery = z.object({
  before: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const ReportedMessage = z.object({
  room: RoomId,
  roomName: z.string(),
  message: ChatMessage,
  /** The latest ones. Nobody is told who reported. */
  reports: z.array(
    z.object({
      reason: ReportReason,
      note: z.string().nullable(),
      /** What the message said when it was reported. */
      message: z.string(),
      at: z.iso.datetime(),
    }),
  ),
});
export type ReportedMessage = z.infer<typeof ReportedMessage>;
export const ReportedMessages = z.object({
  items: z.array(ReportedMessage),
  /** `before` of the next page; null: there is none. */
  nextBefore: z.iso.datetime().nullable(),
});
export type ReportedMessages = z.infer<typeof ReportedMessages>;

/** Why something was refused, as a problem would tell it by HTTP. */
export interface Refused {
  error: Said & { code: string; retryAfterSeconds?: number };
}

/** Answer to `join`. */
export interface Joined {
  /** Those right after `after` (at most 100: the rest is asked for by GET), or the last 26; in the order of `seq`. */
  messages: ChatMessage[];
  /** The last message's number in the room. */
  seq: number;
  /** People here now. */
  online: number;
  /** With `after`: what changed of the 100 messages up to it, as they are now: removed, hidden or with reactions. */
  changed: ChatMessage[];
  /**
   * With `after`: the room does not have that message, since its log was restored from an earlier day. What the page shows is of the old
   * log: it begins anew with `messages`, the last 26.
   */
  startsAnew?: true;
  /** To a guest who came without one: by it the server knows them again (`GuestKey`). */
  guestKey?: string;
}

/** socket.io, browser to server. All are answered. Who joins again without leaving is there once. */
export interface ChatClientMessages {
  /** `after`: the last number that the page has; `afterId`: that message's id, by which it is known to be the same. */
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
  /** A fresh token on the same connection; null: signed out. One that has ended: `token-expired`, and the page is a guest. */
  authenticate: (body: { token: string | null }, answer: (done: { userId: number | null } | Refused) => void) => void;
}

/** socket.io, server to browser, to those who joined the room. */
export interface ChatServerMessages {
  /** In the order of `seq`. Who sees a gap asks by GET; who gets one again knows it by its `seq`. */
  messages: (data: { room: string; messages: ChatMessage[] }) => void;
  /** Messages that changed, as they are now: removed, with other reactions, hidden from this reader or not any more. */
  'messages-changed': (data: { room: string; messages: ChatMessage[] }) => void;
  'room-changed': (data: {
    room: string;
    isActive: boolean;
    slowModeSeconds: number;
    name: string;
    description: string;
  }) => void;
  online: (data: { room: string; online: number }) => void;
  /** The token is no longer good, or was not when the socket was opened: the page sends a fresh one by `authenticate`, and is a guest until then. */
  'token-expired': () => void;
}
