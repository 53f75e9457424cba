import type { Order } from '@beltway/contracts/ticketing';
import { useState } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { RefundDialog } from '../../lib/refunds/refund-dialog.tsx';
import { Button } from '../../ui/button.tsx';

/** Until when the buyer may cancel, and the way to it (docs/product.md#refunds). */
export function CancelTickets({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const { orderId, event, tickets, refundable, refundableUntil } = order;
  return (
    <section aria-labelledby="cancel-tickets" className="grid max-w-prose gap-3 border-t border-line pt-6 print:hidden">
      <h2 id="cancel-tickets" className="text-title font-strong">
        You cannot come?
      </h2>
      <p className="text-ink-soft">
        {!refundable
          ? refundableUntil
            ? `Tickets could be cancelled until ${formatMoment(refundableUntil)}. That time is over.`
            : 'These tickets cannot be cancelled by their buyer.'
          : refundableUntil
            ? `You can cancel tickets until ${formatMoment(refundableUntil)} (New York) and get the whole price back.`
            : 'While the event has no date you can cancel tickets at any time and get the whole price back.'}
      </p>
      {refundable && (
        <Button variant="secondary" className="justify-self-start" onClick={() => setOpen(true)}>
          Cancel tickets
        </Button>
      )}
      {isOpen && (
        <RefundDialog orderId={orderId} tickets={tickets} as="buyer" onClose={() => setOpen(false)}>
          <p>
            Your {tickets.length === 1 ? 'ticket' : 'tickets'} for {event.title}.
          </p>
        </RefundDialog>
      )}
    </section>
  );
}
