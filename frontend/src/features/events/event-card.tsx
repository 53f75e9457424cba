import type { Event } from '@beltway/contracts/catalog/events';
import { categoryOf } from '@beltway/contracts/catalog/categories';
import Store from 'lucide-react/icons/store';
import UserRound from 'lucide-react/icons/user-round';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { eventPath, isEnded, isFree } from '../../lib/events/event-facts.ts';
import { categoryLabel, LineDot, Listed, PremiumBadge, When, Where } from '../../lib/events/event-lines.tsx';
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
  /** True in the first viewport, where pictures load first. */
  priority?: boolean;
}

/**
 * A card: picture, time, title, location; price, stock and button. On a phone the picture is beside the text. Memoized,
 * because the pages around many cards render often.
 */
export const EventCard = memo(function EventCard({ event, priority = false }: EventCardProps) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const isOff = event.status === 'canceled' || isEnded(event, now);
  const { line, name } = categoryOf(event.tags);
  return (
    <article
      className={cx(
        'relative flex h-full flex-col rounded-lg border border-line bg-surface shadow-card transition-[box-shadow,border-color] duration-(--duration-base)',
        'hover:border-edge hover:shadow-lift has-[h3_a:focus-visible]:outline-3 has-[h3_a:focus-visible]:outline-offset-2 has-[h3_a:focus-visible]:outline-focus',
      )}
    >
      <div className="flex gap-3 p-3 pb-0 md:block md:p-0">
        <EventPicture
          event={event}
          priority={priority}
          sizes="(width >= 80rem) 25rem, (width >= 48rem) 50vw, 7rem"
          className={cx(
            'size-26 shrink-0 rounded-md max-[18rem]:hidden md:aspect-5/2 md:size-auto md:rounded-b-none md:rounded-t-[15px]',
            isOff && 'grayscale',
          )}
        />
        <div className="flex min-w-0 flex-1 flex-col gap-0.5 md:gap-1 md:p-4 md:pb-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-note">
            <LineDot line={line} className="size-2.5" />
            <span className="sr-only">{categoryLabel(name)}</span>
            <When event={event} className={cx('font-strong', event.status === 'canceled' && 'line-through')} />
            <PremiumBadge event={event} />
            {event.isSponsored && <Badge tone="inverse">{t('sponsored')}</Badge>}
            {event.status === 'canceled' ? (
              <Badge tone="danger">{t('canceled')}</Badge>
            ) : (
              isEnded(event, now) && <Badge>{t('ended')}</Badge>
            )}
          </p>
          <h3 className="text-title max-md:text-body max-md:leading-tight">
            <Link
              to={eventPath(event)}
              className="line-clamp-2 outline-none after:absolute after:inset-0 after:rounded-lg"
            >
              {event.title}
            </Link>
          </h3>
          <Where location={event.location} short className="text-note text-ink-soft" />
        </div>
      </div>
      <div className="mt-auto grid gap-1 p-3 pt-2 md:p-4 md:pt-3">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <div className="min-w-0 flex-1 basis-28">
            <TicketsPanel event={event} fallback={isFree(event, now) ? <Free /> : null} />
          </div>
          <PrimaryAction event={event} className="relative px-4 text-center" />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-2">
          <Meta className="grid leading-tight">
            <Handle isSponsored={event.isSponsored} />
            <Listed event={event} />
          </Meta>
          <EventControls event={event} />
        </div>
      </div>
    </article>
  );
});

function Free() {
  const t = useTexts(texts);
  return (
    <p className="grid leading-tight">
      <span className="font-display text-title font-strong">{t('freeEntry')}</span>
      <Meta as="span">{t('noTicket')}</Meta>
    </p>
  );
}

/** Not translated. */
const HANDLES = { business: '@dmvbusiness', explorer: '@dmvexplorer' };

/** The publisher: a business if the event is sponsored, otherwise an explorer. */
const Handle = ({ isSponsored }: { isSponsored: boolean }) => (
  <span className="inline-flex items-center gap-1 [&_svg]:size-3.5">
    {isSponsored ? <Store aria-hidden /> : <UserRound aria-hidden />}
    {HANDLES[isSponsored ? 'business' : 'explorer']}
  </span>
);
