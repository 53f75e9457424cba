import { IdText } from '@beltway/contracts/common/basics';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isPaymentIntentId } from '../../features/promotion/api.ts';
import { packageOf, promotionPath } from '../../features/promotion/packages.ts';
import { PromotionNotFound, PromotionOutcome } from '../../features/promotion/promotion-outcome.tsx';
import { texts as packageTexts } from '../../features/promotion/packages.texts.en.ts';
import { texts } from '../../features/promotion/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** Parameters that the provider adds and this page removes from the URL. */
const SECRETS = ['payment_intent_client_secret', 'redirect_status'];

/** The card provider's return page after a promotion was paid. Also waits for a pending payment. */
export function Component() {
  // Loads texts that code outside of components reads: package names, and why an event has no packages.
  useTexts(packageTexts);
  usePageTitle(useTexts(texts)('yourPromotion'));
  const [params, setParams] = useSearchParams();
  const hasSecrets = SECRETS.some((name) => params.has(name));
  useEffect(() => {
    if (!hasSecrets) return;
    setParams((before) => new URLSearchParams([...before].filter(([name]) => !SECRETS.includes(name))), {
      replace: true,
    });
  }, [hasSecrets, setParams]);

  const paymentIntentId = params.get('payment_intent') ?? '';
  if (!isPaymentIntentId(paymentIntentId)) return <PromotionNotFound />;
  const again = promotionPath(
    packageOf(params.get('level'))?.level ?? 'featured',
    IdText.safeParse(params.get('eventId')).data,
  );
  return <PromotionOutcome key={paymentIntentId} paymentIntentId={paymentIntentId} again={again} />;
}
