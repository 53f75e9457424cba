import { refundLine } from '@beltway/contracts/ticketing/refund-promise';
import { isOnHold } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { language } from '../../lib/i18n/language.ts';
import { RefundDialog } from '../../lib/refunds/refund-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

/** Shows the deadline for canceling tickets, and the button to cancel them (services/ticketing/PRODUCT.md#refunds). */
export function CancelTickets({ order }: { order: Order }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const { orderId, event, tickets, refundableUntil } = order;
  const now = useClock([refundableUntil]);
  const refundable = order.refundable && (!refundableUntil || now.getTime() < Date.parse(refundableUntil));
  if (tickets.some(({ status }) => isOnHold(status)))
    return (
      <section aria-labelledby="on-hold" className="grid max-w-prose gap-3 border-t border-line pt-6">
        <h2 id="on-hold" className="text-title font-strong">
          {t('onHold')}
        </h2>
        <p className="text-ink-soft">{t('onHoldWhy')}</p>
      </section>
    );
  return (
    <section aria-labelledby="cancel-tickets" className="grid max-w-prose gap-3 border-t border-line pt-6 print:hidden">
      <h2 id="cancel-tickets" className="text-title font-strong">
        {t('cannotCome')}
      </h2>
      <p className="text-ink-soft">{refundLine({ refundable, refundableUntil }, language())}</p>
      {refundable && (
        <Button variant="secondary" className="justify-self-start" onClick={() => setOpen(true)}>
          {t('cancelTickets')}
        </Button>
      )}
      {isOpen && (
        <RefundDialog orderId={orderId} tickets={tickets} as="buyer" onClose={() => setOpen(false)}>
          <p>{t('yoursFor', { count: tickets.length, title: event.title })}</p>
        </RefundDialog>
      )}
    </section>
  );
}
