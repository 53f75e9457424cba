import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { HttpError } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageMessage } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CheckoutError } from './checkout-error.tsx';
import { SettingUp } from './checkout-layout.tsx';
import { promotionPath, type Promoting, type PromotionPackage } from './packages.ts';
import { texts } from './texts.en.ts';

interface OfEventProps {
  eventId: number;
  offer: PromotionPackage;
  children: (of: Promoting) => ReactNode;
}

/** Loads the event from the URL for a checkout. */
export function OfEvent({ eventId, offer, children }: OfEventProps) {
  const t = useTexts(texts);
  const { user } = useSession();
  const found = useQuery(eventQuery(eventId));
  if (found.error instanceof HttpError && found.error.status === 404) return <EventNotFound offer={offer} />;
  // Keeps the content when a refetch fails, because a payment may be in progress.
  if (found.data && user) return children({ event: found.data, offer, userId: user.id });
  if (found.isError)
    return (
      <CheckoutError
        message={offer.notBegun}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
        action={
          <ButtonLink to="/dashboard" variant="secondary">
            {t('returnToEvents')}
          </ButtonLink>
        }
      />
    );
  return <SettingUp />;
}

export function EventNotFound({ offer }: { offer: PromotionPackage }) {
  const t = useTexts(texts);
  return (
    <PageMessage>
      <EmptyState
        heading="h1"
        title={t('eventNotFound')}
        action={<ButtonLink to={promotionPath(offer.level)}>{t('chooseEvent')}</ButtonLink>}
      >
        {t('eventGone')}
      </EmptyState>
    </PageMessage>
  );
}
