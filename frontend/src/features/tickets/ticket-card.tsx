import type { Ticket } from '@beltway/contracts/ticketing';
import { Maximize2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatMoment, formatPrice } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/states.tsx';

const Qr = lazy(async () => ({ default: (await import('./qr.tsx')).Qr }));

interface TicketCardProps {
  ticket: Ticket;
  /** "Ticket 2 of 3" */
  position: string;
}

/** One admission. Its code is shown large enough to scan, and larger when pressed. */
export function TicketCard({ ticket, position }: TicketCardProps) {
  const [large, setLarge] = useState(false);
  const isRefunded = ticket.status === 'refunded';
  const code = (className: string) => (
    <Suspense fallback={<Skeleton className={className} />}>
      <Qr text={ticket.qrCode} label={`QR code of ticket ${ticket.ticketCode}`} className={className} />
    </Suspense>
  );
  const facts: [string, string][] = [
    ['Holder', ticket.ticketHolderName],
    ['Type', ticket.ticketType],
    ['Price', formatPrice(ticket.price)],
    ['Bought', formatMoment(ticket.purchaseDate)],
  ];
  return (
    <article
      aria-label={position}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 sm:flex-row sm:p-5"
    >
      {!isRefunded && (
        <button
          type="button"
          onClick={() => setLarge(true)}
          aria-label={`Show the code of ${position.toLowerCase()} larger`}
          className="group relative shrink-0 self-center overflow-hidden rounded-md border border-line"
        >
          {code('block size-44')}
          <span className="absolute bottom-1 right-1 grid size-8 place-items-center rounded-full bg-inverse text-on-inverse opacity-80 group-hover:opacity-100">
            <Maximize2 aria-hidden className="size-4" />
          </span>
        </button>
      )}
      <div className="grid min-w-0 flex-1 content-start gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-note text-ink-soft">{position}</span>
          {isRefunded ? (
            <Badge tone="warning">Refunded</Badge>
          ) : ticket.isCheckedIn ? (
            <Badge tone="success">Checked In</Badge>
          ) : (
            <Badge>Pending</Badge>
          )}
        </div>
        <p className="tabular text-title font-strong tracking-wide">{ticket.ticketCode}</p>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-note">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="break-words tabular">{value}</dd>
            </div>
          ))}
          {ticket.checkedInAt && (
            <div>
              <dt className="text-ink-soft">Checked in</dt>
              <dd className="tabular">{formatMoment(ticket.checkedInAt)}</dd>
            </div>
          )}
        </dl>
      </div>
      <Dialog
        open={large}
        onOpenChange={setLarge}
        title={position}
        description="Show this at the door. One person per code."
      >
        <div className="grid justify-items-center gap-4 rounded-md bg-qr-paper p-4">
          {code('block aspect-square w-full max-w-sm')}
          <p className="tabular text-title font-strong tracking-wide text-qr-ink">{ticket.ticketCode}</p>
        </div>
      </Dialog>
    </article>
  );
}
