import { useTexts } from '../i18n/catalog.ts';
import { Loading, Skeleton } from '../../ui/states.tsx';
import { explain } from '../http/http.ts';
import { texts } from './texts.en.ts';

interface CheckingPaymentProps {
  /** Why the last poll failed. */
  trouble: unknown;
  /** What happens even if the buyer closes the page, as the end of a sentence. */
  anyway: string;
}

/** Shown while the payment's state is polled. */
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
