import type { TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { Lock } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatCents } from '../../lib/format.ts';
import { useTheme } from '../../lib/theme.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { Notice } from './notice.tsx';

interface PaymentFormProps {
  stripe: Stripe;
  sandbox: boolean;
  intent: TicketPaymentIntent;
  /** Where the provider returns to, if it has to leave the page. */
  returnUrl: string;
  /** Money is on its way: nothing must take the form away. */
  onPaying: (paying: boolean) => void;
  onPaid: (paymentIntentId: string) => Promise<void>;
  onFailed: () => void;
  bar: (button: ReactNode) => ReactNode;
}

export function PaymentForm({ stripe, ...rest }: PaymentFormProps) {
  const [theme] = useTheme();
  const { clientSecret } = rest.intent;
  return (
    <Elements
      key={clientSecret}
      stripe={stripe}
      options={{ clientSecret, appearance: { theme: theme === 'dark' ? 'night' : 'stripe' } }}
    >
      <Card {...rest} />
    </Elements>
  );
}

function Card({ sandbox, intent, returnUrl, onPaying, onPaid, onFailed, bar }: Omit<PaymentFormProps, 'stripe'>) {
  const stripe = useStripe();
  const elements = useElements();
  const [paying, setPaying] = useState(false);
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const fail = (title: string, message: string) => {
    setFailure(message);
    toast({ title, description: message, variant: 'destructive' });
  };

  /** Whether it was paid. */
  const confirm = async (ready: Stripe, form: StripeElements): Promise<boolean> => {
    const { error, paymentIntent } = await ready.confirmPayment({
      elements: form,
      clientSecret: intent.clientSecret,
      confirmParams: { return_url: returnUrl },
      redirect: 'if_required',
    });
    // Also an earlier try that went through though its answer was lost, or another tab's.
    const settled = paymentIntent ?? (error?.payment_intent?.status === 'succeeded' ? error.payment_intent : null);
    if (settled) await onPaid(settled.id);
    else fail('Payment Failed', error?.message ?? 'Your card was not accepted. Please try another one.');
    return settled !== null;
  };

  const pay = async () => {
    if (!stripe || !elements) return;
    setPaying(true);
    setFailure(null);
    try {
      const { error: unfinished } = await elements.submit();
      // The form says it beside its field; nothing was sent.
      if (unfinished) return setFailure(unfinished.message ?? 'Please check your card details.');
      onPaying(true);
      const isPaid = await confirm(stripe, elements);
      onPaying(false);
      if (!isPaid) onFailed();
    } catch {
      fail('Payment Error', 'An unexpected error occurred. Please try again.');
      onPaying(false);
      onFailed();
    } finally {
      setPaying(false);
    }
  };

  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (!paying) void pay();
      }}
    >
      {sandbox && (
        <p className="rounded-md bg-sunken px-4 py-3 text-note text-ink-soft">
          This Beltway runs with a card sandbox: no real money moves. Pay with{' '}
          <b className="whitespace-nowrap tabular text-ink">4242 4242 4242 4242</b>, any later date and any CVC.{' '}
          <a href="/dev/payments" target="_blank" rel="noreferrer" className="underline">
            More test cards
          </a>
        </p>
      )}
      <PaymentElement
        onReady={() => setReady(true)}
        onChange={() => setFailure(null)}
        onLoadError={() => fail('Setup Error', 'Unable to initialize payment. Please try again.')}
      />
      {failure && <Notice>{failure}</Notice>}
      {bar(
        <Button type="submit" pending={paying} disabled={!stripe || !ready} className="w-full lg:min-w-72">
          {!paying && <Lock aria-hidden className="size-4" />}
          {paying ? 'Processing…' : `Pay ${formatCents(intent.amount)}`}
        </Button>,
      )}
    </form>
  );
}
