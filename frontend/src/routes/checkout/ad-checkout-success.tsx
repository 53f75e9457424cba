import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { AdOutcome, NoPayment } from '../../features/advertise/ad-outcome.tsx';
import { isPaymentSecret } from '../../features/advertise/api.ts';
import { texts } from '../../features/advertise/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';

const SECRET = 'payment_intent_client_secret';
/** What the provider adds to the address and nobody needs to see. */
const ADDED = [SECRET, 'payment_intent', 'redirect_status'];
const SLOT = 'beltway.ad-payment';

/** Where the card provider returns to after an ad was paid. The secret moves from the address into this tab. */
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
