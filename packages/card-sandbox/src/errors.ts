/** The `error` object of Stripe's API. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
}

/** A response in Stripe's error format. A call that throws this error has changed nothing. */
export class StripeError extends Error {
  override name = 'StripeError';
  readonly status: number;
  readonly body: ErrorBody;
  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body.code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` }
      : body;
  }
}

/** 400: the request itself is invalid. */
export const invalid = (message: string, more: Partial<ErrorBody> = {}): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', message, ...more });

/** 402: the card is refused before a charge is attempted. */
export const cardError = (code: string, message: string, more: Partial<ErrorBody> = {}): StripeError =>
  new StripeError(402, { type: 'card_error', code, message, ...more });

/** 404, with the name of the parameter that carried the id. */
export const missing = (kind: string, id: string, param = 'id'): StripeError =>
  new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${kind}: '${id}'`,
  });
