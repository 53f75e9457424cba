import { hiddenMessage } from '@beltway/contracts/realtime/chat';
import { expect, test } from 'vitest';
import { chatMessage as message, chatMessages as messages } from '../../testing/chat.ts';
import { begun, changed, EMPTY, extended, hasOlder, missingUpTo, received, shortened, shownOf } from './transcript.ts';

const seqs = (of: { messages: readonly { seq: number }[] }) => of.messages.map(({ seq }) => seq);
const at30 = begun(EMPTY, messages(5, 30), 30);

test('messages in any order, some repeated, form one transcript without gaps or duplicates', () => {
  // All 120 sequences of five messages, each message delivered twice.
  const orders = (left: number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  for (const order of orders([31, 32, 33, 34, 35])) {
    let now = at30;
    for (const seq of [...order, ...order]) {
      now = received(now, [message(seq)]);
      expect(seqs(now)).toEqual(seqs({ messages: messages(5, now.last!) }));
    }
    expect(now.last).toBe(35);
    expect(now.early.size).toBe(0);
  }
});

test('a gap reaches up to the last early message, or the last number that the server reported', () => {
  expect(missingUpTo(at30, 30)).toBeNull();
  expect(missingUpTo(at30, 32)).toBe(32);
  expect(missingUpTo(received(at30, [message(34)]), 30)).toBe(34);
  expect(missingUpTo(EMPTY, 30)).toBeNull();
});

test('messages that arrive before the first answer are shown once it has arrived', () => {
  const early = received(EMPTY, messages(31, 32));
  expect(early.messages).toEqual([]);
  expect(seqs(begun(early, messages(5, 30), 30)).at(-1)).toBe(32);
  expect(begun(received(EMPTY, [message(29)]), messages(5, 30), 30).early.size).toBe(0);
});

test('an empty room shows its first message', () => {
  expect(seqs(received(begun(EMPTY, [], 0), [message(1)]))).toEqual([1]);
});

test('a change that arrives before its message is applied, and unchanged messages stay the same objects', () => {
  const removed = message(31, { isRemoved: true, message: '' });
  const now = received(changed(at30, [removed]), messages(31, 32));
  expect(now.messages.at(-2)).toBe(removed);
  expect(now.messages[0]).toBe(at30.messages[0]);
  expect(changed(now, [message(5, { reactions: { '🔥': 2 } })]).messages[0]!.reactions).toEqual({ '🔥': 2 });
});

test('older messages are prepended with their changes; a page of messages that leaves a gap is ignored', () => {
  const removed = message(3, { isRemoved: true, message: '' });
  const now = extended(changed(at30, [removed]), messages(1, 4));
  expect(seqs(now)).toEqual(seqs({ messages: messages(1, 30) }));
  expect(now.messages[2]).toBe(removed);
  expect(hasOlder(at30)).toBe(true);
  expect(hasOlder(now)).toBe(false);
  expect(extended(now, messages(1, 4))).toBe(now);
  expect(extended(shortened(at30, 10), messages(1, 4)).messages).toHaveLength(10);
});

test('pending changes of messages that are not loaded are limited to the newest 500', () => {
  const now = changed(begun(EMPTY, messages(3_000, 3_001), 3_001), messages(1, 2_000));
  expect(now.changes.size).toBe(500);
  expect(now.changes.has(2_000)).toBe(true);
});

test('all messages of a hidden author disappear without a gap, and reappear later', () => {
  const by = (seq: number, userId: number | null) => message(seq, { userId });
  const all = begun(EMPTY, [by(1, 7), by(2, null), by(3, 7), by(4, 8)], 4);
  const now = received(changed(all, [hiddenMessage(by(3, 7))]), [hiddenMessage(by(5, 7)), by(6, 8)]);
  expect(shownOf(now).map(({ seq }) => seq)).toEqual([2, 4, 6]);
  expect(seqs(now)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(now.last).toBe(6);
  expect(missingUpTo(now, 6)).toBeNull();
  expect(now.messages[0]).toEqual(hiddenMessage(by(1, 7)));
  const again = changed(now, [by(1, 7), by(3, 7), by(5, 7)]);
  expect(shownOf(again).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
});
