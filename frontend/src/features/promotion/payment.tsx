import { LoadedCardForm } from '../../lib/card-form/loaded-card-form.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import type { PromotionIntent } from './api.ts';
import { promotionSuccessPath, type Promoting } from './packages.ts';
import { texts } from './texts.en.ts';
import { usePromotionPayment } from './use-promotion-payment.ts';

interface PaymentProps extends Promoting {
  intent: PromotionIntent;
  /** The button's label. */
  pay: string;
  onPaying?: (isPaying: boolean) => void;
}

/** The card form of a promotion, and the steps after the payment. */
export function Payment({ event, offer, userId, intent, pay, onPaying }: PaymentProps) {
  const t = useTexts(texts);
  const payment = usePromotionPayment({ userId, eventId: event.id, level: offer.level });
  return (
    <LoadedCardForm
      intent={intent}
      returnUrl={new URL(promotionSuccessPath(offer.level, event.id), window.location.origin).href}
      words={{
        pay,
        refused: t('payRefused'),
        unknown: t('payUnknown'),
        broken: t('payBroken'),
      }}
      onPaying={(isPaying) => {
        if (isPaying) payment.onPaying(intent.paymentIntentId);
        onPaying?.(isPaying);
      }}
      onPaid={payment.onPaid}
      onUnclear={payment.onUnclear}
      onFailed={() => undefined}
      bar={(button) => <div className="grid lg:justify-self-start">{button}</div>}
    />
  );
}
