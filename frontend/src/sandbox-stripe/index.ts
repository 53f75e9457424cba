import type { PaymentIntent, Stripe, StripeError } from '@stripe/stripe-js';
import { sandboxApi, type Nested } from './api.ts';
import { challengeDialog } from './challenge-dialog.ts';
import { SandboxElements, type GroupOptions } from './elements.ts';
import type { SandboxElement } from './payment-element.ts';
import './sandbox-stripe.css';

interface SandboxOptions {
  /** The sandbox's base path: `/sandbox/stripe`. */
  apiBase: string;
  publishableKey: string;
}
interface ConfirmOptions {
  elements?: SandboxElements;
  clientSecret?: string;
  confirmParams?: {
    return_url?: string;
    payment_method?: string;
    payment_method_data?: Nested;
    receipt_email?: string;
  };
  redirect?: 'always' | 'if_required';
}
type Result = { paymentIntent: PaymentIntent; error?: undefined } | { paymentIntent?: undefined; error: StripeError };

const merged = (left: Nested, right: Nested = {}): Nested => {
  const both = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const before = both[name];
    both[name] =
      typeof value === 'object' && value !== null && typeof before === 'object' && before !== null
        ? merged(before, value)
        : value;
  }
  return both;
};

/**
 * A replacement for Stripe.js: pass it to `<Elements stripe={…}>` and use `useStripe` and `useElements` as usual. It
 * renders the card form in the page, calls the sandbox as Stripe.js calls Stripe, and returns Stripe's shapes.
 */
export function createSandboxStripe({ apiBase, publishableKey }: SandboxOptions): Stripe {
  const api = sandboxApi(apiBase, publishableKey);
  let underWay: Promise<Result> | undefined;

  /** Converts an intent to a result. After a refused payment, the intent contains the error. */
  const outcome = (intent: PaymentIntent): Result => {
    if (intent.status !== 'requires_payment_method' || !intent.last_payment_error) return { paymentIntent: intent };
    return { error: { ...(intent.last_payment_error as StripeError), payment_intent: intent } };
  };

  async function retrieve(clientSecret: string): Promise<Result> {
    const { value, error } = await api.retrieveIntent(clientSecret);
    return error ? { error } : { paymentIntent: value };
  }

  async function answerChallenge(intent: PaymentIntent, clientSecret: string): Promise<Result> {
    const action = intent.next_action as { use_stripe_sdk?: { source?: string } } | null;
    const source = action?.use_stripe_sdk?.source;
    if (intent.status !== 'requires_action' || !source) return outcome(intent);
    const said = await challengeDialog({
      url: `${api.base}/3ds/${source}`,
      source,
      settled: async () => {
        const { paymentIntent } = await retrieve(clientSecret);
        return paymentIntent !== undefined && paymentIntent.status !== 'requires_action';
      },
    });
    // Closing counts as a failed authentication, unless the bank has already confirmed the intent.
    const after =
      said === 'closed' ? await api.cancelChallenge(clientSecret, source) : await api.retrieveIntent(clientSecret);
    return after.error ? { error: after.error } : outcome(after.value);
  }

  async function confirm(clientSecret: string, data: Nested): Promise<Result> {
    const { value, error } = await api.confirmIntent(clientSecret, data);
    return error ? { error } : answerChallenge(value, clientSecret);
  }

  function goTo(returnUrl: string, intent: PaymentIntent, clientSecret: string): void {
    const url = new URL(returnUrl, window.location.href);
    url.searchParams.set('payment_intent', intent.id);
    url.searchParams.set('payment_intent_client_secret', clientSecret);
    url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'pending');
    window.location.assign(url.href);
  }

  async function confirmPayment({
    elements,
    clientSecret: given,
    confirmParams = {},
    redirect = 'always',
  }: ConfirmOptions): Promise<Result> {
    const clientSecret = given ?? elements?.clientSecret;
    if (!clientSecret)
      throw new Error(
        'Missing value for stripe.confirmPayment intent secret: value should be a client secret of the form ${id}_secret_${secret}.',
      );
    const element = elements?.current();
    const wrong = element?.validate();
    if (wrong) return { error: wrong };
    const { payment_method_data: more, ...params } = confirmParams;
    element?.lock(true);
    try {
      const result = await confirm(clientSecret, {
        ...params,
        ...(element ? { payment_method_data: merged(element.data(), more), expected_payment_method_type: 'card' } : {}),
      });
      // Rejects if the sandbox simulates a failing script.
      if (result.error?.code === 'sandbox_script_broke') throw new Error(result.error.message);
      if (result.error) element?.complain(result.error);
      else if (redirect === 'always' && params.return_url) goTo(params.return_url, result.paymentIntent, clientSecret);
      return result;
    } finally {
      element?.lock(false);
    }
  }

  const methodData = (elements: SandboxElements | SandboxElement, params?: Nested) => {
    const element = elements instanceof SandboxElements ? elements.current() : elements;
    const error = element
      ? element.validate()
      : { type: 'validation_error' as const, message: 'There is no card form on the page.' };
    return error ? { error } : { data: merged(element?.data() ?? {}, params) };
  };

  const sandbox = {
    elements: (options?: GroupOptions) => new SandboxElements(options),
    // A second click during a payment waits for the same payment, so that there is only one.
    confirmPayment: (options: ConfirmOptions) =>
      (underWay ??= confirmPayment(options).finally(() => (underWay = undefined))),
    retrievePaymentIntent: retrieve,

    async confirmCardPayment(
      clientSecret: string,
      data: { payment_method?: string | { card?: SandboxElement; billing_details?: Nested }; return_url?: string } = {},
    ): Promise<Result> {
      const { payment_method: method, return_url } = data;
      if (typeof method !== 'object') return confirm(clientSecret, { payment_method: method, return_url });
      if (!method.card) return { error: { type: 'validation_error', message: 'There is no card form on the page.' } };
      const read = methodData(method.card, method.billing_details ? { billing_details: method.billing_details } : {});
      return read.error ? { error: read.error } : confirm(clientSecret, { payment_method_data: read.data, return_url });
    },

    async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<Result> {
      const result = await retrieve(clientSecret);
      return result.error ? result : answerChallenge(result.paymentIntent, clientSecret);
    },

    async createPaymentMethod(options: {
      elements?: SandboxElements;
      params?: Nested;
      card?: SandboxElement;
      billing_details?: Nested;
    }) {
      const form = options.elements ?? options.card;
      const read = form
        ? methodData(
            form,
            options.params ?? (options.billing_details ? { billing_details: options.billing_details } : {}),
          )
        : undefined;
      if (!read || read.error)
        return { error: read?.error ?? { type: 'validation_error', message: 'There is no card form on the page.' } };
      const { value, error } = await api.createMethod(read.data);
      return error ? { error } : { paymentMethod: value };
    },

    createToken: async () => ({
      error: { type: 'invalid_request_error', message: 'The sandbox makes no tokens: use createPaymentMethod.' },
    }),
    _registerWrapper: () => undefined,
    registerAppInfo: () => undefined,
  };
  return sandbox as unknown as Stripe;
}
