import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { AdOutcome, NoPayment } from '../../features/advertise/ad-outcome.tsx';
import { isPaymentSecret } from '../../features/advertise/api.ts';
import { texts } from '../../features/advertise/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';

const SECRET = 'payment_intent_client_secret';
/** Parameters that the provider adds and this page removes from the URL. */
const ADDED = [SECRET, 'payment_intent', 'redirect_status'];
const SLOT = 'beltway.ad-payment';

/** The card provider's return page after an ad was paid. The secret moves from the URL into this tab's storage. */
export function Component() {
  usePageTitle(useTexts(texts)('yourAd'));
  const [params, setParams] = useSearchParams();
  const given = params.get(SECRET);
  const [kept] = useState(() => tabStorage.get(SLOT));
  const secret = given ?? kept ?? '';
  const isAdded = ADDED.some((name) => params.has(name));
  useEffect(() => {
    if (!isAdded) return;
    if (given !== null) tabStorage.set(SLOT, given);
    setParams((before) => new URLSearchParams([...before].filter(([name]) => !ADDED.includes(name))), {
      replace: true,
    });
  }, [isAdded, given, setParams]);
  const [shown, setShown] = useState(secret);
  if (given !== null && given !== shown) setShown(given);
  return isPaymentSecret(shown) ? <AdOutcome key={shown} clientSecret={shown} /> : <NoPayment />;
}
