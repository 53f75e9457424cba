import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import Lock from 'lucide-react/icons/lock';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Notice } from '../../ui/notice.tsx';
import { dismissToast, openToast } from '../../ui/toast.ts';
import { useTheme } from '../browser/theme.ts';
import { texts } from './texts.en.ts';

/** What the server answered about a payment: it succeeded, no money was taken, or the server does not know. */
export type Verdict = 'paid' | 'unpaid' | 'unknown';

/** What the form says of the thing that is bought. */
interface CardFormWords {
  /** On the button: what it does, and what it costs. */
  pay: string;
  /** After a card was refused, and nothing was charged. */
  refused: string;
  /** While nobody knows whether it was paid. */
  unknown: string;
  /** Below 'Payment Error', when paying broke down and nothing was charged. */
  broken: string;
}

interface CardFormProps {
  stripe: Stripe;
  sandbox: boolean;
  intent: { clientSecret: string; paymentIntentId: string };
  words: CardFormWords;
  /** Where the provider returns to, if it has to leave the page. */
  returnUrl: string;
  /** `always`: it leaves the page there after every payment. Default: only where it has to. */
  redirect?: 'always' | 'if_required';
  /** Called with true while a payment is under way: the form must stay mounted until then. */
  onPaying: (paying: boolean) => void;
  onPaid: (paymentIntentId: string) => Promise<void>;
  /** The provider did not say whether it was paid. The server is asked; `waiting` is called while it does not answer. */
  onUnclear: (paymentIntentId: string, waiting: () => void) => Promise<Verdict>;
  onFailed: () => void;
  bar: (button: ReactNode) => ReactNode;
}

/** The provider's card form with the button that pays; what went wrong stands in between. */
export function CardForm({ stripe, ...rest }: CardFormProps) {
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

/** A card that the sandbox always accepts. */
const TEST_CARD = '4242 4242 4242 4242';

interface Failure {
  /** Counts up, so that a repeated message takes the focus again. */
  at: number;
  message: string;
  /** Whether money was taken, as far as it is known: it decides what the message advises. */
  next: 'nothing-charged' | 'form' | 'unknown' | null;
}

/** True when the provider's error says that no money was taken. After any other error it may have been. */
const tookNoMoney = ({ type, payment_intent: intent }: StripeError): boolean =>
  type === 'card_error' ||
  type === 'validation_error' ||
  (intent !== undefined && ['requires_payment_method', 'requires_confirmation', 'canceled'].includes(intent.status));

function Card(props: Omit<CardFormProps, 'stripe'>) {
  const {
    sandbox,
    intent,
    words,
    returnUrl,
    redirect = 'if_required',
    onPaying,
    onPaid,
    onUnclear,
    onFailed,
    bar,
  } = props;
  const t = useTexts(texts);
  const stripe = useStripe();
  const elements = useElements();
  const [paying, setPaying] = useState<'no' | 'yes' | 'asking'>('no');
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isShown = useRef(true);
  const toastId = useRef<number | null>(null);

  /** Dismisses the toast about a failed payment: on the next try, and when the form is unmounted. */
  const dismissOwnToast = () => {
    if (toastId.current !== null) dismissToast(toastId.current);
    toastId.current = null;
  };
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      dismissOwnToast();
    };
  }, []);

  const show = (message: string, next: Failure['next']) =>
    setFailure((before) => ({ at: (before?.at ?? 0) + 1, message, next }));
  const fail = (title: string, message: string, next: Failure['next']) => {
    if (!isShown.current) return;
    show(message, next);
    toastId.current = openToast({ title, description: message, variant: 'destructive' });
  };

  const unclear = async (title: string, message: string): Promise<Verdict> => {
    setPaying('asking');
    const verdict = await onUnclear(intent.paymentIntentId, () => {
      if (isShown.current) show(t('noAnswerYet'), 'unknown');
    });
    if (verdict === 'unpaid') fail(title, message, 'nothing-charged');
    if (verdict === 'unknown') fail(t('paymentError'), t('notKnown'), 'unknown');
    return verdict;
  };

  const confirm = async (ready: Stripe, form: StripeElements): Promise<Verdict> => {
    const { error, paymentIntent } = await ready.confirmPayment({
      elements: form,
      clientSecret: intent.clientSecret,
      confirmParams: { return_url: returnUrl },
      // Stripe answers nothing where it leaves the page; the sandbox does. One type for both.
      redirect: redirect as 'if_required',
    });
    // Also true for an earlier try whose answer was lost, and for a payment in another tab.
    const settled = paymentIntent ?? (error?.payment_intent?.status === 'succeeded' ? error.payment_intent : null);
    if (settled) {
      await onPaid(settled.id);
      return 'paid';
    }
    const message = error?.message ?? t('notAccepted');
    if (error && !tookNoMoney(error)) return unclear(t('paymentFailed'), message);
    fail(t('paymentFailed'), message, 'nothing-charged');
    return 'unpaid';
  };

  const pay = async () => {
    if (!stripe || !elements) return;
    setPaying('yes');
    setFailure(null);
    dismissOwnToast();
    try {
      const { error: unfinished } = await elements.submit();
      // Nothing was sent. The card form shows the message at its field and has the focus.
      if (unfinished) return setFailure({ at: 0, message: unfinished.message ?? t('checkCard'), next: 'form' });
      onPaying(true);
      const verdict = await confirm(stripe, elements).catch(() => unclear(t('paymentError'), words.broken));
      onPaying(false);
      if (verdict !== 'paid') onFailed();
    } finally {
      setPaying('no');
    }
  };

  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (paying === 'no') void pay();
      }}
    >
      {sandbox && (
        <Meta className="rounded-md bg-sunken px-4 py-3">
          {t.rich('sandbox', {
            card: () => <b className="whitespace-nowrap tabular text-ink">{TEST_CARD}</b>,
            more: (words) => (
              <a href="/dev/payments" target="_blank" rel="noreferrer" className="underline">
                {words}
              </a>
            ),
          })}
        </Meta>
      )}
      <PaymentElement
        onReady={() => setReady(true)}
        onChange={() => setFailure(null)}
        onLoadError={() => fail(t('setupError'), t('notInitialized'), null)}
      />
      {failure && (
        <Notice {...(failure.next !== 'form' && { focus: failure.at })}>
          <p className="font-strong">{failure.message}</p>
          {failure.next === 'nothing-charged' && <p>{words.refused}</p>}
          {failure.next === 'unknown' && <p>{words.unknown}</p>}
        </Notice>
      )}
      {bar(
        <Button type="submit" pending={paying !== 'no'} disabled={!stripe || !ready} className="w-full lg:min-w-72">
          {paying === 'no' && <Lock aria-hidden className="size-4" />}
          {{ no: words.pay, yes: t('processing'), asking: t('checking') }[paying]}
        </Button>,
      )}
    </form>
  );
}
