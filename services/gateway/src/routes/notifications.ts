import {
  NotificationPage,
  NotificationPreferences,
  NotificationsQuery,
  ReadAllBody,
  Unread,
  UnsubscribeQuery,
} from '@beltway/contracts/notifications';
import { answeredBy, type Route } from './route.ts';

export const notifications: Route[] = answeredBy('realtime', [
  {
    method: 'get',
    path: '/api/me/notifications',
    summary: 'One’s notifications, latest first',
    access: 'signed in',
    query: NotificationsQuery.shape,
    answer: NotificationPage,
  },
  {
    method: 'get',
    path: '/api/me/notifications/unread',
    summary: 'How many of one’s notifications are unread; counted up to 100',
    access: 'signed in',
    answer: Unread,
  },
  {
    method: 'post',
    path: '/api/me/notifications/read',
    summary: 'Mark all notifications that rang until a time as read',
    access: 'signed in',
    body: ReadAllBody,
    answer: Unread,
  },
  {
    method: 'put',
    path: '/api/me/notifications/{notificationId}/read',
    summary: 'Mark one notification as read',
    access: 'signed in',
    answer: Unread,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/me/notification-preferences',
    summary: 'What one is told of, on the page and by mail',
    access: 'signed in',
    answer: NotificationPreferences,
  },
  {
    method: 'put',
    path: '/api/me/notification-preferences',
    summary: 'Choose what one is told of from now on',
    access: 'signed in',
    body: NotificationPreferences,
    answer: NotificationPreferences,
  },
  {
    method: 'post',
    path: '/api/notifications/unsubscribe',
    summary: 'End mails by the link of one, without signing in (RFC 8058)',
    access: 'public',
    query: UnsubscribeQuery.shape,
    status: 204,
  },
]);
