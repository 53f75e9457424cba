import { Loading, Skeleton } from '../../ui/states.tsx';
import { explain } from '../http.ts';

interface CheckingPaymentProps {
  /** Why the last question had no answer. */
  trouble: unknown;
  /** What happens without this page, as the end of a sentence. */
  anyway: string;
}

/** While it is asked what became of a payment. */
export const CheckingPayment = ({ trouble, anyway }: CheckingPaymentProps) => (
  <Loading label="Checking your payment" className="page grid gap-4 py-12">
    {trouble ? (
      <p>
        {explain(trouble)} Please do not pay again yet: this page keeps asking, and {anyway}.
      </p>
    ) : (
      <p aria-hidden>Checking your payment…</p>
    )}
    <Skeleton className="h-12 w-2/3 max-w-lg" />
    <Skeleton className="h-32 rounded-lg" />
  </Loading>
);
