import { expect, test } from 'vitest';
import { ChatMessage } from '@beltway/contracts/realtime/chat';
import { seenBy } from './visibility.ts';

const message = (seq: number, changes: Partial<ChatMessage> = {}): ChatMessage => ({
  ...{ seq, id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`, eventId: 7, userId: 40 + seq },
  ...{ userName: `User ${seq}`, message: `Message ${seq}`, isSystemMessage: false, isOrganizer: false },
  ...{ isRemoved: false, reactions: { '🔥': 2 }, createdAt: '2030-07-01T12:00:00.000Z', ...changes },
});

test('a message by a hidden account keeps its number in the room and loses its content', () => {
  const all = [message(1), message(2, { isOrganizer: true }), message(3)];
  const seen = seenBy(new Set([42]), all);
  expect(seen[0]).toBe(all[0]);
  expect(seen[2]).toBe(all[2]);
  expect(ChatMessage.parse(seen[1])).toEqual({
    ...message(2, { userId: null, userName: '', message: '', reactions: {} }),
    ...{ isOrganizer: false, isRemoved: true, isHidden: true },
  });
});

test('readers with no hidden message get the same list, which is encoded once', () => {
  const all = [message(1), message(2), message(3, { userId: null })];
  expect(seenBy(new Set(), all)).toBe(all);
  expect(seenBy(new Set([99, 3]), all)).toBe(all);
});
