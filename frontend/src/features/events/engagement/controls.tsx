import type { Event } from '@beltway/contracts/catalog/events';
import Bookmark from 'lucide-react/icons/bookmark';
import Heart from 'lucide-react/icons/heart';
import MessageCircle from 'lucide-react/icons/message-circle';
import Share2 from 'lucide-react/icons/share-2';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { countsOf, useMine, useReact } from '../../../lib/events/engagement.ts';
import { eventPath } from '../../../lib/events/event-facts.ts';
import { formatCount, formatShort } from '../../../lib/i18n/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ShareMenu } from '../share-menu.tsx';
import { texts } from '../texts.en.ts';

interface EventControlsProps {
  event: Event;
  /** With words on the buttons, where there is room for them. */
  labeled?: boolean;
}

/** Bookmark, share, like and comment, in this order, after the primary button (frontend/PRODUCT.md#event-cards). */
export function EventControls({ event, labeled = false }: EventControlsProps) {
  const t = useTexts(texts);
  const { title } = event;
  const mine = useMine(event.id);
  const react = useReact(event.id);
  const { likes, comments } = countsOf(event);
  // Of a canceled event one can only take back.
  const isOff = event.status === 'canceled';
  const look = cx(
    labeled
      ? buttonClass('secondary', 'w-full px-3 max-[22rem]:col-span-2 [&_svg]:size-4')
      : 'relative inline-flex h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-full px-2.5 text-note font-strong transition-colors duration-(--duration-fast) hover:bg-ink/8 disabled:pointer-events-none disabled:opacity-60 [&_svg]:size-5',
    'aria-pressed:text-accent-ink [&[aria-pressed=true]_svg]:fill-current',
  );
  return (
    <div className={labeled ? 'grid grid-cols-2 gap-2' : '-mx-2 -mb-1.5 flex flex-wrap items-center'}>
      <button
        type="button"
        className={look}
        aria-pressed={mine.bookmarked}
        disabled={isOff && !mine.bookmarked}
        onClick={() => react({ kind: 'bookmark', wanted: !mine.bookmarked })}
      >
        <Bookmark aria-hidden />
        <Name text={labeled ? t(mine.bookmarked ? 'saved' : 'save') : t('saveOf', { title })} shown={labeled} />
      </button>
      <div className={labeled ? 'contents' : 'relative'}>
        <ShareMenu
          event={event}
          {...(labeled && {
            trigger: (
              <button type="button" className={look}>
                <Share2 aria-hidden />
                {t('share')}
              </button>
            ),
          })}
        />
      </div>
      <button
        type="button"
        className={cx(look, !labeled && 'ms-auto')}
        aria-pressed={mine.liked}
        disabled={isOff && !mine.liked}
        onClick={() => react({ kind: 'like', wanted: !mine.liked })}
      >
        <Heart aria-hidden />
        <Name text={labeled ? t('like') : t('likeOf', { title })} shown={labeled} />
        <Count number={likes} of="likes" />
      </button>
      <Link to={`${eventPath(event)}#comments`} className={look}>
        <MessageCircle aria-hidden />
        <Name text={labeled ? t('comment') : t('commentOf', { title })} shown={labeled} />
        <Count number={comments} of="comments" />
      </Link>
    </div>
  );
}

/** On a card only the icon is seen; the name says which card it is of. */
const Name = ({ text, shown }: { text: string; shown: boolean }): ReactNode =>
  shown ? text : <span className="sr-only">{text}</span>;

/** Nothing for none. */
function Count({ number, of }: { number: number; of: 'likes' | 'comments' }) {
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
