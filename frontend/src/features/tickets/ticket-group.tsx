import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { fullAddress, mapUrl } from '@beltway/contracts/catalog/event-links';
import CalendarDays from 'lucide-react/icons/calendar-days';
import MapPin from 'lucide-react/icons/map-pin';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { isOver, listOverAt } from '../../lib/events/event-facts.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { texts } from './texts.en.ts';
import { TicketCard } from './ticket-card.tsx';
import { lazily } from '../../lib/loading/lazily.ts';

const CodeDialog = lazily(async () => (await import('./code-dialog.tsx')).CodeDialog);

interface TicketGroupProps {
  event: TicketEvent;
  tickets: Ticket[];
  heading?: 'h2' | 'h3';
  /** Actions on the whole order. */
  actions?: ReactNode;
}

/** The tickets of one order below their event. */
export function TicketGroup({ event, tickets, heading: Heading = 'h2', actions }: TicketGroupProps) {
  const t = useTexts(texts);
  const [large, setLarge] = useState<number | null>(null);
  const now = useClock([listOverAt(event)]);
  const orderNumber = tickets[0]?.orderNumber;
  return (
    <section className="grid grid-cols-1 gap-4">
      <header className="flex gap-4">
        <Poster
          src={event.imageUrl}
          alt=""
          sizes="9rem"
          className="aspect-[16/10] w-24 shrink-0 self-start rounded-md max-[15rem]:hidden sm:w-36 sm:self-center"
        />
        <div className="grid min-w-0 content-center gap-1">
          <Heading className="text-title font-strong">
            <Link to={`/event/${event.id}`} className="hover:underline">
              {event.title}
            </Link>
          </Heading>
          <Meta className="flex items-start gap-2">
            <CalendarDays aria-hidden className="mt-0.5 size-4 shrink-0" />
            <When event={event} />
          </Meta>
          <Meta className="flex items-start gap-2">
            <MapPin aria-hidden className="mt-0.5 size-4 shrink-0" />
            <a
              href={mapUrl(fullAddress(event))}
              target="_blank"
              rel="noreferrer"
              className="underline wrap-anywhere hover:text-ink"
            >
              {fullAddress(event)}
              <span className="sr-only">{t('directions')}</span>
            </a>
          </Meta>
          {orderNumber && (
            <Meta className="flex items-start gap-2">
              <ReceiptText aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span className="tabular">{t('order', { number: orderNumber })}</span>
            </Meta>
          )}
          {event.isSuspended && event.status !== 'canceled' && <p className="text-note">{t('isSuspended')}</p>}
          {event.status === 'postponed' && <p className="text-note">{t('staysValid')}</p>}
          {event.status === 'canceled' && (
            <p>
              <Badge tone="danger">{t('canceled')}</Badge>
            </p>
          )}
        </div>
      </header>
      {/* A row that scrolls sideways: on a phone the next ticket shows at the edge. In print, tickets wrap. */}
      <div className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 [scrollbar-width:thin] md:mx-0 md:flex-wrap md:px-0 print:flex-wrap">
        {tickets.map((ticket, index) => (
          <TicketCard
            key={ticket.id}
            ticket={ticket}
            position={t('position', { number: String(index + 1), count: String(tickets.length) })}
            isOver={isOver(event, now)}
            onEnlarge={() => setLarge(index)}
          />
        ))}
      </div>
      {actions && (
        <div className="grid grid-cols-2 gap-3 max-[15rem]:grid-cols-1 sm:flex sm:flex-wrap print:hidden">
          {actions}
        </div>
      )}
      <Suspense>
        {large !== null && <CodeDialog event={event} tickets={tickets} at={large} onShow={setLarge} />}
      </Suspense>
    </section>
  );
}
