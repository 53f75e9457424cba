import type { AdPackage } from '@beltway/contracts/payments/ads';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { LoadedCardForm } from '../../lib/card-form/loaded-card-form.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { explain, HttpError, isPassing } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { askAdPayment, errorsOfBusiness, paymentIntentOf } from './api.ts';
import { BusinessForm } from './business-form.tsx';
import { CheckoutLayout } from './checkout-layout.tsx';
import { adSuccessPath } from './paths.ts';
import { texts } from './texts.en.ts';
import { useAdPurchase } from './use-ad-purchase.ts';

/** The checkout of one package (services/catalog/PRODUCT.md#ads). */
export function AdCheckout({ offer }: { offer: AdPackage }) {
  const t = useTexts(texts);
  const purchase = useAdPurchase(offer);
  const [isPaying, setPaying] = useState(false);
  const [before] = useState(purchase.draft.clientSecret);
  // First checks a payment that this tab began before a reload, so that the buyer does not pay twice.
  const begun = useQuery({
    queryKey: ['ad-paid-before', before],
    queryFn: () => wasPaid(before ?? ''),
    enabled: before !== null,
    gcTime: 0,
  });
  const { draft, creating } = purchase;
  if (begun.data && before) return <Navigate replace to={adSuccessPath(offer.id, before)} />;
  if (before !== null && !begun.isSuccess)
    return (
      <CheckoutLayout offer={offer} canChange>
        {begun.isError ? (
          <ErrorState
            title={t('unable')}
            message={explain(begun.error)}
            onRetry={() => void begun.refetch()}
            retrying={begun.isFetching}
          />
        ) : (
          <Loading label={t('checking')} className="grid gap-4">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </Loading>
        )}
      </CheckoutLayout>
    );
  const hasFailed = creating.isError && Object.keys(errorsOfBusiness(creating.error)).length === 0;
  return (
    <CheckoutLayout offer={offer} canChange={!isPaying}>
      {purchase.isAtPayment && draft.clientSecret !== null ? (
        <>
          <Said draft={draft.business} onEdit={isPaying ? null : purchase.onEdit} />
          <Payment offer={offer} clientSecret={draft.clientSecret} purchase={purchase} onPaying={setPaying} />
        </>
      ) : (
        <>
          <BusinessForm
            initial={draft.business}
            cents={offer.cents}
            pending={creating.isPending}
            error={creating.error}
            onChange={purchase.onTyped}
            onLeave={purchase.prepare}
            onContinue={purchase.onContinue}
          />
          {hasFailed && (
            <ErrorState
              title={t('unable')}
              message={explain(creating.error)}
              onRetry={purchase.again}
              retrying={creating.isPending}
            />
          )}
        </>
      )}
    </CheckoutLayout>
  );
}

/**
 * Whether the payment was made. False if the server does not know the payment. Rejects on a temporary failure, because
 * the payment may have been made.
 */
const wasPaid = (clientSecret: string): Promise<boolean> =>
  askAdPayment(clientSecret).then(
    ({ status }) => status !== 'open' && status !== 'canceled',
    (error: unknown) => {
      if (error instanceof HttpError && !isPassing(error)) return false;
      throw error;
    },
  );

/** The typed details, above the card form. */
function Said({
  draft: { businessName, contactEmail, eventTitle },
  onEdit,
}: {
  draft: { businessName: string; contactEmail: string; eventTitle: string };
  onEdit: (() => void) | null;
}) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken p-4">
      <div className="grid min-w-0 gap-0.5 wrap-anywhere">
        <p className="font-strong">{eventTitle}</p>
        <Meta>{t('said', { business: businessName, email: contactEmail })}</Meta>
      </div>
      {onEdit && (
        <Button variant="secondary" onClick={onEdit}>
          {t('changeDetails')}
        </Button>
      )}
    </div>
  );
}

interface PaymentProps {
  offer: AdPackage;
  clientSecret: string;
  purchase: ReturnType<typeof useAdPurchase>;
  onPaying: (isPaying: boolean) => void;
}

function Payment({ offer, clientSecret, purchase, onPaying }: PaymentProps) {
  const t = useTexts(texts);
  return (
    <LoadedCardForm
      intent={{ clientSecret, paymentIntentId: paymentIntentOf(clientSecret) }}
      redirect="always"
      returnUrl={new URL(adSuccessPath(offer.id), window.location.origin).href}
      words={{
        pay: t('pay', { price: formatCents(offer.cents) }),
        refused: t('payRefused'),
        unknown: t('payUnknown'),
        broken: t('payBroken'),
      }}
      onPaying={onPaying}
      onPaid={async () => purchase.onPaid(clientSecret)}
      onUnclear={(_, waiting) => purchase.onUnclear(clientSecret, waiting)}
      onFailed={() => undefined}
      bar={(button) => <div className="grid lg:justify-self-start">{button}</div>}
    />
  );
}
