import { REACTIONS, type ChatMessage, type Reaction } from '@beltway/contracts/realtime/chat';
import { dayAt, zonedText } from '@beltway/contracts/common/times';
import Ellipsis from 'lucide-react/icons/ellipsis';
import SmilePlus from 'lucide-react/icons/face-slightly-smiling-plus';
import { memo, type KeyboardEvent } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { formatClock, formatCount, formatMoment, sayMoment } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-panel.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

/** The accessible name of each reaction. */
const NAMES = {
  '❤️': 'heart',
  '🔥': 'fire',
  '👏': 'applause',
  '😂': 'laughter',
  '🎉': 'party',
} as const satisfies Record<Reaction, string>;

/** The panel's callbacks for its messages. */
export interface MessageActions {
  react: (message: ChatMessage, reaction: Reaction) => void;
  /** Called when the pointer or the focus is on a message, or the message's button was pressed. */
  open: (seq: number | null) => void;
  /** The menu entries for everything that this reader may do with the message, except reactions. */
  entriesOf: (message: ChatMessage) => readonly MenuEntry[];
}

interface MessageItemProps {
  message: ChatMessage;
  own: readonly Reaction[];
  /** True for the one message in the tab order. */
  isCurrent: boolean;
  /** True while the message's reaction bar and menu are shown. */
  isOpen: boolean;
  /** True while nothing can be sent. */
  isOffline: boolean;
  actions: MessageActions;
}

/** "7:05 PM" today, otherwise with the date. */
function timeOf(iso: string, now: Date): string {
  const at = new Date(iso);
  return dayAt(at) === dayAt(now) ? formatClock(zonedText(at).slice(11, 16)) : sayMoment(iso, now);
}

/** One message: author, time, text as typed, and actions. Links are shown as plain text. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const t = useTexts(texts);
  const { message, own, isCurrent, isOpen, isOffline, actions } = props;
  const now = useClock();
  const { seq, userName, reactions } = message;
  const given = REACTIONS.filter((one) => reactions[one]);
  const time = (
    <Meta as="time" dateTime={message.createdAt} title={formatMoment(message.createdAt)} className="tabular">
      {timeOf(message.createdAt, now)}
    </Meta>
  );
  if (message.isSystemMessage)
    return (
      <Meta className="px-4 py-2 text-center">
        {message.isRemoved ? t('removed') : message.message} {time}
      </Meta>
    );
  const entries = isOpen && !message.isRemoved ? actions.entriesOf(message) : [];
  const onKeyDown = (press: KeyboardEvent<HTMLDivElement>) => {
    if (press.key !== 'Escape' || press.target === press.currentTarget) return;
    press.currentTarget.focus();
  };
  return (
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-element-interactions -- Escape leaves the inner buttons
    <div
      role="group"
      aria-label={[message.isRemoved ? t('removed') : userName, timeOf(message.createdAt, now)].join(', ')}
      data-seq={seq}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => actions.open(seq)}
      // React does not call `onPointerEnter` if the message appeared below a resting pointer. `onPointerOver` is also
      // called without a movement, and would take the bar from the message that has the focus.
      onPointerMove={({ pointerType }) => pointerType === 'mouse' && !isOpen && actions.open(seq)}
      onKeyDown={onKeyDown}
      className={cx('relative rounded-md px-4 py-1.5 -outline-offset-3', isOpen && 'bg-ink/4')}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="min-w-0 font-strong wrap-anywhere">{userName}</bdi>
            {message.isOrganizer && <Badge tone="accent">{t('organizer')}</Badge>}
            {message.userId === null && !message.isRemoved && <Meta as="span">{t('guest')}</Meta>}
            {time}
          </p>
          {message.isRemoved ? (
            <p className="text-ink-soft italic">{t('removed')}</p>
          ) : (
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
              {message.message}
            </p>
          )}
        </div>
        {!message.isRemoved && (
          <IconButton
            label={t('reactTo', { name: userName })}
            aria-expanded={isOpen}
            tabIndex={-1}
            onClick={() => actions.open(isOpen ? null : seq)}
            className="-my-1.5 -mr-2.5 hidden text-ink-soft [@media(hover:none)]:inline-flex"
          >
            <SmilePlus aria-hidden />
          </IconButton>
        )}
      </div>
      {!message.isRemoved && given.length > 0 && (
        <p className="-ml-1 flex flex-wrap">
          {given.map((one) => (
            <ReactionButton
              key={one}
              reaction={one}
              count={reactions[one] ?? 0}
              isOwn={own.includes(one)}
              isOffline={isOffline}
              isReachable={isCurrent}
              onPress={() => actions.react(message, one)}
            />
          ))}
        </p>
      )}
      {isOpen && !message.isRemoved && (
        <div
          role="group"
          aria-label={t('answerTo', { name: userName })}
          className="absolute top-0 right-2 z-10 flex rounded-full border border-line bg-raised px-1 shadow-lift"
        >
          {REACTIONS.map((one) => (
            <button
              key={one}
              type="button"
              aria-label={t(NAMES[one])}
              aria-pressed={own.includes(one)}
              disabled={isOffline}
              onClick={() => actions.react(message, one)}
              className="grid size-11 place-items-center rounded-full text-title transition-transform duration-(--duration-fast) hover:bg-ink/8 active:scale-90 disabled:opacity-50 aria-pressed:bg-accent-soft md:size-10"
            >
              {one}
            </button>
          ))}
          {entries.length > 0 && (
            <Menu
              trigger={
                <IconButton label={t('moreAbout', { name: userName })} className="md:size-10">
                  <Ellipsis aria-hidden />
                </IconButton>
              }
              items={entries}
            />
          )}
        </div>
      )}
    </div>
  );
});

interface ReactionButtonProps {
  reaction: Reaction;
  count: number;
  isOwn: boolean;
  isOffline: boolean;
  isReachable: boolean;
  onPress: () => void;
}

/** A reaction and its count. A press adds or removes this reader's reaction. */
const ReactionButton = ({ reaction, count, isOwn, isOffline, isReachable, onPress }: ReactionButtonProps) => (
  <button
    type="button"
    aria-pressed={isOwn}
    aria-label={[useTexts(texts)(NAMES[reaction]), formatCount(count)].join(': ')}
    tabIndex={isReachable ? 0 : -1}
    disabled={isOffline}
    onClick={onPress}
    className="group/chip inline-flex min-h-11 items-center px-1 disabled:opacity-60 md:min-h-9"
  >
    <span
      className={cx(
        'tabular inline-flex items-center gap-1.5 rounded-full border px-2 py-0.5 text-note transition-colors duration-(--duration-fast)',
        isOwn
          ? 'border-accent-ink bg-accent-soft font-strong text-accent-ink'
          : 'border-line bg-sunken text-ink-soft group-hover/chip:border-edge',
      )}
    >
      <span aria-hidden>{reaction}</span>
      {formatCount(count)}
    </span>
  </button>
);
