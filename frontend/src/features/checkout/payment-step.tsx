import type { TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { explain } from '../../lib/http.ts';
import { orderPath } from '../../lib/orders.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import type { Details } from './api.ts';
import type { Verdict } from './use-purchase.ts';
import { providerQuery } from './card-provider.ts';
import { PaymentForm } from './payment-form.tsx';

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
  const provider = useQuery(providerQuery);
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
      {provider.isError ? (
        <ErrorState
          title="Unable to initialize payment"
          message={explain(provider.error)}
          onRetry={() => void provider.refetch()}
          retrying={provider.isFetching}
        />
      ) : provider.isPending ? (
        <Loading label="Loading the payment form" className="grid gap-4">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-12" />
        </Loading>
      ) : (
        <PaymentForm
          {...provider.data}
          {...rest}
          intent={intent}
          returnUrl={new URL(orderPath(intent), window.location.origin).href}
        />
      )}
    </>
  );
}
