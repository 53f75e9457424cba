import { randomUUID } from 'node:crypto';

export type Json = Record<string, unknown>;

/** One call to a service; the same key twice is the same request, so that a start that was cut off seeds the rest. */
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

/** What a service refuses because a message has not reached it yet (404; 503 when it can tell that one is on its way) is tried again, for ten seconds. */
export async function whenHeard<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries >= 200 || !(error instanceof Error && / answered (404|503):/.test(error.message))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

/** Pays by the test card, as the page does. Answers the payment's id. */
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
