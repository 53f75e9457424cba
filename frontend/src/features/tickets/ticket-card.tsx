import { admits, isOnHold, isVoid, type ShownTicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket } from '@beltway/contracts/ticketing/tickets';
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
  onEnlarge: () => void;
}

/** The badge of a ticket that does not admit; 'Refunded' only when the money was sent. */
const BADGE = {
  valid: 'pending',
  frozen: 'frozen',
  canceled: 'canceledEvent',
  refunding: 'requested',
  refunded: 'refunded',
  disputed: 'paymentDisputed',
  unknown: 'unknown',
} as const satisfies Record<ShownTicketStatus, string>;

/** One admission, with a code that can be scanned as it is and enlarged by a press; a ticket that does not admit has none. */
export function TicketCard({ ticket, position, onEnlarge }: TicketCardProps) {
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
      className="flex gap-4 rounded-lg border border-line bg-surface p-4 max-sm:flex-col sm:p-5"
    >
      {isGood && (
        <button
          type="button"
          onClick={onEnlarge}
          className="group max-w-full shrink-0 self-center overflow-hidden rounded-md border border-line bg-qr-paper text-qr-ink forced-color-adjust-none sm:self-start"
        >
          <TicketCode ticket={ticket} className="block aspect-square w-52 max-w-full" />
          {/* Below the code and not on it: nothing may cover what is scanned. */}
          <span className="flex items-center justify-center gap-1.5 min-h-11 text-note font-strong group-hover:underline">
            <Maximize2 aria-hidden className="size-3.5" />
            {t('larger')}
          </span>
        </button>
      )}
      <div className="grid min-w-0 flex-1 grid-cols-1 content-start gap-2 sm:gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Meta as="span">{position}</Meta>
          {!isGood ? (
            <Badge tone="warning">{t(BADGE[ticket.status])}</Badge>
          ) : ticket.isCheckedIn ? (
            <Badge tone="success">{t('checkedIn')}</Badge>
          ) : (
            <Badge>
              <span>{t('pending')}</span>
              <span className="max-[15rem]:sr-only">{t('notScanned')}</span>
            </Badge>
          )}
        </div>
        <p
          className={cx(
            'tabular text-title font-strong tracking-wide wrap-anywhere',
            isCrossedOut && 'text-ink-soft line-through',
          )}
        >
          {isCrossedOut && <span className="sr-only">{t('void')}</span>}
          {ticket.ticketCode}
        </p>
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-x-4 gap-y-2 text-note">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="wrap-anywhere tabular">{value}</dd>
            </div>
          ))}
          {ticket.checkedInAt && (
            <div>
              <dt className="text-ink-soft">{t('checkedInAt')}</dt>
              <dd className="tabular">{formatMoment(ticket.checkedInAt)}</dd>
            </div>
          )}
        </dl>
      </div>
    </article>
  );
}
