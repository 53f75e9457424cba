import type { Order } from '@beltway/contracts/ticketing';
import { useState } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { RefundDialog } from '../../lib/refunds/refund-dialog.tsx';
import { Button } from '../../ui/button.tsx';

/** Until when the buyer may cancel, and the way to it (docs/product.md#refunds). */
export function CancelTickets({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const { orderId, event, tickets, refundable, refundableUntil } = order;
  if (tickets.some(({ status }) => status === 'frozen'))
    return (
      <section aria-labelledby="on-hold" className="grid max-w-prose gap-3 border-t border-line pt-6">
        <h2 id="on-hold" className="text-title font-strong">
          Why they are on hold
        </h2>
        <p className="text-ink-soft">
          A bank disputes the payment of this order. Until that is settled these tickets admit nobody and cannot be
          cancelled. If you did not ask your bank for it, tell them so.
        </p>
      </section>
    );
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
