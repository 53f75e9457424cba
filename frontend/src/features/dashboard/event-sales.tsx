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
import { formatCount, formatPercent, formatPrice } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { texts } from './texts.en.ts';

interface EventSalesProps {
  event: Event;
  /** Undefined: nothing was sold, or it is not known yet. */
  sales: Sales | undefined;
  heading: 'h2' | 'h4';
  /** A link in it was followed. */
  onLeave?: () => void;
}

/** An own event, how it sells, and the way to it and to who comes. */
export function EventSales({ event, sales, heading: Heading, onLeave }: EventSalesProps) {
  const t = useTexts(texts);
  const [, setDuplicating] = useDialogEntry(`duplicate-${event.id}`);
  const [, setPromoting] = useDialogEntry(`promote-${event.id}`);
  const { title } = event;
  const now = useEventClock(event);
  const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;
  const sells = event.hasTickets && event.totalTickets;
  return (
    <article className="grid content-start gap-3 rounded-md border border-line bg-surface p-4">
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Heading className="font-text text-body font-strong">
            <Link to={eventPath(event)} onClick={onLeave} className="inline-flex min-h-11 items-center hover:underline">
              {event.title}
            </Link>
          </Heading>
          {event.status === 'postponed' && <Badge tone="warning">{t('postponed')}</Badge>}
          {event.status === 'canceled' && <Badge tone="danger">{t('isCanceled')}</Badge>}
        </div>
        <When event={event} className="text-note text-ink-soft" />
      </div>
      {sells ? <Progress event={event} sales={sales} /> : <Meta>{t('sellsNone')}</Meta>}
      <div className="flex flex-wrap gap-2">
        {sells && (
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
      </div>
      <Engagement event={event} />
    </article>
  );
}

/** What people did with it, counted. */
function Engagement({ event }: Pick<EventSalesProps, 'event'>) {
  const t = useTexts(texts);
  const { views, likes, comments, interested, going, shares } = countsOf(event);
  const facts = [
    ['views', views],
    ['likes', likes],
    ['comments', comments],
    ['interested', interested],
    ['going', going],
    ['shares', shares],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-3 text-note text-ink-soft">
      {facts.map(([name, number]) => (
        <div key={name} className="flex gap-1">
          <dt>{t(name)}</dt>
          <dd className="font-strong text-ink tabular">{formatCount(number)}</dd>
        </div>
      ))}
      {event.promotionShown?.map(({ place, impressions, ofPlace }) => (
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

function Progress({ event, sales }: Pick<EventSalesProps, 'event' | 'sales'>) {
  const t = useTexts(texts);
  const share = Math.min(100, (event.soldTickets / (event.totalTickets ?? 1)) * 100);
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-3 text-note tabular">
        <span>
          {t('soldOf', { sold: formatCount(event.soldTickets), total: formatCount(event.totalTickets ?? 0) })}
        </span>
        <span>
          {t('leftAnd', { left: formatCount(ticketsAvailable(event)), money: formatPrice(sales?.revenue ?? 0) })}
        </span>
      </p>
      <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </span>
    </div>
  );
}
