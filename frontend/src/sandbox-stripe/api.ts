import type { PaymentIntent, PaymentMethod, StripeError } from '@stripe/stripe-js';
import { retry } from '../lib/loading/retry.ts';

type Nested = { [name: string]: string | number | boolean | null | undefined | Nested };
type Answer<T> = { value: T; error?: undefined } | { value?: undefined; error: StripeError };

const TIMEOUT_MS = 30_000;
/** An interrupted call may have been processed, so it is retried with the same key. A timeout is not retried. */
const WHEN_CUT_OFF = {
  pauses: [200, 1_000, 2_000],
  isFinal: (error: unknown) => (error as Error).name === 'TimeoutError',
};

/** `{a: {b: 1}}` in Stripe's form encoding: `a[b]=1`. null and undefined are omitted. */
export function encode(data: Nested, form = new URLSearchParams(), prefix = ''): URLSearchParams {
  for (const [name, value] of Object.entries(data)) {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (value === null || value === undefined) continue;
    if (typeof value === 'object') encode(value, form, key);
    else form.append(key, String(value));
  }
  return form;
}

/** `pi_1_secret_2` → `pi_1`. Throws on anything else, as Stripe.js does. */
export function intentIdOf(clientSecret: string): string {
  const id = /^(pi_\w+?)_secret_\w+$/.exec(clientSecret)?.[1];
  if (!id)
    throw new Error(
      `Invalid value for clientSecret: it should be a client secret of the form \${id}_secret_\${secret}. You specified: '${clientSecret.slice(0, 12)}…'.`,
    );
  return id;
}

/** Stripe.js's calls with the publishable key. Never rejects: failures are errors in Stripe's shape. */
export function sandboxApi(apiBase: string, publishableKey: string) {
  const base = apiBase.replace(/\/$/, '');

  async function call<T>(path: string, data: Nested, method: 'GET' | 'POST' = 'POST'): Promise<Answer<T>> {
    const form = encode({ ...data, key: publishableKey });
    const url = method === 'GET' ? `${base}${path}?${form}` : `${base}${path}`;
    const key = method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : undefined;
    const send = async () => {
      const res = await fetch(url, {
        method,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(key && { body: form, headers: key }),
      });
      return { ok: res.ok, body: (await res.json()) as T & { error?: StripeError } };
    };
    try {
      const { ok, body } = await retry(send, WHEN_CUT_OFF);
      if (body.error) return { error: body.error };
      if (!ok) return { error: { type: 'api_error', message: 'The payment service had a problem. Please try again.' } };
      return { value: body };
    } catch {
      return {
        error: {
          type: 'api_connection_error',
          message: 'We could not reach the payment service. Check your connection and try again.',
        },
      };
    }
  }

  return {
    base,
    retrieveIntent: (clientSecret: string) =>
      call<PaymentIntent>(`/v1/payment_intents/${intentIdOf(clientSecret)}`, { client_secret: clientSecret }, 'GET'),
    confirmIntent: (clientSecret: string, data: Nested) =>
      call<PaymentIntent>(`/v1/payment_intents/${intentIdOf(clientSecret)}/confirm`, {
        ...data,
        use_stripe_sdk: true,
        client_secret: clientSecret,
      }),
    cancelChallenge: (clientSecret: string, source: string) =>
      call<PaymentIntent>(`/v1/payment_intents/${intentIdOf(clientSecret)}/source_cancel`, {
        source,
        client_secret: clientSecret,
      }),
    createMethod: (data: Nested) => call<PaymentMethod>('/v1/payment_methods', data),
  };
}
export type { Nested };
