import type { TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { CircleAlert, Lock } from 'lucide-react';
import { useState } from 'react';
import { formatCents } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';

interface PaymentFormProps {
  stripe: Stripe;
  sandbox: boolean;
  intent: TicketPaymentIntent;
  /** Where the provider returns to, if it has to leave the page. */
  returnUrl: string;
  onPaid: (paymentIntentId: string) => void;
  onDeclined: () => void;
}

export function PaymentForm({ stripe, ...rest }: PaymentFormProps) {
  return (
    <Elements
      key={rest.intent.clientSecret}
      stripe={stripe}
      options={{ clientSecret: rest.intent.clientSecret, appearance: { theme: 'flat' } }}
    >
      <Card {...rest} />
    </Elements>
  );
}

function Card({ sandbox, intent, returnUrl, onPaid, onDeclined }: Omit<PaymentFormProps, 'stripe'>) {
  const stripe = useStripe();
  const elements = useElements();
  const [paying, setPaying] = useState(false);
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const fail = (title: string, message: string) => {
    setFailure(message);
    toast({ title, description: message, variant: 'destructive' });
  };

  const pay = async () => {
    if (!stripe || !elements) return;
    setPaying(true);
    setFailure(null);
    try {
      const { error: unfinished } = await elements.submit();
      if (unfinished) return setFailure(unfinished.message ?? 'Please check your card details.');
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        clientSecret: intent.clientSecret,
        confirmParams: { return_url: returnUrl },
        redirect: 'if_required',
      });
      if (error) {
        // An earlier try went through, though its answer was lost.
        if (error.payment_intent?.status === 'succeeded') return onPaid(error.payment_intent.id);
        fail('Payment Failed', error.message ?? 'Your card was not accepted. Please try another one.');
        onDeclined();
      } else if (paymentIntent) onPaid(paymentIntent.id);
    } catch {
      fail('Payment Error', 'An unexpected error occurred. Please try again.');
    } finally {
      setPaying(false);
    }
  };

  return (
    <form
      className="grid gap-5"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void pay();
      }}
    >
      {sandbox && (
        <p className="rounded-md bg-sunken px-4 py-3 text-note text-ink-soft">
          This Beltway runs with a card sandbox: no real money moves. Pay with{' '}
          <b className="tabular text-ink">4242 4242 4242 4242</b>, any later date and any CVC.{' '}
          <a href="/dev/payments" target="_blank" rel="noreferrer" className="underline">
            More test cards
          </a>
        </p>
      )}
      <PaymentElement onReady={() => setReady(true)} onChange={() => setFailure(null)} />
      {failure && (
        <p role="alert" className="flex items-start gap-2 rounded-md bg-danger-soft px-4 py-3 text-danger-ink">
          <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {failure}
        </p>
      )}
      <Button type="submit" pending={paying} disabled={!stripe || !ready} className="w-full">
        {!paying && <Lock aria-hidden className="size-4" />}
        {paying ? 'Processing…' : `Pay ${formatCents(intent.amount)}`}
      </Button>
    </form>
  );
}
