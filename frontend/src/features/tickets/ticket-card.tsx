import type { Ticket, TicketStatus } from '@beltway/contracts/ticketing';
import { Maximize2 } from 'lucide-react';
import { formatMoment, formatPrice } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { TicketCode } from './ticket-code.tsx';

interface TicketCardProps {
  ticket: Ticket;
  /** "Ticket 2 of 3" */
  position: string;
  /** One of many: the code is small beside the words, so that a group is not a long way down. */
  compact: boolean;
  onEnlarge: () => void;
}

/** What a void ticket is called; nothing says that money was sent before it was. */
const voidWords: Record<Exclude<TicketStatus, 'valid'>, string> = {
  cancelled: 'Event cancelled',
  refunding: 'Refund requested',
  refunded: 'Refunded',
};

/** One admission. Its code is shown large enough to scan, and larger when pressed; a void one has none. */
export function TicketCard({ ticket, position, compact, onEnlarge }: TicketCardProps) {
  const isVoid = ticket.status !== 'valid';
  const facts: [string, string][] = [
    ['Holder', ticket.ticketHolderName],
    ['Type', ticket.ticketType],
    ['Price', formatPrice(ticket.price)],
    ['Bought', formatMoment(ticket.purchaseDate)],
  ];
  return (
    <article
      aria-label={position}
      className={cx(
        'flex gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5',
        compact ? 'items-start' : 'max-sm:flex-col',
      )}
    >
      {!isVoid && (
        <button
          type="button"
          onClick={onEnlarge}
          className="group shrink-0 self-center overflow-hidden rounded-md border border-line bg-qr-paper text-qr-ink forced-color-adjust-none sm:self-start"
        >
          <TicketCode ticket={ticket} className={compact ? 'block size-24 sm:size-32' : 'block size-52 sm:size-40'} />
          {/* Below the code and not on it: nothing may cover what is scanned. */}
          <span className="flex items-center justify-center gap-1.5 pb-1.5 text-note font-strong group-hover:underline">
            <Maximize2 aria-hidden className="size-3.5" />
            Larger
          </span>
        </button>
      )}
      <div className="grid min-w-0 flex-1 content-start gap-2 sm:gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-note text-ink-soft">{position}</span>
          {ticket.status !== 'valid' ? (
            <Badge tone="warning">{voidWords[ticket.status]}</Badge>
          ) : ticket.isCheckedIn ? (
            <Badge tone="success">Checked In</Badge>
          ) : (
            <Badge>Pending</Badge>
          )}
        </div>
        <p
          className={cx(
            'tabular font-strong',
            compact ? 'text-body' : 'text-title tracking-wide',
            isVoid && 'text-ink-soft line-through',
          )}
        >
          {isVoid && <span className="sr-only">Void: </span>}
          {ticket.ticketCode}
        </p>
        <dl
          className={cx(
            'grid gap-x-4 gap-y-2 text-note',
            compact ? 'grid-cols-2' : 'grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))]',
          )}
        >
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="break-words tabular">{value}</dd>
            </div>
          ))}
          {ticket.checkedInAt && (
            <div>
              <dt className="text-ink-soft">Checked in at</dt>
              <dd className="tabular">{formatMoment(ticket.checkedInAt)}</dd>
            </div>
          )}
        </dl>
      </div>
    </article>
  );
}
