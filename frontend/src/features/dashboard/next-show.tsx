import type { Event } from '@beltway/contracts/catalog/events';
import type { EventSales as Sales } from '@beltway/contracts/ticketing/tickets';
import Pencil from 'lucide-react/icons/pencil';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EventActions, SoldLine, StatusBadge } from './event-sales.tsx';
import { texts } from './texts.en.ts';

interface NextShowProps {
  event: Event;
  sales: Sales | undefined;
  /** The share menu, which belongs to another feature. */
  share: ReactNode;
}

/** A large card of the account's next event, with the organizer's actions before the event. */
export function NextShow({ event, sales, share }: NextShowProps) {
  const t = useTexts(texts);
  const { title } = event;
  return (
    <Card
      as="article"
      ground="raised"
      aria-labelledby="next-title"
      className="gap-5 md:grid-cols-[minmax(0,20rem)_1fr]"
    >
      <EventPicture event={event} priority sizes="(width >= 48rem) 20rem, 100vw" className="aspect-16/10 rounded-md" />
      <div className="grid content-start gap-3">
        <div className="grid gap-1">
          <p className="flex flex-wrap items-center gap-2 text-note font-strong text-accent-ink">
            {t('nextShow')} <StatusBadge event={event} />
          </p>
          <h2 id="next-title" className="text-heading">
            <Link to={eventPath(event)} className="underline-offset-4 hover:underline">
              {title}
            </Link>
          </h2>
          <When event={event} className="font-strong" />
          <Where location={event.location} short className="text-note text-ink-soft" />
        </div>
        <SoldLine event={event} sales={sales} />
        <div className="flex flex-wrap gap-2">
          <EventActions event={event} />
          {share}
          <ButtonLink to={`${eventPath(event)}#edit`} variant="quiet">
            <Pencil aria-hidden className="size-4" />
            {t.rich('editOf', { title, hidden: (words) => <span className="sr-only">{words}</span> })}
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
