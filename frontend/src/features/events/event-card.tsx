import type { Event } from '@beltway/contracts/catalog';
import { posterUrl } from '@beltway/contracts/poster';
import { Store, UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { eventPath, isEnded, isFree } from '../../lib/event-facts.ts';
import { CategorySign, When, Where } from '../../lib/event-lines.tsx';
import { formatAge } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Poster } from '../../ui/poster.tsx';
import { PrimaryAction } from './primary-action.tsx';
import { ShareMenu } from './share-menu.tsx';
import { TicketsPanel } from './tickets-panel.tsx';

/** The card is a ticket: the event, a perforation, and the stub that says what it costs. All of it leads to the event's page. */
export function EventCard({ event, priority = false }: { event: Event; priority?: boolean }) {
  const isOff = event.status === 'cancelled' || isEnded(event);
  return (
    <article
      className={cx(
        'group relative grid grid-cols-[minmax(0,1fr)] rounded-lg border border-line bg-surface shadow-card transition-[box-shadow,border-color] duration-(--duration-base)',
        'hover:border-edge hover:shadow-lift has-[h3_a:focus-visible]:outline-3 has-[h3_a:focus-visible]:outline-offset-2 has-[h3_a:focus-visible]:outline-focus',
        'md:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)_15rem] xl:grid-cols-[minmax(0,19rem)_minmax(0,1fr)_15rem]',
      )}
    >
      <div className="md:p-3">
        <Poster
          src={event.imageUrl}
          fallback={posterUrl(event)}
          alt=""
          priority={priority}
          sizes="(width >= 48rem) 19rem, 100vw"
          className={cx('aspect-16/10 rounded-t-[15px] md:rounded-md', isOff && 'grayscale')}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-2 p-4 md:px-3 md:py-4 lg:py-5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <CategorySign tags={event.tags} />
          {event.isSponsored && <Badge tone="inverse">SPONSORED</Badge>}
          {event.status === 'cancelled' ? (
            <Badge tone="danger">Cancelled</Badge>
          ) : (
            isEnded(event) && <Badge>Ended</Badge>
          )}
        </p>
        <When event={event} className={cx('font-strong', event.status === 'cancelled' && 'line-through')} />
        <h3 className="text-title lg:text-heading">
          <Link
            to={eventPath(event)}
            className="line-clamp-2 outline-none after:absolute after:inset-0 after:rounded-lg"
          >
            {event.title}
          </Link>
        </h3>
        <Where location={event.location} className="text-ink-soft" />
        <p className="line-clamp-2 max-w-prose text-note text-ink-soft">{event.description}</p>
        <p className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-note text-ink-soft">
          <Handle isSponsored={event.isSponsored} />
          <span>{formatAge(event.createdAt)}</span>
          {event.tags.length > 0 && <span className="truncate">{event.tags.slice(0, 4).join(' ')}</span>}
        </p>
      </div>
      <Perforation />
      <div className="flex flex-col gap-3 p-4 pt-3 md:col-span-2 md:flex-row md:items-center lg:relative lg:col-span-1 lg:col-start-3 lg:row-start-1 lg:flex-col lg:items-stretch lg:p-5">
        <TicketsPanel event={event} fallback={isFree(event) ? <Free /> : null} />
        <div className="relative mt-auto flex items-center gap-1.5 md:ml-auto md:mt-0 md:shrink-0 lg:static lg:ml-0 lg:mt-auto">
          <PrimaryAction event={event} className="min-w-0 flex-1 px-3 text-center md:px-5 lg:relative lg:px-3" />
          <div className="lg:absolute lg:right-2.5 lg:top-2.5">
            <ShareMenu event={event} />
          </div>
        </div>
      </div>
    </article>
  );
}

const Free = () => (
  <p>
    <span className="block font-display text-heading font-strong">Free entry</span>
    <span className="text-note text-ink-soft">no ticket needed</span>
  </p>
);

/** Who put it up: a business if it is sponsored, otherwise an explorer. */
const Handle = ({ isSponsored }: { isSponsored: boolean }) => (
  <span className="inline-flex items-center gap-1.5 font-strong [&_svg]:size-4">
    {isSponsored ? <Store aria-hidden /> : <UserRound aria-hidden />}
    {isSponsored ? '@dmvbusiness' : '@dmvexplorer'}
  </span>
);

/** Where the stub would be torn off: a dashed line between two notches. */
const Perforation = () => (
  <div
    aria-hidden
    className={cx(
      'relative mx-4 h-0 border-t-2 border-dashed border-line md:col-span-2',
      'lg:absolute lg:inset-y-4 lg:right-[15rem] lg:mx-0 lg:h-auto lg:border-l-2 lg:border-t-0',
      'before:absolute before:-left-[1.55rem] before:-top-2.5 before:size-4.5 before:rounded-full before:border before:border-line before:bg-ground',
      'after:absolute after:-right-[1.55rem] after:-top-2.5 after:size-4.5 after:rounded-full after:border after:border-line after:bg-ground',
      'lg:before:-left-2.5 lg:before:-top-[1.55rem] lg:after:-bottom-[1.55rem] lg:after:-left-2.5 lg:after:right-auto lg:after:top-auto',
    )}
  />
);
