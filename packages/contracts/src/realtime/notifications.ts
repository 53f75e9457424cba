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

const cursor = z.string().regex(/^\d{1,15}_\d{1,15}$/, fault('invalid.cursor'));

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
export const MailedKind = NotificationKind.extract([
  'ticket-sold',
  'organizer-published',
  'search-matched',
  'comment-answered',
]);
export type MailedKind = z.infer<typeof MailedKind>;

/**
 * GET /api/me/notification-preferences. `push`: what browsers show that were asked to (`PushSubscriptionBody`). `isDaily`: what
 * comes by mail comes in one mail a day.
 */
export const NotificationPreferences = z.strictObject({
  page: z.record(NotificationKind, z.boolean()),
  mail: z.record(MailedKind, z.boolean()),
  push: z.record(NotificationKind, z.boolean()),
  isDaily: z.boolean(),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/**
 * PATCH /api/me/notification-preferences: the choices that change, and no other. A page that shows old ones takes nothing back that was
 * chosen elsewhere meanwhile, as by the link of a mail. A repeat changes nothing.
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
  // By name: an address in the place of one is nobody's push service.
  return protocol === 'https:' && port === '' && username + password === '' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}

const PushEndpoint = z.string().max(1_000).refine(isPushAddress, fault('invalid.push-address'));
const base64url = (characters: number, text: 'invalid.push-secret' | 'invalid.push-key') =>
  z.string().regex(new RegExp(`^[\\w-]{${characters}}$`), fault(text));
const PushAuth = base64url(22, 'invalid.push-secret');

/** PUT /api/me/push-subscriptions: what a browser says of itself (PushSubscription.toJSON). A repeat changes nothing. */
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
 * POST /api/push-subscriptions/renew, by a service worker whose browser has a new subscription in place of `endpoint`. Without an
 * account: who knows `auth` of the old one is that browser.
 */
export const PushRenewalBody = z.strictObject({
  endpoint: PushEndpoint,
  auth: PushAuth,
  subscription: PushSubscriptionBody,
});
export type PushRenewalBody = z.infer<typeof PushRenewalBody>;

/** GET /api/me/push-subscriptions. `publicKey`: of this server, for a browser's subscription; null where it sends none. */
export const PushSubscriptions = z.object({ publicKey: z.string().nullable(), endpoints: z.array(z.string()) });
export type PushSubscriptions = z.infer<typeof PushSubscriptions>;

/** What a browser is told by push, encrypted for it alone. Its service worker shows it and opens `path`. */
export interface PushMessage {
  title: string;
  body: string;
  path: string;
  /** The same one shown again takes the place of the first. */
  tag: string;
}

/** POST /api/notifications/unsubscribe?token=, by the link of a mail: no account is asked for (RFC 8058). */
export const UnsubscribeQuery = z.object({ token: z.string().min(1).max(200) });

/** GET /internal/people/:id/address, by identity: where an account has its mail, and in which language. 404 for one that is no more. */
export const AccountAddress = z.object({
  email: z.string(),
  isVerified: z.boolean().default(false),
  /** Identities from before leave it out, and know it for who has not said one as English. */
  language: z.enum(LANGUAGES).default('en'),
});
export type AccountAddress = z.infer<typeof AccountAddress>;

/** GET /internal/followers/:organizerId?after=<account>&limit=: who follows an organizer, in the order of their numbers. */
export const FollowersQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});
export const Followers = z.object({ accounts: z.array(z.int()) });
export type Followers = z.infer<typeof Followers>;

/** socket.io, browser to server. */
export interface NotificationClientMessages {
  /**
   * Rings for the account of this token from now on; null: for nobody. Answered with whether it does, and with how many were unread
   * then (as `Unread` has it); without a number where they could not be counted, so that the page asks by HTTP.
   */
  'follow-notifications': (token: string | null, answer?: (isFollowing: boolean, unread?: number) => void) => void;
}

/** socket.io, server to browser. */
export interface NotificationServerMessages {
  /** There are others than before, or other ones are read: the page asks again. */
  'notifications-changed': () => void;
}
