import { randomUUID } from 'node:crypto';

export type Json = Record<string, unknown>;

/**
 * Posts to a service. An `idempotency-key` header makes a repeat safe, so a start after an interruption creates only
 * what is missing.
 */
export async function call(
  base: string,
  path: string,
  body: Json | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Json> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(new URL(path, base), {
    method: 'POST',
    headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  const answer = (text ? JSON.parse(text) : {}) as Json;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/**
 * Retries a call for at least ten seconds while the service has not yet consumed a message. It responds with 404, or
 * with 503 if it knows that the message is in transit.
 */
export async function whenHeard<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries >= 200 || !(error instanceof Error && / answered (404|503):/.test(error.message))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

/** Pays with the test card, as the checkout page does. Returns the payment's id. */
export async function payByCard(sandbox: string, clientSecret: string, publishableKey: string): Promise<string> {
  const paymentIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret'));
  await call(
    sandbox,
    `/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`,
    new URLSearchParams({
      key: publishableKey,
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
      'payment_method_data[card][cvc]': '123',
    }),
    { 'idempotency-key': randomUUID() },
  );
  return paymentIntentId;
}
