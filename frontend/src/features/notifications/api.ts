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

/** Shows so many as unread, in place of what is still being asked for. A list that was shown is asked for again. */
export async function showUnread(queries: QueryClient, unread: number): Promise<void> {
  const { queryKey } = unreadQuery();
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, { unread });
  await queries.invalidateQueries({ queryKey: notificationsQuery().queryKey });
}

/** Asks again for what is shown of them. */
export const refreshNotifications = (queries: QueryClient) => queries.invalidateQueries({ queryKey: [LIST] });

/** Asks anew for all that is shown but the bell’s own. */
export const refreshPage = (queries: QueryClient) =>
  queries.invalidateQueries({ type: 'active', predicate: ({ queryKey }) => queryKey[0] !== LIST });

/** Shows these as read; what the server says follows. */
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

/** PUT /api/me/notifications/{id}/read. Without a promise: whoever follows one is on the way to another page. */
export function markRead(queries: QueryClient, { id, isRead }: Notification): void {
  if (isRead) return;
  showRead(queries, (item) => item.id === id);
  put(`${LIST}/${id}/read`, undefined, Unread).then(
    (now) => queries.setQueryData(unreadQuery().queryKey, now),
    () => refreshNotifications(queries),
  );
}

/** POST /api/me/notifications/read: all that rang until the latest that is shown. */
export async function markAllRead(queries: QueryClient, until: string): Promise<void> {
  const now = await post(`${LIST}/read`, { until }, Unread);
  showRead(queries, ({ at }) => at <= until);
  queries.setQueryData(unreadQuery().queryKey, now);
}

/** GET /api/me/notification-preferences */
export const preferencesQuery = () => apiQuery(NotificationPreferences, '/api/me/notification-preferences');

/** PATCH /api/me/notification-preferences: what changes alone. Gives all choices, with those made elsewhere. */
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

/** POST /api/notifications/unsubscribe, by the link of a mail. Rejects with HttpError 400 for a link that is not whole. */
export const unsubscribe = (token: string) =>
  post(`/api/notifications/unsubscribe?token=${encodeURIComponent(token)}`, undefined, undefined, { session: false });
