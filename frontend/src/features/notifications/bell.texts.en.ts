export const texts = {
  title: 'Notifications',
  unread: 'Notifications, {count} unread',
} as const;
