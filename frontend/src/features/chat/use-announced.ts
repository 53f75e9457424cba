import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import { useEffect, useRef, useState } from 'react';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

/** Milliseconds between two announcements, so that in a busy room the screen reader has time for other output. */
const PAUSE_MS = 5_000;

/**
 * The text that screen readers announce for new messages from others: one message in full, or the number of messages
 * and the last one.
 */
export function useAnnounced(messages: readonly ChatMessage[], isOwn: (message: ChatMessage) => boolean): string {
  const [said, setSaid] = useState('');
  const latest = useRef(messages);
  /** The number of the last message that was announced, or of the last message that loaded at first. */
  const heard = useRef<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    latest.current = messages;
    const last = messages.at(-1)?.seq;
    if (last === undefined) return;
    heard.current ??= last;
    if (last <= heard.current || timer.current !== null) return;
    const speak = () => {
      const fresh = latest.current.filter((one) => one.seq > (heard.current ?? 0) && !one.isRemoved && !isOwn(one));
      heard.current = latest.current.at(-1)?.seq ?? heard.current;
      const newest = fresh.at(-1);
      if (newest) {
        const text = newest.isSystemMessage ? newest.message : `${newest.userName}: ${newest.message}`;
        setSaid(fresh.length === 1 ? text : textsNow(texts)('freshLast', { count: fresh.length, last: text }));
      }
      // Messages that arrive during the pause are announced together.
      timer.current = setTimeout(() => {
        timer.current = null;
        if ((latest.current.at(-1)?.seq ?? 0) > (heard.current ?? 0)) speak();
      }, PAUSE_MS);
    };
    speak();
  }, [messages, isOwn]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return said;
}
