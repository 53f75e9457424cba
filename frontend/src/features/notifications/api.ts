import {
  NotificationPage,
  NotificationPreferences,
  PushSubscriptions,
  Unread,
  type Notification,
  type NotificationChoices,
  type PushSubscriptionBody,
} from '@beltway/contracts/realtime/notifications';
import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { del, get, patch, post, put } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

/** The hash of the settings on the account page. `notifications` would open the bell's dialog. */
export const SETTINGS_SECTION = 'notification-settings';
export const SETTINGS_PATH = `/account#${SETTINGS_SECTION}`;

const LIST = '/api/me/notifications';
type Pages = InfiniteData<NotificationPage, string>;

/** GET /api/me/notifications/unread */
export const unreadQuery = () => apiQuery(Unread, LIST, 'unread');

/** GET /api/me/notifications, page after page. */
export const notificationsQuery = () =>
  infiniteQueryOptions({
    queryKey: [LIST, 'list'] as const,
    queryFn: ({ pageParam, signal }): Promise<NotificationPage> =>
      get(`${LIST}${pageParam && `?cursor=${pageParam}`}`, NotificationPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Sets the unread count and cancels a running fetch of it. Refetches the list if it is shown. */
export async function showUnread(queries: QueryClient, unread: number): Promise<void> {
  const { queryKey } = unreadQuery();
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, { unread });
  await queries.invalidateQueries({ queryKey: notificationsQuery().queryKey });
}

/** Refetches all notification queries that are shown. */
export const refreshNotifications = (queries: QueryClient) => queries.invalidateQueries({ queryKey: [LIST] });

/** Refetches all queries that are shown, except the bell's queries. */
export const refreshPage = (queries: QueryClient) =>
  queries.invalidateQueries({ type: 'active', predicate: ({ queryKey }) => queryKey[0] !== LIST });

/** Marks the matching notifications as read in the cache, before the server responds. */
function showRead(queries: QueryClient, isMeant: (notification: Notification) => boolean): void {
  queries.setQueryData<Pages>(
    notificationsQuery().queryKey,
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (isMeant(item) ? { ...item, isRead: true } : item)),
        })),
      },
  );
}

/** PUT /api/me/notifications/{id}/read. Not awaited, because the reader is navigating to another page. */
export function markRead(queries: QueryClient, { id, isRead }: Notification): void {
  if (isRead) return;
  showRead(queries, (item) => item.id === id);
  put(`${LIST}/${id}/read`, undefined, Unread).then(
    (now) => queries.setQueryData(unreadQuery().queryKey, now),
    () => refreshNotifications(queries),
  );
}

/** POST /api/me/notifications/read: everything up to the latest notification shown. */
export async function markAllRead(queries: QueryClient, until: string): Promise<void> {
  const now = await post(`${LIST}/read`, { until }, Unread);
  showRead(queries, ({ at }) => at <= until);
  queries.setQueryData(unreadQuery().queryKey, now);
}

/** GET /api/me/notification-preferences */
export const preferencesQuery = () => apiQuery(NotificationPreferences, '/api/me/notification-preferences');

/**
 * PATCH /api/me/notification-preferences with only the changes. Returns all choices, including choices that were
 * changed elsewhere.
 */
export const patchPreferences = (changed: NotificationChoices) =>
  patch('/api/me/notification-preferences', changed, NotificationPreferences);

/** GET /api/me/push-subscriptions */
export const pushSubscriptionsQuery = () => apiQuery(PushSubscriptions, '/api/me/push-subscriptions');

/** PUT /api/me/push-subscriptions */
export const putPushSubscription = (subscription: PushSubscriptionBody) =>
  put('/api/me/push-subscriptions', subscription, undefined);

/** DELETE /api/me/push-subscriptions */
export const deletePushSubscription = (endpoint: string) =>
  del('/api/me/push-subscriptions', undefined, { body: { endpoint } });

/**
 * POST /api/notifications/unsubscribe with the token from a mail's link. Rejects with HttpError 400 for an incomplete
 * link.
 */
export const unsubscribe = (token: string) =>
  post(`/api/notifications/unsubscribe?token=${encodeURIComponent(token)}`, undefined, undefined, { session: false });
