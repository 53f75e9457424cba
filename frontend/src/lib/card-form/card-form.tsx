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

/** The server's verdict on a payment: it succeeded, no money was taken, or the server does not know. */
export type Verdict = 'paid' | 'unpaid' | 'unknown';

/** The form's texts for the product that is bought. */
interface CardFormWords {
  /** On the button: the action and the price. */
  pay: string;
  /** Shown after a card was declined and nothing was charged. */
  refused: string;
  /** Shown while the payment's outcome is unknown. */
  unknown: string;
  /** Shown below 'Payment Error' when the payment failed for a technical reason and nothing was charged. */
  broken: string;
}

interface CardFormProps {
  stripe: Stripe;
  sandbox: boolean;
  intent: { clientSecret: string; paymentIntentId: string };
  words: CardFormWords;
  /** The URL to which the provider sends the buyer back if it has to leave the page. */
  returnUrl: string;
  /** `always`: the provider leads to `returnUrl` after every payment. Default: only if it has to leave the page. */
  redirect?: 'always' | 'if_required';
  /** Called with true when a payment starts and false when it ends. The form must stay mounted in between. */
  onPaying: (paying: boolean) => void;
  onPaid: (paymentIntentId: string) => Promise<void>;
  /**
   * Called if the provider reported no outcome. The function asks the server, and calls `waiting` while the server does
   * not respond.
   */
  onUnclear: (paymentIntentId: string, waiting: () => void) => Promise<Verdict>;
  onFailed: () => void;
  bar: (button: ReactNode) => ReactNode;
}

/** The provider's card form, the error message, and the button that pays. */
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

/** Wallets come first, because they need only one press. The provider shows only the wallets that this device has. */
const WALLETS_FIRST = ['apple_pay', 'google_pay', 'link', 'card'];

/** A card that the sandbox always accepts. */
const TEST_CARD = '4242 4242 4242 4242';

interface Failure {
  /** Incremented by each failure, so that a repeated message gets the focus again. */
  at: number;
  message: string;
  /** What is known about whether the card was charged; selects the advice in the message. */
  next: 'nothing-charged' | 'form' | 'unknown' | null;
}

/** True when the provider's error rules out a charge. After any other error, the card may have been charged. */
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
      // With `always`, Stripe leaves the page and returns nothing, but the sandbox returns a payment. The type cast
      // allows both cases.
      redirect: redirect as 'if_required',
    });
    // Also set if an earlier attempt succeeded and its response was lost, or if another tab made the payment.
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
        options={{ paymentMethodOrder: WALLETS_FIRST }}
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
