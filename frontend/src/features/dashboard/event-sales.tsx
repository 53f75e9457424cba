import type { Event } from '@beltway/contracts/catalog/events';
import type { EventSales as Sales } from '@beltway/contracts/ticketing/tickets';
import CopyPlus from 'lucide-react/icons/copy-plus';
import Megaphone from 'lucide-react/icons/megaphone';
import Radio from 'lucide-react/icons/radio';
import Users from 'lucide-react/icons/users';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { countsOf } from '../../lib/events/engagement.ts';
import { eventPath, isUpcoming, ticketsAvailable } from '../../lib/events/event-facts.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { formatCount, formatPercent, formatPrice } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { texts } from './texts.en.ts';

interface EventSalesProps {
  event: Event;
  /** Undefined if nothing was sold, or while loading. */
  sales: Sales | undefined;
  heading: 'h2' | 'h3' | 'h4';
  /** Called when a link in the row is followed. */
  onLeave?: () => void;
}

/** One of the account's events as a row: picture, time and title, what is sold, and links to it and its attendees. */
export function EventSales({ event, sales, heading: Heading, onLeave }: EventSalesProps) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-md border border-line bg-surface p-4">
      <div className="flex items-start gap-4">
        <EventPicture
          event={event}
          sizes="5rem"
          className="size-16 shrink-0 rounded-md max-[20rem]:hidden sm:size-20"
        />
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex flex-wrap items-center justify-between gap-x-2">
            <Heading className="font-text text-body font-strong">
              <Link
                to={eventPath(event)}
                onClick={onLeave}
                className="inline-flex min-h-11 items-center underline-offset-4 hover:underline"
              >
                {event.title}
              </Link>
            </Heading>
            <StatusBadge event={event} />
          </div>
          <When event={event} className="text-note text-ink-soft" />
          <SoldLine event={event} sales={sales} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <EventActions event={event} {...(onLeave && { onLeave })} />
      </div>
      <Engagement event={event} />
    </article>
  );
}

/** Suspended, postponed or canceled. */
export function StatusBadge({ event }: Pick<EventSalesProps, 'event'>) {
  const t = useTexts(texts);
  return (
    <>
      {event.isSuspended && <Badge tone="warning">{t('isSuspended')}</Badge>}
      {event.status === 'postponed' && <Badge tone="warning">{t('postponed')}</Badge>}
      {event.status === 'canceled' && <Badge tone="danger">{t('isCanceled')}</Badge>}
    </>
  );
}

/** Links to attendees and studio, and buttons to promote and duplicate the event; each only if it applies. */
export function EventActions({ event, onLeave }: Pick<EventSalesProps, 'event' | 'onLeave'>) {
  const t = useTexts(texts);
  const [, setDuplicating] = useDialogEntry(`duplicate-${event.id}`);
  const [, setPromoting] = useDialogEntry(`promote-${event.id}`);
  const { title } = event;
  const now = useEventClock(event);
  const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;
  return (
    <>
      {isSelling(event) && (
        <ButtonLink to={`/dashboard/events/${event.id}`} variant="secondary" onClick={onLeave}>
          <Users aria-hidden className="size-4" />
          {t.rich('attendeesOf', { title, hidden })}
        </ButtonLink>
      )}
      {event.isLivestream && (
        <ButtonLink to={`/studio/${event.id}`} variant="secondary" onClick={onLeave}>
          <Radio aria-hidden className="size-4" />
          {t.rich('studioOf', { title, hidden })}
        </ButtonLink>
      )}
      {isUpcoming(event, now) && (
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => setPromoting(true)}>
          <Megaphone aria-hidden className="size-4" />
          {t.rich('promoteOf', { title, hidden })}
        </Button>
      )}
      <Button variant="quiet" onClick={() => setDuplicating(true)}>
        <CopyPlus aria-hidden className="size-4" />
        {t.rich('duplicateOf', { title, hidden })}
      </Button>
    </>
  );
}

/** Views, reactions and the impressions of promotions. Counts of zero are left out. */
function Engagement({ event }: Pick<EventSalesProps, 'event'>) {
  const t = useTexts(texts);
  const { views, likes, comments, interested, going, shares } = countsOf(event);
  const facts = (
    [
      ['views', views],
      ['likes', likes],
      ['comments', comments],
      ['interested', interested],
      ['going', going],
      ['shares', shares],
    ] as const
  ).filter(([, number]) => number > 0);
  const places = event.promotionShown ?? [];
  if (facts.length + places.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-3 text-note text-ink-soft">
      {facts.map(([name, number]) => (
        <div key={name} className="flex gap-1">
          <dt>{t(name)}</dt>
          <dd className="font-strong text-ink tabular">{formatCount(number)}</dd>
        </div>
      ))}
      {places.map(({ place, impressions, ofPlace }) => (
        <div key={place} className="flex basis-full flex-wrap gap-x-1">
          <dt>{t(`${place}Place`)}</dt>
          <dd className="font-strong text-ink tabular">
            {t('ofPlace', {
              shown: formatCount(impressions),
              share: formatPercent(impressions / Math.max(1, ofPlace)),
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isSelling = (event: Event): boolean => event.hasTickets && Boolean(event.totalTickets);

/** Tickets sold, as numbers and a bar. If the revenue is known, shows the tickets left and the revenue as well. */
export function SoldLine({ event, sales }: Pick<EventSalesProps, 'event' | 'sales'>) {
  const t = useTexts(texts);
  if (!isSelling(event)) return <Meta>{t('sellsNone')}</Meta>;
  const share = Math.min(100, (event.soldTickets / (event.totalTickets ?? 1)) * 100);
  const left = formatCount(ticketsAvailable(event));
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-3 text-note tabular">
        <span>
          {event.soldTickets > 0
            ? t('soldOf', { sold: formatCount(event.soldTickets), total: formatCount(event.totalTickets ?? 0) })
            : t('onSale', { total: formatCount(event.totalTickets ?? 0) })}
        </span>
        {sales && sales.revenue !== 0 && <span>{t('leftAnd', { left, money: formatPrice(sales.revenue) })}</span>}
      </p>
      <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </span>
    </div>
  );
}
