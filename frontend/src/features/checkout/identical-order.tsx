import type { Event } from '@beltway/contracts/catalog/events';
import { IdenticalOrderAnswer } from '@beltway/contracts/ticketing/orders';
import type { TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { get } from '../../lib/http/http.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { keyHeaders } from '../../lib/orders/orders.ts';

const IdenticalOrderDialog = lazily(async () => (await import('./identical-order-dialog.tsx')).IdenticalOrderDialog);

interface AskBeforePayingProps {
  event: Event;
  intent: TicketPaymentIntent;
  onBack: () => void;
  /** `guard` disables the pay button while a confirmation by the buyer is missing. */
  children: (guard: (button: ReactNode) => ReactNode) => ReactNode;
}

/**
 * If the buyer paid for the same tickets minutes ago, asks whether the buyer wants them again. If the server does not
 * respond, the buyer is not asked.
 */
export function AskBeforePaying({ event, intent, onBack, children }: AskBeforePayingProps) {
  const { orderId, accessKey, quantity } = intent;
  const [isConfirmed, setConfirmed] = useState(false);
  const found = useQuery({
    queryKey: ['/api/orders', orderId, 'identical'],
    queryFn: ({ signal }) =>
      get(`/api/orders/${orderId}/identical`, IdenticalOrderAnswer, { signal, headers: keyHeaders(accessKey) }),
    staleTime: Infinity,
    retry: false,
  });
  const before = isConfirmed ? null : (found.data?.order ?? null);
  const isOpen = found.isPending || before !== null;
  return (
    <>
      {children((button) => (
        <fieldset disabled={isOpen} className="contents">
          {button}
        </fieldset>
      ))}
      {before && (
        <Suspense>
          <IdenticalOrderDialog {...{ event, quantity, before, onBack }} onConfirm={() => setConfirmed(true)} />
        </Suspense>
      )}
    </>
  );
}
