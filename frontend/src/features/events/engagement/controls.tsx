import type { Event } from '@beltway/contracts/catalog';
import { Bookmark, Heart, MessageCircle, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { countsOf, useMine, useReact } from '../../../lib/engagement.ts';
import { eventPath } from '../../../lib/event-facts.ts';
import { formatCount, formatShort } from '../../../lib/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ShareMenu } from '../share-menu.tsx';

interface EventControlsProps {
  event: Event;
  /** With words on the buttons, where there is room for them. */
  labelled?: boolean;
}

/** Bookmark, share, like and comment, in this order, after the primary button (docs/product.md#event-cards). */
export function EventControls({ event, labelled = false }: EventControlsProps) {
  const mine = useMine(event.id);
  const react = useReact(event.id);
  const { likes, comments } = countsOf(event);
  // Of a cancelled event one can only take back.
  const isOff = event.status === 'cancelled';
  const look = cx(
    labelled
      ? buttonClass('secondary', 'w-full px-3 max-[22rem]:col-span-2 [&_svg]:size-4')
      : 'relative inline-flex h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-full px-2.5 text-note font-strong transition-colors duration-(--duration-fast) hover:bg-ink/8 disabled:pointer-events-none disabled:opacity-60 [&_svg]:size-5',
    'aria-pressed:text-accent-ink [&[aria-pressed=true]_svg]:fill-current',
  );
  return (
    <div className={labelled ? 'grid grid-cols-2 gap-2' : '-mx-2 -mb-1.5 flex flex-wrap items-center'}>
      <button
        type="button"
        className={look}
        aria-pressed={mine.bookmarked}
        disabled={isOff && !mine.bookmarked}
        onClick={() => react({ kind: 'bookmark', wanted: !mine.bookmarked })}
      >
        <Bookmark aria-hidden />
        <Name of={event} what={mine.bookmarked && labelled ? 'Saved' : 'Save'} shown={labelled} />
      </button>
      <div className={labelled ? 'contents' : 'relative'}>
        <ShareMenu
          event={event}
          {...(labelled && {
            trigger: (
              <button type="button" className={look}>
                <Share2 aria-hidden />
                Share
              </button>
            ),
          })}
        />
      </div>
      <button
        type="button"
        className={cx(look, !labelled && 'ml-auto')}
        aria-pressed={mine.liked}
        disabled={isOff && !mine.liked}
        onClick={() => react({ kind: 'like', wanted: !mine.liked })}
      >
        <Heart aria-hidden />
        <Name of={event} what="Like" shown={labelled} />
        <Count number={likes} one="like" />
      </button>
      <Link to={`${eventPath(event)}#comments`} className={look}>
        <MessageCircle aria-hidden />
        <Name of={event} what="Comment" shown={labelled} />
        <Count number={comments} one="comment" />
      </Link>
    </div>
  );
}

/** On a card only the icon is seen; the name says which card it is of. */
const Name = ({ of, what, shown }: { of: Event; what: string; shown: boolean }): ReactNode =>
  shown ? what : <span className="sr-only">{`${what} ${of.title}`}</span>;

/** Nothing for none. */
const Count = ({ number, one }: { number: number; one: string }) =>
  number > 0 && (
    <>
      <span aria-hidden className="tabular">
        {formatShort(number)}
      </span>
      <span className="sr-only">{`, ${formatCount(number)} ${number === 1 ? one : `${one}s`}`}</span>
    </>
  );
