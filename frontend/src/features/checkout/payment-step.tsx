import type { TicketPaymentIntent } from '@beltway/contracts/ticketing/tickets';
import type { ReactNode } from 'react';
import type { Verdict } from '../../lib/card-form/card-form.tsx';
import { LoadedCardForm } from '../../lib/card-form/loaded-card-form.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { orderPath } from '../../lib/orders/orders.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import type { Details } from './api.ts';
import { texts } from './texts.en.ts';

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
  const t = useTexts(texts);
  return (
    <>
      <div className="flex items-center justify-between gap-x-3 rounded-md bg-sunken py-1.5 ps-4 pe-1.5 max-[15rem]:flex-wrap">
        <p className="min-w-0 max-[15rem]:basis-full">
          <span className="block truncate">{details.name}</span>
          <Meta as="span" className="block truncate">
            {details.email}
          </Meta>
        </p>
        <Button variant="quiet" className="shrink-0 px-4" onClick={onChangeDetails}>
          {t('changeDetails')}
        </Button>
      </div>
      <LoadedCardForm
        {...rest}
        intent={intent}
        returnUrl={new URL(orderPath(intent), window.location.origin).href}
        words={{
          pay: t('pay', { total: formatCents(intent.amount) }),
          refused: t('refused'),
          unknown: t('unknown'),
          broken: t('broken'),
        }}
      />
    </>
  );
}
