import type { ChatMessage, ChatRoom } from '@beltway/contracts/realtime/chat';

/** A message of the region's room, with an id derived from its sequence number. */
export const chatMessage = (seq: number, changes: Partial<ChatMessage> = {}): ChatMessage => ({
  seq,
  id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
  eventId: null,
  userId: null,
  userName: `Guest ${seq}`,
  message: `Message ${seq}`,
  isSystemMessage: false,
  isOrganizer: false,
  isRemoved: false,
  reactions: {},
  createdAt: '2030-07-01T12:00:00.000Z',
  ...changes,
});

/** The messages with sequence numbers `from` to `to`. */
export const chatMessages = (from: number, to: number): ChatMessage[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => chatMessage(from + at));

export const chatRoom = (changes: Partial<ChatRoom> = {}): ChatRoom => ({
  room: 'region',
  eventId: null,
  name: 'DC area',
  description: '',
  isActive: true,
  participantCount: 1,
  slowModeSeconds: 0,
  seq: 0,
  canModerate: false,
  ...changes,
});
