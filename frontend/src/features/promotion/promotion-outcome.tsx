import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { CheckingPayment } from '../../lib/card-form/checking-payment.tsx';
import { untilSettled } from '../../lib/card-form/settling.ts';
import { eventPath } from '../../lib/event-facts.ts';
import { explain, HttpError } from '../../lib/http.ts';
import { useSession } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { confirmPromotion, isNotPaid, refreshUntilStarted } from './api.ts';
import { CheckoutError } from './checkout-error.tsx';
import { ofLevel } from './packages.ts';
import { paymentMemory } from './payment-memory.ts';

const home = (
  <ButtonLink to="/" variant="secondary">
    Home
  </ButtonLink>
);

interface PromotionOutcomeProps {
  paymentIntentId: string;
  /** The checkout that it was paid in. */
  again: string;
}

/** What became of the payment of a promotion; asks until it is settled. */
export function PromotionOutcome({ paymentIntentId, again }: PromotionOutcomeProps) {
  const outcome = useQuery({
    queryKey: ['promotion-outcome', paymentIntentId],
    queryFn: () => confirmPromotion(paymentIntentId),
    ...untilSettled,
  });
  const { data } = outcome;
  const { user } = useSession();
  const userId = user?.id;
  const queries = useQueryClient();
  useEffect(() => {
    if (!data || data.status === 'processing' || userId === undefined) return;
    paymentMemory.clear({ userId, eventId: data.eventId, level: data.promotionLevel });
    if (data.status === 'paid') void refreshUntilStarted(queries, data.eventId, data.promotionLevel);
  }, [data, userId, queries]);

  const page = (content: ReactNode) => <div className="page py-12">{content}</div>;
  if (data) {
    const toEvent = <ButtonLink to={eventPath({ id: data.eventId })}>See your event</ButtonLink>;
    const action = (
      <>
        {toEvent}
        {home}
      </>
    );
    if (data.status === 'paid')
      return page(
        <EmptyState
          heading="h1"
          title={ofLevel(data.promotionLevel).paid.title}
          action={
            data.promotionLevel === 'livestream' ? (
              <>
                <ButtonLink to={`/studio/${data.eventId}`}>Open the studio</ButtonLink>
                <ButtonLink to={eventPath({ id: data.eventId })} variant="secondary">
                  See your event
                </ButtonLink>
              </>
            ) : (
              action
            )
          }
        >
          {ofLevel(data.promotionLevel).paid.description}
        </EmptyState>,
      );
    if (data.status === 'refunded')
      return page(
        <EmptyState heading="h1" title="Your money goes back" action={action}>
          What you paid for this promotion goes back to your card. That happens when an event was cancelled, postponed
          or over by the time the payment arrived.
        </EmptyState>,
      );
    return page(
      <EmptyState heading="h1" title="Your payment is being processed" action={action}>
        Please do not pay again. The promotion starts by itself as soon as the payment is through; this page need not
        stay open.
      </EmptyState>,
    );
  }
  if (isNotPaid(outcome.error))
    return page(
      <EmptyState
        heading="h1"
        title="This payment has not gone through"
        action={
          <>
            <ButtonLink to={again}>Try again</ButtonLink>
            {home}
          </>
        }
      >
        Nothing was charged, and nothing was promoted.
      </EmptyState>,
    );
  if (outcome.error instanceof HttpError && outcome.error.status === 404) return <PromotionNotFound />;
  if (outcome.isError)
    return (
      <CheckoutError
        message={explain(outcome.error)}
        onRetry={() => void outcome.refetch()}
        retrying={outcome.isFetching}
        action={home}
      />
    );
  return <CheckingPayment trouble={outcome.failureReason} anyway="the promotion starts by itself if you have paid" />;
}

/** No payment of this account: an address that was changed, or somebody else's. */
export const PromotionNotFound = () => (
  <div className="page py-12">
    <EmptyState heading="h1" title="Promotion Not Found" action={<ButtonLink to="/dashboard">Your events</ButtonLink>}>
      There is no payment of yours at this address.
    </EmptyState>
  </div>
);
