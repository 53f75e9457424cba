import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { CheckingPayment } from '../../lib/card-form/checking-payment.tsx';
import { untilSettled } from '../../lib/card-form/settling.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageMessage } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { confirmPromotion, isNotPaid, refreshUntilStarted } from './api.ts';
import { CheckoutError } from './checkout-error.tsx';
import { ofLevel } from './packages.ts';
import { paymentMemory } from './payment-memory.ts';
import { texts } from './texts.en.ts';

const Home = () => (
  <ButtonLink to="/" variant="secondary">
    {useTexts(texts)('home')}
  </ButtonLink>
);

interface PromotionOutcomeProps {
  paymentIntentId: string;
  /** The path of the checkout to try again. */
  again: string;
}

/** The outcome of a promotion's payment, polled until it is settled. */
export function PromotionOutcome({ paymentIntentId, again }: PromotionOutcomeProps) {
  const t = useTexts(texts);
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

  const page = (content: ReactNode) => <PageMessage>{content}</PageMessage>;
  if (data) {
    const toEvent = <ButtonLink to={eventPath({ id: data.eventId })}>{t('seeEvent')}</ButtonLink>;
    const action = (
      <>
        {toEvent}
        <Home />
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
                <ButtonLink to={`/studio/${data.eventId}`}>{t('openStudio')}</ButtonLink>
                <ButtonLink to={eventPath({ id: data.eventId })} variant="secondary">
                  {t('seeEvent')}
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
        <EmptyState heading="h1" title={t('moneyBack')} action={action}>
          {t('moneyBackWhy')}
        </EmptyState>,
      );
    return page(
      <EmptyState heading="h1" title={t('processing')} action={action}>
        {t('processingWhy')}
      </EmptyState>,
    );
  }
  if (isNotPaid(outcome.error))
    return page(
      <EmptyState
        heading="h1"
        title={t('notThrough')}
        action={
          <>
            <ButtonLink to={again}>{t('tryAgain')}</ButtonLink>
            <Home />
          </>
        }
      >
        {t('notThroughWhy')}
      </EmptyState>,
    );
  if (outcome.error instanceof HttpError && outcome.error.status === 404) return <PromotionNotFound />;
  if (outcome.isError)
    return (
      <CheckoutError
        message={explain(outcome.error)}
        onRetry={() => void outcome.refetch()}
        retrying={outcome.isFetching}
        action={<Home />}
      />
    );
  return <CheckingPayment trouble={outcome.failureReason} anyway={t('anyway')} />;
}

/** Shown if this account has no such payment, because the URL was edited or belongs to another account. */
export function PromotionNotFound() {
  const t = useTexts(texts);
  return (
    <PageMessage>
      <EmptyState
        heading="h1"
        title={t('notFound')}
        action={<ButtonLink to="/dashboard">{t('yourEvents')}</ButtonLink>}
      >
        {t('notFoundWhy')}
      </EmptyState>
    </PageMessage>
  );
}
