import { admits, isOnHold, isVoid, type ShownTicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket } from '@beltway/contracts/ticketing/tickets';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Maximize2 from 'lucide-react/icons/maximize-2';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment, formatPrice } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';
import { TicketCode } from './ticket-code.tsx';

interface TicketCardProps {
  ticket: Ticket;
  /** "Ticket 2 of 3" */
  position: string;
  /** Whether its event is over. */
  isOver: boolean;
  onEnlarge: () => void;
}

/** The badge of a ticket that does not admit. The badge is 'Refunded' only after the money was sent. */
const BADGE = {
  valid: 'pending',
  frozen: 'frozen',
  canceled: 'canceledEvent',
  refunding: 'requested',
  refunded: 'refunded',
  disputed: 'paymentDisputed',
  unknown: 'unknown',
} as const satisfies Record<ShownTicketStatus, string>;

/**
 * One ticket with its code. Staff can scan the code directly, and a press enlarges it. A ticket that does not admit has
 * no code.
 */
export function TicketCard({ ticket, position, isOver, onEnlarge }: TicketCardProps) {
  const t = useTexts(texts);
  const isGood = admits(ticket.status);
  const isCrossedOut = isVoid(ticket.status) || isOnHold(ticket.status);
  const facts: [string, string][] = [
    [t('holder'), ticket.ticketHolderName],
    [t('type'), ticket.ticketType],
    [t('price'), formatPrice(ticket.price)],
    [t('bought'), formatMoment(ticket.purchaseDate)],
  ];
  return (
    <article
      aria-label={position}
      className="grid w-72 max-w-[85%] shrink-0 snap-start grid-cols-1 content-start gap-3 rounded-lg border border-line bg-surface p-4 only:max-w-full max-[15rem]:max-w-full max-md:only:mx-auto print:break-inside-avoid"
    >
      {isGood && (
        <button
          type="button"
          onClick={onEnlarge}
          className="group max-w-full justify-self-center overflow-hidden rounded-md border border-line bg-qr-paper text-qr-ink forced-color-adjust-none"
        >
          <TicketCode ticket={ticket} className="block aspect-square w-52 max-w-full" />
          {/* Below the code, because nothing may cover it. */}
          <span className="flex min-h-11 items-center justify-center gap-1.5 text-note font-strong group-hover:underline print:hidden">
            <Maximize2 aria-hidden className="size-3.5" />
            {t('larger')}
          </span>
        </button>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Meta as="span">{position}</Meta>
        {!isGood ? (
          <Badge tone="warning">{t(BADGE[ticket.status])}</Badge>
        ) : ticket.isCheckedIn ? (
          <Badge tone="success">{t('checkedIn')}</Badge>
        ) : (
          <Badge>
            <span>{t('pending')}</span>
            {!isOver && <span className="max-[15rem]:sr-only">{t('isValid')}</span>}
          </Badge>
        )}
      </div>
      <p
        className={cx(
          'text-center tabular text-title font-strong tracking-wide wrap-anywhere',
          isCrossedOut && 'text-ink-soft line-through',
        )}
      >
        {isCrossedOut && <span className="sr-only">{t('void')}</span>}
        {ticket.ticketCode}
      </p>
      {ticket.checkedInAt && (
        <p className="text-center text-note tabular">
          <span className="text-ink-soft">{t('checkedInAt')} </span>
          <span>{formatMoment(ticket.checkedInAt)}</span>
        </p>
      )}
      <details className="group/more text-note">
        <summary className="flex min-h-11 items-center justify-center font-strong underline-offset-4 hover:underline print:hidden">
          {t('ticketDetails')}
          <ChevronDown aria-hidden className="ms-1 size-4 group-open/more:rotate-180" />
        </summary>
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-x-4 gap-y-2">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="wrap-anywhere tabular">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </article>
  );
}
