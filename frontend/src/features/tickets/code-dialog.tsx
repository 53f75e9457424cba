import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './texts.en.ts';
import { TicketCode } from './ticket-code.tsx';

interface CodeDialogProps {
  event: TicketEvent;
  tickets: readonly Ticket[];
  /** The index of the ticket that is shown; null for none. */
  at: number | null;
  onShow: (at: number | null) => void;
}

/** Shows one code as large as the screen allows. Previous and Next show the order's other tickets that have a code. */
export function CodeDialog({ event, tickets, at, onShow }: CodeDialogProps) {
  const t = useTexts(texts);
  const ticket = at === null ? undefined : tickets[at];
  // A ticket that is voided while it is shown loses its code.
  if (at === null || !ticket || ticket.qrCode === null) return null;
  const hasCode = (one: Ticket) => one.qrCode !== null;
  const before = tickets.slice(0, at).findLastIndex(hasCode);
  const after = tickets.findIndex((one, index) => index > at && hasCode(one));
  return (
    <Dialog
      onClose={() => onShow(null)}
      title={t('position', { number: String(at + 1), count: String(tickets.length) })}
      description={t('showAtDoor')}
      footer={
        tickets.filter(hasCode).length > 1 && (
          <div className="grid w-full grid-cols-2 gap-3 max-[15rem]:grid-cols-1">
            <Button variant="secondary" disabled={before < 0} onClick={() => onShow(before)}>
              <ChevronLeft aria-hidden className="size-4" />
              {t('previous')}
            </Button>
            <Button variant="secondary" disabled={after < 0} onClick={() => onShow(after)}>
              {t('next')}
              <ChevronRight aria-hidden className="size-4" />
            </Button>
          </div>
        )
      }
    >
      {/* Identifies the event for a buyer with tickets for several evenings, and for the staff at the door. */}
      <p className="pb-3">
        <b className="block text-title wrap-anywhere">{event.title}</b>
        <When event={event} className="text-note text-ink-soft" />
      </p>
      {/* Focusable, so that keyboard users can scroll it on small screens. */}
      <div
        role="group"
        aria-label={t('code')}
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
