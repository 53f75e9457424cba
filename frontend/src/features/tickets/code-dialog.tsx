import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { When } from '../../lib/event-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TicketCode } from './ticket-code.tsx';

interface CodeDialogProps {
  event: TicketEvent;
  tickets: readonly Ticket[];
  /** Which is shown; null for none. */
  at: number | null;
  onShow: (at: number | null) => void;
}

/** One code as large as the screen allows; Previous and Next for the other tickets of the order. */
export function CodeDialog({ event, tickets, at, onShow }: CodeDialogProps) {
  const ticket = at === null ? undefined : tickets[at];
  if (!ticket || at === null) return null;
  const step = (by: number) => onShow(Math.min(tickets.length - 1, Math.max(0, at + by)));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onShow(null)}
      title={`Ticket ${at + 1} of ${tickets.length}`}
      description="Show this at the door. One person per code."
      footer={
        tickets.length > 1 && (
          <div className="grid w-full grid-cols-2 gap-3 max-[15rem]:grid-cols-1">
            <Button variant="secondary" disabled={at === 0} onClick={() => step(-1)}>
              <ChevronLeft aria-hidden className="size-4" />
              Previous
            </Button>
            <Button variant="secondary" disabled={at === tickets.length - 1} onClick={() => step(1)}>
              Next
              <ChevronRight aria-hidden className="size-4" />
            </Button>
          </div>
        )
      }
    >
      {/* Whoever holds several evenings' tickets, and whoever looks at the screen at the door, see which one it is. */}
      <p className="pb-3">
        <b className="block text-title">{event.title}</b>
        <When event={event} className="text-note text-ink-soft" />
      </p>
      {/* Focusable, because on a small screen it is scrolled, also by keys. */}
      <div
        role="group"
        aria-label="Code"
        tabIndex={0}
        className="grid justify-items-center gap-3 rounded-md bg-qr-paper p-4 forced-color-adjust-none"
      >
        <TicketCode ticket={ticket} className="block aspect-square w-full max-w-[min(24rem,max(12.5rem,40dvh))]" />
        <p aria-live="polite" className="tabular text-title font-strong tracking-wide text-qr-ink">
          {ticket.ticketCode}
        </p>
      </div>
    </Dialog>
  );
}
