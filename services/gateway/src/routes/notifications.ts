import { NotificationPage, NotificationsQuery, ReadAllBody, Unread } from '@beltway/contracts/notifications';
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
]);
