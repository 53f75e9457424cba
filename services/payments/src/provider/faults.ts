import Stripe from 'stripe';
import { HttpProblem, notFound, unavailable } from '@beltway/kit/problems';

const { StripeError, StripeConnectionError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;

/** The provider's error code, such as `charge_already_refunded`, if it is an error of the provider. */
export const codeOf = (error: unknown): string | undefined => (error instanceof StripeError ? error.code : undefined);

/**
 * Whether the provider caches this fault under the idempotency key and repeats the fault for each call with that key.
 */
export const isKept = (error: unknown): boolean => {
  const cause = error instanceof HttpProblem ? error.cause : error;
  return cause instanceof StripeError && (cause.statusCode ?? 0) >= 500;
};

/** The caller's view of a provider fault: 503 for transient ones, 422 for refused requests. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof StripeError)) return error;
  const status = error.statusCode ?? 0;
  const passing = error instanceof StripeConnectionError || status >= 500 || status === 429 || status === 409;
  if (passing) return because(unavailable('provider-away'), error);
  if (error instanceof StripeIdempotencyError) return because(new HttpProblem(422, 'payment-changed'), error);
  if (error.code === 'resource_missing') return because(notFound('payment'), error);
  if (error instanceof StripeInvalidRequestError && status === 400)
    return because(new HttpProblem(422, 'payment-refused', { params: { why: error.message } }), error);
  return error; // wrong API key or missing permission: a fault in our setup
}

const because = <E extends Error>(problem: E, cause: unknown): E => Object.assign(problem, { cause });
