import type { TicketPaymentIntent } from '@beltway/contracts/ticketing';
import type { ReactNode } from 'react';
import type { Verdict } from '../../lib/card-form/card-form.tsx';
import { LoadedCardForm } from '../../lib/card-form/loaded-card-form.tsx';
import { formatCents } from '../../lib/format.ts';
import { orderPath } from '../../lib/orders.ts';
import { Button } from '../../ui/button.tsx';
import type { Details } from './api.ts';

interface PaymentStepProps {
  details: Details;
  intent: TicketPaymentIntent;
  onChangeDetails: () => void;
  onPaying: (paying: boolean) => void;
  onPaid: (paymentIntentId: string) => Promise<void>;
  onUnclear: (paymentIntentId: string, waiting: () => void) => Promise<Verdict>;
  onFailed: () => void;
  bar: (button: ReactNode) => ReactNode;
}

/** The buyer's details, with a button to change them, and the card form. */
export function PaymentStep({ details, intent, onChangeDetails, ...rest }: PaymentStepProps) {
  return (
    <>
      <div className="flex items-center justify-between gap-x-3 rounded-md bg-sunken py-1.5 pl-4 pr-1.5 max-[15rem]:flex-wrap">
        <p className="min-w-0 max-[15rem]:basis-full">
          <span className="block truncate">{details.name}</span>
          <span className="block truncate text-note text-ink-soft">{details.email}</span>
        </p>
        <Button variant="quiet" className="shrink-0 px-4" onClick={onChangeDetails}>
          Change details
        </Button>
      </div>
      <LoadedCardForm
        {...rest}
        intent={intent}
        returnUrl={new URL(orderPath(intent), window.location.origin).href}
        words={{
          pay: `Pay ${formatCents(intent.amount)}`,
          refused:
            'Nothing was charged. Check the card’s details or pay with another card: your tickets are still held.',
          unknown: 'Please do not pay again yet: this page keeps asking, and the tickets come by email if it did.',
          broken: 'An unexpected error occurred. Please try again.',
        }}
      />
    </>
  );
}
