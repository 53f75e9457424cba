import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import { useEffect, useRef, useState } from 'react';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';

/** Milliseconds between two announcements: a busy room would leave a screen reader no time for anything else. */
const PAUSE_MS = 5_000;

/** What a screen reader says of messages that arrive: one is read out, of several the number and the last. Not one's own. */
export function useAnnounced(messages: readonly ChatMessage[], isOwn: (message: ChatMessage) => boolean): string {
  const [said, setSaid] = useState('');
  const latest = useRef(messages);
  /** The last number that was here at first, or that was spoken of. */
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
      // What comes in the meantime is spoken of together.
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
