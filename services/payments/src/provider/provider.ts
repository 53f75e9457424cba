import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { counter } from '@beltway/kit/metrics';
import { HttpProblem } from '@beltway/kit/problems';
import type { PaymentTerms } from '../payment/events.ts';
import { bulkhead } from './bulkhead.ts';
import { asProblem, codeOf } from './faults.ts';
import { toMetadata } from './metadata.ts';
import { Intent, Notice, Refund } from './objects.ts';

export interface ProviderOptions {
  secretKey: string;
  webhookSecret: string;
  /** The sandbox; not set: Stripe. */
  apiBase?: string | undefined;
  /** Calls at a time. */
  atOnce?: number;
  timeoutMs?: number;
}

/** The card provider, by its own SDK. Every call is bounded in time and number; faults are problems: 503 passes, 422 is refused. */
export interface Provider {
  /**
   * The same order gets the same intent: the idempotency key is made from it. Other terms under it are refused with 422.
   * `instead` is the cancelled intent that a new one takes the place of.
   */
  request(
    terms: Omit<PaymentTerms, 'paymentId'>,
    wording: { description: string; receiptEmail: string },
    instead?: string,
  ): Promise<Intent>;
  retrieve(paymentId: string): Promise<Intent>;
  /** Answers the intent as it then is: one that is paid stays paid. */
  cancel(paymentId: string): Promise<Intent>;
  /**
   * Gives back all that is left of a payment; the answer's amount is all that went back, parts given by hand included. Asked
   * again with the same key the provider answers as before, and by no key does it give back more than it took.
   */
  refund(terms: PaymentTerms, key: string): Promise<Refund>;
  /** Throws a 400 problem unless the provider signed these bytes within the last 300 s. */
  verify(body: unknown, signature: string | undefined): Notice;
}

const TOLERANCE_SECONDS = 300;
const calls = counter('provider_calls_total', 'Calls to the card provider', ['call', 'outcome']);

function openStripe({ secretKey, apiBase, atOnce = 64, timeoutMs = 3_500 }: ProviderOptions): Stripe {
  // One retry by the SDK, with the same idempotency key: in all less than the 8 s ticketing waits.
  const bounded = { maxNetworkRetries: 1, timeout: timeoutMs, telemetry: false };
  if (!apiBase)
    return new Stripe(secretKey, { ...bounded, httpAgent: new https.Agent({ keepAlive: true, maxSockets: atOnce }) });
  const { protocol, hostname, port } = new URL(apiBase);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const { Agent } = scheme === 'https' ? https : http;
  return new Stripe(secretKey, {
    ...bounded,
    host: hostname,
    port: port || (scheme === 'https' ? '443' : '80'),
    protocol: scheme,
    httpAgent: new Agent({ keepAlive: true, maxSockets: atOnce }),
  });
}

export function openProvider(options: ProviderOptions): Provider {
  const stripe = openStripe(options);
  const within = bulkhead(options.atOnce ?? 64);

  async function call<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      const answer = await within(work);
      calls.inc({ call: name, outcome: 'ok' });
      return answer;
    } catch (error) {
      const problem = asProblem(error);
      calls.inc({ call: name, outcome: problem instanceof HttpProblem ? problem.code : 'error' });
      throw problem;
    }
  }

  /** What went back already: all of it, or a refund that is under way; undefined while something is left to give back. */
  async function refundOf({ paymentId, amountCents }: PaymentTerms): Promise<Refund | undefined> {
    const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
    const refunds = data.map((refund) => Refund.parse(refund));
    const done = refunds.filter(({ status }) => status === 'succeeded');
    const amount = done.reduce((sum, refund) => sum + refund.amount, 0);
    if (done[0] && amount >= amountCents) return { ...done[0], amount };
    return refunds.find(({ status }) => status === 'pending' || status === 'requires_action');
  }

  return {
    request: (terms, { description, receiptEmail }, instead) =>
      call('request', async () =>
        Intent.parse(
          await stripe.paymentIntents.create(
            {
              amount: terms.amountCents,
              currency: 'usd',
              automatic_payment_methods: { enabled: true },
              description,
              receipt_email: receiptEmail,
              metadata: toMetadata(terms),
            },
            { idempotencyKey: `beltway-payment-${terms.orderId}${instead ? `-instead-of-${instead}` : ''}` },
          ),
        ),
      ),

    retrieve: (paymentId) =>
      call('retrieve', async () => Intent.parse(await stripe.paymentIntents.retrieve(paymentId))),

    cancel: (paymentId) =>
      call('cancel', async () => {
        try {
          return Intent.parse(await stripe.paymentIntents.cancel(paymentId));
        } catch (error) {
          if (codeOf(error) !== 'payment_intent_unexpected_state') throw error;
          return Intent.parse(await stripe.paymentIntents.retrieve(paymentId));
        }
      }),

    refund: (terms, key) =>
      call('refund', async () => {
        try {
          const refund = Refund.parse(
            await stripe.refunds.create(
              { payment_intent: terms.paymentId, metadata: toMetadata(terms) },
              { idempotencyKey: key },
            ),
          );
          const isRest = refund.status === 'succeeded' && refund.amount < terms.amountCents;
          return (isRest && (await refundOf(terms))) || refund;
        } catch (error) {
          if (codeOf(error) !== 'charge_already_refunded') throw error;
          const done = await refundOf(terms);
          if (!done) throw error;
          return done;
        }
      }),

    verify: (body, signature) => {
      try {
        if (!Buffer.isBuffer(body) || !signature) throw new Error('no signed body');
        return Notice.parse(stripe.webhooks.constructEvent(body, signature, options.webhookSecret, TOLERANCE_SECONDS));
      } catch {
        throw new HttpProblem(400, 'bad-signature', 'This is not a notice the card provider signed just now.');
      }
    },
  };
}
