import { z } from 'zod';
import { LANGUAGES } from '../common/languages.ts';
import { fault } from '../problems/fault.ts';

/** The kinds of notifications (services/realtime/PRODUCT.md#notifications). */
export const NotificationKind = z.enum([
  'ticket-bought',
  'ticket-sold',
  'event-changed',
  'event-canceled',
  'organizer-published',
  'search-matched',
  'comment-answered',
  'reply',
  'refund-sent',
  'moderated',
  'badge',
  'connection',
]);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** A notification for its account. */
export const Notification = z.object({
  id: z.int(),
  kind: NotificationKind,
  title: z.string(),
  text: z.string(),
  /** Path of the page that the notification links to, `/event/7`. */
  path: z.string(),
  /** Time of the notification. Sales within one hour share one notification, which has the time of the latest sale. */
  at: z.iso.datetime(),
  isRead: z.boolean(),
});
export type Notification = z.infer<typeof Notification>;

const cursor = z.string().regex(/^\d{1,15}_\d{1,15}$/, fault('invalid.cursor'));

/** GET /api/me/notifications, latest first; `cursor` is the `nextCursor` of the previous page. */
export const NotificationsQuery = z.object({
  cursor: cursor.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const NotificationPage = z.object({
  items: z.array(Notification),
  nextCursor: z.string().nullable(),
});
export type NotificationPage = z.infer<typeof NotificationPage>;

/** Maximum displayed number of unread notifications. A count of `MAX_UNREAD_SHOWN` + 1 means "more than 99". */
export const MAX_UNREAD_SHOWN = 99;
/** GET /api/me/notifications/unread, and the response to marking as read. At most `MAX_UNREAD_SHOWN` + 1. */
export const Unread = z.object({ unread: z.int().min(0) });
export type Unread = z.infer<typeof Unread>;

/**
 * POST /api/me/notifications/read: marks notifications up to `until` as read. Newer notifications stay unread, because
 * the person has not seen them.
 */
export const ReadAllBody = z.strictObject({ until: z.iso.datetime() });
export type ReadAllBody = z.infer<typeof ReadAllBody>;

/**
 * Kinds that an account can choose to get by mail. Ticketing always mails all other kinds, because they concern
 * payments.
 */
export const MailedKind = NotificationKind.extract([
  'ticket-sold',
  'organizer-published',
  'search-matched',
  'comment-answered',
]);
export type MailedKind = z.infer<typeof MailedKind>;

/**
 * GET /api/me/notification-preferences. `push`: subscribed browsers display the notification (`PushSubscriptionBody`).
 * `isDaily`: one mail a day instead of one mail per notification.
 */
export const NotificationPreferences = z.strictObject({
  page: z.record(NotificationKind, z.boolean()),
  mail: z.record(MailedKind, z.boolean()),
  push: z.record(NotificationKind, z.boolean()),
  isDaily: z.boolean(),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/**
 * PATCH /api/me/notification-preferences: contains only the changed choices, so that an outdated page does not undo a
 * choice made elsewhere, such as through a mailed link. Idempotent.
 */
export const NotificationChoices = z
  .strictObject({
    page: z.partialRecord(NotificationKind, z.boolean()),
    mail: z.partialRecord(MailedKind, z.boolean()),
    push: z.partialRecord(NotificationKind, z.boolean()),
    isDaily: z.boolean(),
  })
  .partial();
export type NotificationChoices = z.infer<typeof NotificationChoices>;

function isPushAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  // Requires a host name, because a push service never has a bare IP address.
  return protocol === 'https:' && port === '' && username + password === '' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}

const PushEndpoint = z.string().max(1_000).refine(isPushAddress, fault('invalid.push-address'));
const base64url = (characters: number, text: 'invalid.push-secret' | 'invalid.push-key') =>
  z.string().regex(new RegExp(`^[\\w-]{${characters}}$`), fault(text));
const PushAuth = base64url(22, 'invalid.push-secret');

/** PUT /api/me/push-subscriptions: the result of the browser's PushSubscription.toJSON(). Idempotent. */
export const PushSubscriptionBody = z.strictObject({
  endpoint: PushEndpoint,
  keys: z.strictObject({
    p256dh: base64url(87, 'invalid.push-key'),
    auth: PushAuth,
  }),
});
export type PushSubscriptionBody = z.infer<typeof PushSubscriptionBody>;

/** DELETE /api/me/push-subscriptions */
export const PushEndpointBody = PushSubscriptionBody.pick({ endpoint: true });

/**
 * POST /api/push-subscriptions/renew, from a service worker whose browser has replaced the subscription `endpoint`.
 * Requires no account: the old `auth` proves that it is the same browser.
 */
export const PushRenewalBody = z.strictObject({
  endpoint: PushEndpoint,
  auth: PushAuth,
  subscription: PushSubscriptionBody,
});
export type PushRenewalBody = z.infer<typeof PushRenewalBody>;

/**
 * GET /api/me/push-subscriptions. `publicKey`: the server's key, which a browser needs to subscribe; null: push is not
 * configured.
 */
export const PushSubscriptions = z.object({ publicKey: z.string().nullable(), endpoints: z.array(z.string()) });
export type PushSubscriptions = z.infer<typeof PushSubscriptions>;

/**
 * Payload of a push message, encrypted for one browser. The browser's service worker displays the notification, and a
 * click opens `path`.
 */
export interface PushMessage {
  title: string;
  body: string;
  path: string;
  /** A later notification with the same tag replaces this notification. */
  tag: string;
}

/** POST /api/notifications/unsubscribe?token=, from a mailed link; requires no account (RFC 8058). */
export const UnsubscribeQuery = z.object({ token: z.string().min(1).max(200) });

/**
 * GET /internal/people/:id/address of identity: an account's email address and language. 404: the account no longer
 * exists.
 */
export const AccountAddress = z.object({
  email: z.string(),
  isVerified: z.boolean().default(false),
  /** Older instances of identity omit the language. English is the default for accounts without a choice. */
  language: z.enum(LANGUAGES).default('en'),
});
export type AccountAddress = z.infer<typeof AccountAddress>;

/** GET /internal/followers/:organizerId?after=<account>&limit=: an organizer's followers, ordered by account id. */
export const FollowersQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});
export const Followers = z.object({ accounts: z.array(z.int()) });
export type Followers = z.infer<typeof Followers>;

/** socket.io, browser to server. */
export interface NotificationClientMessages {
  /**
   * Subscribes the socket to the notifications of the token's account; null unsubscribes. The response contains whether
   * the socket is subscribed, and the number of unread notifications (as in `Unread`). The number is absent if counting
   * failed; then the frontend loads the number by HTTP.
   */
  'follow-notifications': (token: string | null, answer?: (isFollowing: boolean, unread?: number) => void) => void;
}

/** socket.io, server to browser. */
export interface NotificationServerMessages {
  /** Notifications were added or read, so the frontend loads the notifications again. */
  'notifications-changed': () => void;
}
