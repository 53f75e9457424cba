import { table } from '@beltway/kit/columns';

export const chatMessages = table('chat_messages', {
  room: 'text',
  seq: 'int4',
  version: 'int8',
  id: 'uuid',
  userId: 'int4?',
  guestId: 'uuid?',
  userName: 'text',
  message: 'text',
  isSystem: 'bool',
  isOrganiser: 'bool',
  createdAt: 'timestamptz',
  removedAt: 'timestamptz?',
});

export const chatEvents = table('chat_events', {
  eventId: 'int4',
  ownerId: 'int4',
  title: 'text',
  status: 'text',
  version: 'int8',
});
