import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { beginningQuery } from './api.ts';
import { CheckoutError, reasonOf } from './checkout-error.tsx';
import { CheckoutLayout, SettingUp } from './checkout-layout.tsx';
import { promotionSuccessPath, type Promoting } from './packages.ts';
import { Payment } from './payment.tsx';
import { refusalOf } from './promotable.ts';
import { texts } from './texts.en.ts';

/** Begins the payment of a promotion, or continues the payment that this browser began. */
export function PromotionCheckout({ event, offer, userId }: Promoting) {
  const t = useTexts(texts);
  // Checked once, so that the card form does not disappear when the event changes. The server checks again.
  const [refusal] = useState(() => refusalOf(event, userId, new Date(serverNow())));
  const beginning = useQuery({
    ...beginningQuery({ userId, eventId: event.id, level: offer.level }),
    enabled: refusal === null,
  });
  const back = (
    <ButtonLink to={eventPath(event)} variant="secondary">
      {t('returnToEvent')}
    </ButtonLink>
  );
  if (refusal !== null) return <CheckoutError message={refusal} action={back} />;
  // Checks data before errors, so that a failed background refetch does not remove a form that is being filled in.
  if (beginning.data?.kind === 'paid')
    return <Navigate replace to={promotionSuccessPath(offer.level, event.id, beginning.data.paymentIntentId)} />;
  if (beginning.data) {
    const { intent } = beginning.data;
    const lead =
      event.promotionLevel === offer.level
        ? t('already', { name: offer.name, hours: String(offer.hours) })
        : t('begins', { hours: String(offer.hours) });
    return (
      <CheckoutLayout event={event} offer={offer} cents={intent.amount} heading={t('promoteYours')} lead={lead}>
        <Payment {...{ event, offer, userId, intent }} pay={t('payPromotion', { price: formatCents(intent.amount) })} />
      </CheckoutLayout>
    );
  }
  if (beginning.isError)
    return (
      <CheckoutError
        message={reasonOf(beginning.error, offer)}
        onRetry={() => void beginning.refetch()}
        retrying={beginning.isFetching}
        action={back}
      />
    );
  return <SettingUp />;
}
