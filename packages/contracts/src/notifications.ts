import { z } from 'zod';
import { envelope } from './common.ts';

/** What the bell tells of (docs/product.md#notifications). */
export const NotificationKind = z.enum([
  'ticket-bought',
  'ticket-sold',
  'event-changed',
  'event-cancelled',
  'organiser-published',
  'comment-answered',
  'refund-sent',
]);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** A notification as its account reads it. */
export const Notification = z.object({
  id: z.int(),
  kind: NotificationKind,
  title: z.string(),
  text: z.string(),
  /** Of the page that it leads to, `/event/7`. */
  path: z.string(),
  /** When it rang last: of many sales in one hour, with the latest. */
  at: z.iso.datetime(),
  isRead: z.boolean(),
});
export type Notification = z.infer<typeof Notification>;

const cursor = z.string().regex(/^\d{1,15}_\d{1,15}$/, 'must be the nextCursor of the page before');

/** GET /api/me/notifications, latest first; `cursor` is the `nextCursor` of the page before. */
export const NotificationsQuery = z.object({
  cursor: cursor.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const NotificationPage = z.object({
  items: z.array(Notification),
  nextCursor: z.string().nullable(),
});
export type NotificationPage = z.infer<typeof NotificationPage>;

/** Unread notifications are counted up to here; one more means: more than that. */
export const MAX_UNREAD_SHOWN = 99;
/** GET /api/me/notifications/unread, and what marking as read answers. At most `MAX_UNREAD_SHOWN` and one. */
export const Unread = z.object({ unread: z.int().min(0) });
export type Unread = z.infer<typeof Unread>;

/** POST /api/me/notifications/read: all that rang until then are read. Those that came while the person looked stay unread. */
export const ReadAllBody = z.strictObject({ until: z.iso.datetime() });
export type ReadAllBody = z.infer<typeof ReadAllBody>;

/** Kinds that can come by mail as well. Of all others ticketing writes anyway: they are about what was paid. */
export const MailedKind = NotificationKind.extract(['ticket-sold', 'organiser-published', 'comment-answered']);
export type MailedKind = z.infer<typeof MailedKind>;

/** GET and PUT /api/me/notification-preferences. `isDaily`: what comes by mail comes in one mail a day. */
export const NotificationPreferences = z.strictObject({
  page: z.record(NotificationKind, z.boolean()),
  mail: z.record(MailedKind, z.boolean()),
  isDaily: z.boolean(),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/** POST /api/notifications/unsubscribe?token=, by the link of a mail: no account is asked for (RFC 8058). */
export const UnsubscribeQuery = z.object({ token: z.string().min(1).max(200) });

/** GET /internal/people/:id/address, by identity: where an account has its mail. 404 for one that is no more. */
export const AccountAddress = z.object({ email: z.string() });
export type AccountAddress = z.infer<typeof AccountAddress>;

/** GET /internal/followers/:organiserId?after=<account>&limit=: who follows an organiser, in the order of their numbers. */
export const FollowersQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});
export const Followers = z.object({ accounts: z.array(z.int()) });
export type Followers = z.infer<typeof Followers>;

/** Somebody answered a comment. Numbers only: what they wrote stays in the catalog, where it can be erased. */
export const CommentAnsweredV1 = z.object({
  ...envelope,
  type: z.literal('catalog.comment-answered'),
  version: z.literal(1),
  data: z.object({
    eventId: z.int(),
    /** The answer, and the comment that it answers. */
    commentId: z.int(),
    answerTo: z.int(),
    /** Who wrote the comment that was answered. */
    authorId: z.int(),
  }),
});
export type CommentAnsweredV1 = z.infer<typeof CommentAnsweredV1>;

/** socket.io, browser to server. */
export interface NotificationClientMessages {
  /** Rings for the account of this token from now on; null: for nobody. Answered with whether it does. */
  'follow-notifications': (token: string | null, answer?: (isFollowing: boolean) => void) => void;
}

/** socket.io, server to browser. */
export interface NotificationServerMessages {
  /** There are others than before, or other ones are read: the page asks again. */
  'notifications-changed': () => void;
}
