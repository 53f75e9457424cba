import type { Event } from '@beltway/contracts/catalog/events';
import Bookmark from 'lucide-react/icons/bookmark';
import Heart from 'lucide-react/icons/heart';
import MessageCircle from 'lucide-react/icons/message-circle';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { countsOf, useMine, useReact } from '../../../lib/events/engagement.ts';
import { eventPath } from '../../../lib/events/event-facts.ts';
import { formatCount, formatShort } from '../../../lib/i18n/format.ts';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { cx } from '../../../ui/cx.ts';
import { ShareMenu } from '../share-menu.tsx';
import { texts } from '../texts.en.ts';

const pressed = 'aria-pressed:text-accent-ink [&[aria-pressed=true]_svg]:fill-current';
const look =
  'relative inline-flex h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-full px-2.5 text-note font-strong transition-colors duration-(--duration-fast) hover:bg-ink/8 disabled:pointer-events-none disabled:opacity-60 [&_svg]:size-5';
/** The style of buttons that must be readable on any picture. */
export const onPicture = 'border border-line bg-raised shadow-card hover:bg-sunken';

/** Bookmark, share, like and comment, in this order, after the primary button (frontend/PRODUCT.md#event-cards). */
export function EventControls({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { title } = event;
  return (
    <div className="-mx-2 -mb-1.5 flex flex-wrap items-center">
      <SaveButton event={event} label={t('saveOf', { title })} className={look} />
      <div className="relative">
        <ShareMenu event={event} />
      </div>
      <LikeButton event={event} label={t('likeOf', { title })} className={cx(look, 'ms-auto')} />
      <Link to={`${eventPath(event)}#comments`} className={look}>
        <MessageCircle aria-hidden />
        <span className="sr-only">{t('commentOf', { title })}</span>
        <Count number={countsOf(event).comments} of="comments" />
      </Link>
    </div>
  );
}

interface MarkProps {
  event: Event;
  label: string;
  className?: string;
}

/** On a canceled event, reactions can be removed but not added. */
const isFixed = (event: Event, isMine: boolean): boolean => event.status === 'canceled' && !isMine;

export function SaveButton({ event, label, className }: MarkProps) {
  const { bookmarked } = useMine(event.id);
  const react = useReact(event.id);
  return (
    <button
      type="button"
      className={cx(pressed, className)}
      aria-pressed={bookmarked}
      disabled={isFixed(event, bookmarked)}
      onClick={() => react({ kind: 'bookmark', wanted: !bookmarked })}
    >
      <Bookmark aria-hidden />
      <span className="sr-only">{label}</span>
    </button>
  );
}

export function LikeButton({ event, label, className }: MarkProps) {
  const { liked } = useMine(event.id);
  const react = useReact(event.id);
  return (
    <button
      type="button"
      className={cx(pressed, className)}
      aria-pressed={liked}
      disabled={isFixed(event, liked)}
      onClick={() => react({ kind: 'like', wanted: !liked })}
    >
      <Heart aria-hidden />
      <span className="sr-only">{label}</span>
      <Count number={countsOf(event).likes} of="likes" />
    </button>
  );
}

interface CountProps {
  number: number;
  of: 'likes' | 'comments' | 'people';
}

/** A count, hidden if it is zero. */
export function Count({ number, of }: CountProps): ReactNode {
  const t = useTexts(texts);
  return (
    number > 0 && (
      <>
        <span aria-hidden className="tabular">
          {formatShort(number)}
        </span>
        <span className="sr-only">{t(of, { count: number, number: formatCount(number) })}</span>
      </>
    )
  );
}
