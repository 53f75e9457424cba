import type { Event } from '@beltway/contracts/catalog/events';
import Store from 'lucide-react/icons/store';
import UserRound from 'lucide-react/icons/user-round';
import { Link } from 'react-router-dom';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { eventPath, isEnded, isFree } from '../../lib/events/event-facts.ts';
import { CategorySign, PremiumBadge, When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { EventControls } from './engagement/controls.tsx';
import { PrimaryAction } from './primary-action.tsx';
import { texts } from './texts.en.ts';
import { TicketsPanel } from './tickets-panel.tsx';

interface EventCardProps {
  event: Event;
  /** Of the first screen: its picture is loaded before all others. */
  priority?: boolean;
}

/** The card is a ticket: the event, a perforation, and the stub that says what it costs. All of it leads to the event's page. */
export function EventCard({ event, priority = false }: EventCardProps) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const isOff = event.status === 'canceled' || isEnded(event, now);
  return (
    <article
      className={cx(
        'relative flex h-full flex-col rounded-lg border border-line bg-surface shadow-card transition-[box-shadow,border-color] duration-(--duration-base)',
        'hover:border-edge hover:shadow-lift has-[h3_a:focus-visible]:outline-3 has-[h3_a:focus-visible]:outline-offset-2 has-[h3_a:focus-visible]:outline-focus',
      )}
    >
      <EventPicture
        event={event}
        priority={priority}
        // Twice the pixels are enough on a small screen with three.
        sizes="(width >= 80rem) 25rem, (width >= 48rem) 50vw, (resolution >= 2dppx) 66vw, calc(100vw - 2rem)"
        className={cx('aspect-2/1 rounded-t-[15px]', isOff && 'grayscale')}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1 p-4 pb-3">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
          <When event={event} className={cx('font-strong', event.status === 'canceled' && 'line-through')} />
          <span className="ms-auto flex flex-wrap items-center gap-1.5">
            <PremiumBadge event={event} />
            {event.isSponsored && <Badge tone="inverse">{t('sponsored')}</Badge>}
            {event.status === 'canceled' ? (
              <Badge tone="danger">{t('canceled')}</Badge>
            ) : (
              isEnded(event, now) && <Badge>{t('ended')}</Badge>
            )}
            <CategorySign tags={event.tags} />
          </span>
        </p>
        <h3 className="text-title">
          <Link
            to={eventPath(event)}
            className="line-clamp-2 outline-none after:absolute after:inset-0 after:rounded-lg"
          >
            {event.title}
          </Link>
        </h3>
        <Where location={event.location} className="text-note text-ink-soft" />
        <Meta className="line-clamp-2">{event.description}</Meta>
        <Meta className="mt-auto flex items-center gap-x-3 whitespace-nowrap pt-1.5 max-[22rem]:flex-wrap">
          <Handle isSponsored={event.isSponsored} />
          <span>
            <Age of={event.createdAt} />
          </span>
          {event.tags.length > 0 && (
            <span className="min-w-0 max-w-full truncate">{event.tags.slice(0, 4).join(' ')}</span>
          )}
        </Meta>
      </div>
      <Perforation />
      <div className="flex flex-col gap-2.5 p-4 pt-3">
        <TicketsPanel event={event} fallback={isFree(event, now) ? <Free /> : null} />
        <PrimaryAction event={event} className="relative mt-auto px-3 text-center" />
        <EventControls event={event} />
      </div>
    </article>
  );
}

function Free() {
  const t = useTexts(texts);
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-display text-title font-strong">{t('freeEntry')}</span>
      <Meta as="span">{t('noTicket')}</Meta>
    </p>
  );
}

/** Names, in every language. */
const HANDLES = { business: '@dmvbusiness', explorer: '@dmvexplorer' };

/** Who put it up: a business if it is sponsored, otherwise an explorer. */
const Handle = ({ isSponsored }: { isSponsored: boolean }) => (
  <span className="inline-flex items-center gap-1.5 font-strong [&_svg]:size-4">
    {isSponsored ? <Store aria-hidden /> : <UserRound aria-hidden />}
    {HANDLES[isSponsored ? 'business' : 'explorer']}
  </span>
);

/** Where the stub would be torn off: a dashed line between two notches. */
const Perforation = () => (
  <div
    aria-hidden
    className={cx(
      'relative mx-4 h-0 border-t-2 border-dashed border-line',
      'before:absolute before:-left-[1.55rem] before:-top-2.5 before:size-4.5 before:rounded-full before:border before:border-line before:bg-ground',
      'after:absolute after:-right-[1.55rem] after:-top-2.5 after:size-4.5 after:rounded-full after:border after:border-line after:bg-ground',
    )}
  />
);
