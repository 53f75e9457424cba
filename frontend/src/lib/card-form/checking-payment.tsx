import { useTexts } from '../i18n/catalog.ts';
import { Loading, Skeleton } from '../../ui/states.tsx';
import { explain } from '../http/http.ts';
import { texts } from './texts.en.ts';

interface CheckingPaymentProps {
  /** Why the last question had no answer. */
  trouble: unknown;
  /** What happens without this page, as the end of a sentence. */
  anyway: string;
}

/** While it is asked what became of a payment. */
export function CheckingPayment({ trouble, anyway }: CheckingPaymentProps) {
  const t = useTexts(texts);
  return (
    <Loading label={t('checkingLabel')} className="page grid gap-4 py-12">
      {trouble ? <p>{t('doNotPay', { problem: explain(trouble), anyway })}</p> : <p aria-hidden>{t('checking')}</p>}
      <Skeleton className="h-12 w-2/3 max-w-lg" />
      <Skeleton className="h-32 rounded-lg" />
    </Loading>
  );
}
