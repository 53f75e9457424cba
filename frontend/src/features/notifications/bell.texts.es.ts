export const texts = {
  title: 'Notificaciones',
  unread: 'Notificaciones, {count} sin leer',
};
