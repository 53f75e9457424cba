import type { ChatMessage, Reaction } from '@beltway/contracts/realtime/chat';
import ArrowDown from 'lucide-react/icons/arrow-down';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { MessageItem, type MessageActions } from './message-item.tsx';
import type { Outgoing, Room } from './room.ts';
import { texts } from './texts.en.ts';
import { hasOlder, shownOf } from './transcript.ts';

/** Within this many pixels of the bottom, the reader counts as being at the newest messages. */
const END = 48;
/** Within this many pixels of the top, older messages load. */
const BEGINNING = 120;

interface MessageListProps {
  room: Room;
  /** The number of messages written on this page. Each new one scrolls the list to the end. */
  written: number;
  actions: Omit<MessageActions, 'open'>;
  label: string;
}

/**
 * The messages of a room. While the reader is at the end, the list scrolls to new messages; otherwise it keeps its
 * position. Arrow keys move between messages.
 */
export function MessageList({ room, written, actions, label }: MessageListProps) {
  const t = useTexts(texts);
  const { transcript, outbox, older, connection } = room.get();
  const { messages, last } = transcript;
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  /** The number of the message that was the last one when the reader scrolled up. */
  const [seen, setSeen] = useState<number | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  /** The topmost visible message, and its offset from the top of the box in pixels. */
  const anchor = useRef<{ seq: number; top: number } | null>(null);

  const note = () => {
    const place = box.current;
    if (!place) return;
    const end = place.scrollHeight - place.scrollTop - place.clientHeight <= END;
    const top = place.getBoundingClientRect().top;
    const first = [...place.querySelectorAll<HTMLElement>('[data-seq]')].find(
      (one) => one.getBoundingClientRect().bottom > top,
    );
    anchor.current = first ? { seq: Number(first.dataset['seq']), top: first.getBoundingClientRect().top - top } : null;
    room.follow(end);
    setAtEnd(end);
    setSeen((before) => (end ? null : (before ?? last)));
    if (!end && place.scrollTop < BEGINNING && hasOlder(transcript) && older === 'idle') void room.loadOlder();
  };
  const toEnd = () => {
    const place = box.current;
    if (place) place.scrollTop = place.scrollHeight;
    room.follow(true);
    setAtEnd(true);
    setSeen(null);
  };

  // Runs before painting, so that the messages in view do not move.
  useLayoutEffect(() => {
    const place = box.current;
    if (!place) return;
    if (isAtEnd) place.scrollTop = place.scrollHeight;
    else if (anchor.current) {
      const { seq, top } = anchor.current;
      const one = place.querySelector(`[data-seq="${seq}"]`);
      if (one) place.scrollTop += one.getBoundingClientRect().top - place.getBoundingClientRect().top - top;
    }
  }, [messages, outbox, isAtEnd]);
  useLayoutEffect(() => {
    if (written > 0) toEnd();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when a message was written
  }, [written]);
  // The box changes height when a phone's keyboard opens or a picture above it loads.
  useEffect(() => {
    const place = box.current;
    if (!place || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd) place.scrollTop = place.scrollHeight;
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, [isAtEnd]);

  const listed = shownOf(transcript);
  const shown = listed.filter(({ isSystemMessage }) => !isSystemMessage);
  const tabStop = shown.some(({ seq }) => seq === current) ? current : (shown.at(-1)?.seq ?? null);
  const onKeyDown = (press: KeyboardEvent<HTMLDivElement>) => {
    const on = (press.target as HTMLElement).dataset['seq'];
    if (on === undefined) return;
    const at = shown.findIndex(({ seq }) => seq === Number(on));
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: shown.length - 1 }[press.key];
    const next = to === undefined ? undefined : shown[to];
    if (!next) return;
    press.preventDefault();
    box.current?.querySelector<HTMLElement>(`[data-seq="${next.seq}"]`)?.focus();
  };
  const openMessage = (seq: number | null) => {
    setOpen(seq);
    if (seq !== null) setCurrent(seq);
  };
  const all = { ...actions, open: openMessage };
  const stable = useStable(all);
  const hidden = messages.filter(({ seq, isHidden }) => isHidden && seq > (seen ?? 0)).length;
  const fresh = !isAtEnd && seen !== null && last !== null ? last - seen - hidden : 0;
  return (
    <div className="relative min-h-0 flex-1">
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-element-interactions -- arrow-key navigation */}
      <div
        ref={box}
        role="group"
        aria-label={label}
        onScroll={note}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setOpen(null)}
        onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(null)}
        className="relative flex h-full flex-col overflow-y-auto overscroll-contain py-2 [overflow-anchor:none]"
      >
        {hasOlder(transcript) ? (
          <p className="flex justify-center">
            <Button
              variant="quiet"
              className="text-note"
              pending={older === 'loading'}
              onClick={() => void room.loadOlder()}
            >
              {t(older === 'failed' ? 'olderFailed' : 'older')}
            </Button>
          </p>
        ) : (
          last !== null && messages.length > 0 && <Meta className="p-2 text-center">{t('begins')}</Meta>
        )}
        {/* `aria-live` is off, because screen readers would announce every message of a busy room. */}
        <div role="log" aria-live="off" aria-label={label} className="mt-auto">
          {last === 0 && outbox.length === 0 && (
            <p className="px-4 py-10 text-center text-ink-soft">{t('nobodyYet')}</p>
          )}
          <ol>
            {listed.map((message) => (
              <li key={message.seq}>
                <MessageItem
                  message={message}
                  own={room.ownReactions(message)}
                  isCurrent={message.seq === tabStop}
                  isOpen={message.seq === open}
                  isOffline={connection !== 'joined'}
                  // The open message renders again with the list, because its menu depends on the reader's rights.
                  actions={message.seq === open ? all : stable}
                />
              </li>
            ))}
            {outbox.map((outgoing) => (
              <li key={outgoing.id}>
                <Unsent outgoing={outgoing} room={room} />
              </li>
            ))}
          </ol>
        </div>
      </div>
      {!isAtEnd && (
        <Button
          variant="secondary"
          onClick={toEnd}
          className="absolute! inset-x-0 bottom-2 mx-auto w-fit animate-rise bg-raised! px-4! text-note shadow-lift"
        >
          <ArrowDown aria-hidden className="size-4" />
          {fresh === 0 ? t('toNewest') : t('fresh', { count: fresh })}
        </Button>
      )}
    </div>
  );
}

