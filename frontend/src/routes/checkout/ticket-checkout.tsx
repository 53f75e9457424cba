import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { Checkout } from '../../features/checkout/checkout.tsx';
import { CheckoutOpening } from '../../features/checkout/opening.tsx';
import { beginningQuery } from '../../features/checkout/resume.ts';
import { texts } from '../../features/checkout/texts.en.ts';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { saleState } from '../../lib/events/event-facts.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { orderPath } from '../../lib/orders/orders.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { SuggestedEvents } from '../../lib/events/suggested-events.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

/** Loaded lazily, because only an event without tickets to buy needs it. */
const EventWays = lazily(async () => (await import('./event-ways.tsx')).EventWays);

/** The ticket checkout, open to members and guests (services/ticketing/PRODUCT.md#checkout). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('checkout'));
  const [params] = useSearchParams();
  const eventId = Number(params.get('eventId'));
  const isId = Number.isInteger(eventId) && eventId > 0;
  const found = useQuery({ ...eventQuery(eventId), enabled: isId });

  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className="page grid gap-8 py-12">
        <EmptyState heading="h1" title={t('eventNotFound')} action={<ButtonLink to="/">{t('findAnother')}</ButtonLink>}>
          {t('eventNotFoundWhy')}
        </EmptyState>
        <SuggestedEvents />
      </div>
    );
  // A failed refetch does not replace the checkout, because the buyer may be paying.
  if (found.data) return <Begin key={found.data.id} event={found.data} />;
  if (found.isError)
    return (
      <div className="page py-12">
        <ErrorState
          heading="h1"
          title={t('eventNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  return <CheckoutSkeleton />;
}

/** Begins a checkout, or resumes this browser's order. */
function Begin({ event }: { event: Event }) {
  const t = useTexts(texts);
  // The configuration contains whether requests are traced. Other pages load it in their footer.
  useQuery({ ...configQuery(), notifyOnChangeProps: [] });
  const beginning = useQuery(beginningQuery(event.id));
  if (beginning.isError)
    return (
      <div className="page py-12">
        <ErrorState
          heading="h1"
          title={t('notInitialized')}
          message={t('stayHeld', { problem: explain(beginning.error) })}
          onRetry={() => void beginning.refetch()}
          retrying={beginning.isFetching}
        />
      </div>
    );
  if (beginning.isPending)
    return saleState(event, new Date(serverNow())) === 'on-sale' ? (
      <CheckoutOpening event={event} />
    ) : (
      <CheckoutSkeleton />
    );
  const { data } = beginning;
  if (data.kind === 'bought') return <Navigate replace to={orderPath({ eventId: event.id, ...data })} />;
  return (
    <Checkout
      event={event}
      beginning={data}
      ways={
        <Suspense>
          <EventWays event={event} />
        </Suspense>
      }
    />
  );
}

const CheckoutSkeleton = () => (
  <Loading
    label={textsNow(texts)('loading')}
    className="page grid gap-8 py-6 lg:grid-cols-[minmax(0,36rem)_22rem] lg:justify-between lg:py-12"
  >
    <div className="grid content-start gap-5">
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="h-20 rounded-md" />
      <Skeleton className="h-16 rounded-md" />
      <Skeleton className="h-16 rounded-md" />
    </div>
    <Skeleton className="hidden h-96 rounded-lg lg:block" />
  </Loading>
);
