import { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { Checkout } from '../features/checkout/checkout.tsx';
import { orderMemory } from '../features/checkout/order-memory.ts';
import { eventPath, saleState } from '../lib/event-facts.ts';
import { explain, HttpError } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { apiQuery } from '../lib/query.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';

/** Specification 2, section 2: open to everybody, with or without an account. */
export function Component() {
  usePageTitle('Checkout');
  const [params] = useSearchParams();
  const eventId = Number(params.get('eventId'));
  const isId = Number.isInteger(eventId) && eventId > 0;
  const found = useQuery({ ...apiQuery(Event, '/api/events', eventId), enabled: isId });

  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className="page py-12">
        <EmptyState title="Event Not Found" action={<ButtonLink to="/">Find another event</ButtonLink>}>
          This event does not exist, or it was taken down.
        </EmptyState>
      </div>
    );
  if (found.isLoadingError)
    return (
      <div className="page py-12">
        <ErrorState
          title="This event could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
        />
      </div>
    );
  if (found.isPending)
    return (
      <Loading label="Loading the checkout" className="page grid gap-8 py-12 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-4">
          <Skeleton className="h-10 w-2/3" />
          <Skeleton className="h-20" />
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
        <Skeleton className="h-72 rounded-lg" />
      </Loading>
    );

  const event = found.data;
  const state = saleState(event);
  // Who already holds some may go on, whatever happened to the rest.
  if (state !== 'on-sale' && !orderMemory.get(event.id))
    return (
      <div className="page py-12">
        <EmptyState
          title={state === 'sold-out' ? 'Sold Out' : 'Tickets Not Available'}
          action={<ButtonLink to={eventPath(event)}>Back to the event</ButtonLink>}
        >
          {state === 'sold-out'
            ? `Every ticket for ${event.title} is sold.`
            : state === 'not-yet'
              ? 'Ticket sales have not started yet.'
              : 'Ticket sales are not currently available for this event.'}
        </EmptyState>
      </div>
    );
  return <Checkout key={event.id} event={event} />;
}