/** A message from this page that is being sent, or was rejected. */
function Unsent({ outgoing: { id, message, failure }, room }: { outgoing: Outgoing; room: Room }) {
  const t = useTexts(texts);
  return (
    <div className="px-4 py-1.5">
      <Meta>{t(failure === null ? 'sending' : 'notSent')}</Meta>
      <p dir="auto" className="whitespace-pre-wrap text-ink-soft wrap-anywhere [unicode-bidi:plaintext]">
        {message}
      </p>
      {failure !== null && (
        <div className="flex flex-wrap items-center gap-x-2">
          <p className="flex items-start gap-1.5 text-note text-danger-ink">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {failure}
          </p>
          <Button variant="quiet" className="px-3! text-note" onClick={() => room.retry(id)}>
            {t('tryAgain')}
          </Button>
          <Button variant="quiet" className="px-3! text-note" onClick={() => room.discard(id)}>
            {t('delete')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns the same object on every render, so that unchanged messages do not render again. */
function useStable(actions: MessageActions): MessageActions {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState<MessageActions>(() => ({
    react: (message: ChatMessage, reaction: Reaction) => latest.current.react(message, reaction),
    open: (seq) => latest.current.open(seq),
    entriesOf: (message) => latest.current.entriesOf(message),
  }));
  return stable;
}
