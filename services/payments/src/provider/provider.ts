import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { counter, histogram } from '@beltway/kit/metrics';
import { HttpProblem } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import type { PaymentTerms } from '../payment/events.ts';
import { platformFeeCents } from '@beltway/contracts/payments/payments';
import { traced } from '@beltway/tracing';
import { bulkhead } from './bulkhead.ts';
import { connectProvider, type ConnectProvider } from './connect.ts';
import { asProblem, codeOf } from './faults.ts';
import { REFUND_REQUEST, toMetadata } from './metadata.ts';
import { Charge, Intent, ProviderEvent, Refund } from './objects.ts';

export interface ProviderOptions {
  secretKey: string;
  webhookSecret: Secrets;
  /** Secret of the webhook endpoint for organizers' accounts; if not set, `webhookSecret` is used. */
  connectWebhookSecret?: Secrets | undefined;
  /** URL of the sandbox; if not set, Stripe is called. */
  apiBase?: string | undefined;
  /** The maximum number of concurrent calls. */
  atOnce?: number;
  timeoutMs?: number;
}

/**
 * The card provider, called through its SDK. Calls have a time limit and a concurrency limit. Faults are thrown as
 * problems: 503 is temporary, 422 is a refusal.
 */
export interface Provider extends ConnectProvider {
  /**
   * Creates an intent. The same idempotency key gets the same response, even if that response was a fault (`isKept`).
   * Other terms under the same key are refused with 422. Allows only payment methods that settle immediately, because
   * tickets cannot be held for the days that a bank debit takes.
   */
  request(
    terms: Omit<PaymentTerms, 'paymentId'>,
    wording: { description: string; receiptEmail: string | null; customerId?: string | undefined },
    key: string,
  ): Promise<Intent>;
  retrieve(paymentId: string): Promise<Intent>;
  /** Cancels an unpaid intent and returns the intent's state after the call. A paid intent stays paid. */
  cancel(paymentId: string): Promise<Intent>;
  /**
   * Refunds the rest of a payment, or `amount`. Returns this refund. If the refund was not `expectedCents`, some
   * refunds are unknown to us, so all refunds of the payment are returned. The same idempotency key gets the same
   * response, and no key refunds more than was taken. The organizer's share stays in the organizer's account:
   * `work/shares.ts` takes the share back.
   */
  refund(
    terms: PaymentTerms,
    expectedCents: number,
    key: string,
    /**
     * The two flags are for a payment that is not recorded: they take the share back from the organizer's account.
     * `amount`: the cents of a partial refund.
     */
    options?: { reverse_transfer?: true; refund_application_fee?: true; amount?: number },
  ): Promise<Refund[]>;
  /**
   * Refunds a part. The refund's metadata contains the request id, so that `RecordRefund` also contains the id. Refused
   * with 422 when less than the part is left.
   */
  refundPart(terms: PaymentTerms, part: { requestId: string; cents: number }, key: string): Promise<Refund[]>;
  /** All refunds of an intent. */
  refunds(paymentId: string): Promise<Refund[]>;
  /** The intents of a payment, found by metadata. Intents made within the last minute may be missing. */
  intentsOf(id: string): Promise<Intent[]>;
  /**
   * The provider's events of these types after the event `after`, oldest first, at most a hundred. Without `after`, the
   * newest hundred. Events of the last `lagSeconds` are left out, because the provider may still add events before
   * them.
   */
  events(types: string[], lagSeconds: number, after: string | null): Promise<ProviderEvent[]>;
  /**
   * Paid charges between `from` and `to`, newest first. `isComplete`: the list contains all of these charges, because
   * there are at most `maxCharges`.
   */
  charges(from: Date, to: Date, maxCharges: number): Promise<{ charges: Charge[]; isComplete: boolean }>;
  /** Throws a 400 problem unless the provider signed these bytes within the last 300 s. */
  verify(body: unknown, signature: string | undefined): ProviderEvent;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
const TOLERANCE_SECONDS = 300;
const calls = counter('provider_calls_total', 'Calls to the card provider', ['call', 'outcome']);
const callTimes = histogram(
  'provider_call_duration_seconds',
  'Time of a call to the card provider, with its retry',
  ['call'],
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

function openStripe({ secretKey, apiBase, atOnce = 64, timeoutMs = 3_500 }: ProviderOptions): Stripe {
  // The SDK retries once, with the same idempotency key. Both tries together take less than the 8 s that ticketing
  // waits.
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
    const since = performance.now();
    try {
      const answer = await traced(`provider ${name}`, { kind: 'client' }, () => within(work));
      calls.inc({ call: name, outcome: 'ok' });
      return answer;
    } catch (error) {
      const problem = asProblem(error);
      calls.inc({ call: name, outcome: problem instanceof HttpProblem ? problem.code : 'error' });
      throw problem;
    } finally {
      callTimes.observe({ call: name }, (performance.now() - since) / 1_000);
    }
  }

  const refundsOf = async (paymentId: string): Promise<Refund[]> =>
    (await stripe.refunds.list({ payment_intent: paymentId, limit: 100 })).data.map((refund) => Refund.parse(refund));

  /**
   * Our two webhook endpoints may have different secrets. During a rotation, each endpoint has an old and a new secret.
   */
  const signers = [options.webhookSecret, options.connectWebhookSecret ?? []].flat();
  function signedBy(body: Buffer, signature: string): unknown {
    let refused: unknown;
    for (const secret of signers)
      try {
        return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
      } catch (error) {
        refused = error;
      }
    throw refused;
  }

  const requestIntent: Provider['request'] = (terms, { description, receiptEmail, customerId }, key) =>
    call('request', async () =>
      Intent.parse(
        await stripe.paymentIntents.create(
          {
            amount: terms.amountCents,
            currency: 'usd',
            allowed_payment_method_types: ['card'],
            description,
            ...(receiptEmail !== null && { receipt_email: receiptEmail }),
            metadata: toMetadata(terms),
            ...(customerId !== undefined && { customer: customerId }),
            ...(terms.organizerId !== null && { transfer_group: terms.id }),
            ...(terms.destination !== undefined && {
              transfer_data: { destination: terms.destination },
              application_fee_amount: platformFeeCents(terms.amountCents),
            }),
          },
          { idempotencyKey: key },
        ),
      ),
    );

  /**
   * The provider refuses a second request while a request with the same idempotency key is in progress. Concurrent
   * calls therefore share the first call's response.
   */
  const underWay = new Map<string, Promise<Intent>>();
  function shareCall(key: string, send: () => Promise<Intent>): Promise<Intent> {
    const first = underWay.get(key);
    if (first) return first;
    const answer = send().finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  }

  return {
    ...connectProvider(stripe, call),

    request: (terms, wording, key) =>
      shareCall(JSON.stringify([key, terms, wording]), () => requestIntent(terms, wording, key)),

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

    refund: (terms, expectedCents, key, options = {}) =>
      call('refund', async () => {
        try {
          const refund = Refund.parse(
            await stripe.refunds.create(
              { payment_intent: terms.paymentId, metadata: toMetadata(terms), ...options },
              { idempotencyKey: key },
            ),
          );
          return refund.amount === expectedCents ? [refund] : await refundsOf(terms.paymentId);
        } catch (error) {
          if (codeOf(error) !== 'charge_already_refunded') throw error;
          return refundsOf(terms.paymentId);
        }
      }),

    refundPart: (terms, { requestId, cents }, key) =>
      call('refund', async () => {
        try {
          const refund = await stripe.refunds.create(
            {
              payment_intent: terms.paymentId,
              amount: cents,
              metadata: { ...toMetadata(terms), [REFUND_REQUEST]: requestId },
            },
            { idempotencyKey: key },
          );
          return [Refund.parse(refund)];
        } catch (error) {
          if (codeOf(error) !== 'charge_already_refunded') throw error;
          return refundsOf(terms.paymentId);
        }
      }),

    refunds: (paymentId) => call('refunds', () => refundsOf(paymentId)),

    intentsOf: (id) =>
      call('search', async () =>
        (await stripe.paymentIntents.search({ query: `metadata['orderId']:'${id}'`, limit: 100 })).data.map((intent) =>
          Intent.parse(intent),
        ),
      ),

    events: (types, lagSeconds, after) =>
      call('events', async () => {
        const { data } = await stripe.events.list({
          types,
          limit: 100,
          created: { lte: Math.floor(Date.now() / 1000) - lagSeconds },
          ...(after !== null && { ending_before: after }),
        });
        return data.map((event) => ProviderEvent.parse(event)).reverse();
      }),

    charges: (from, to, maxCharges) =>
      call('charges', async () => {
        const charges: Charge[] = [];
        const created = { gte: seconds(from), lte: seconds(to) };
        for (let last: string | undefined; ;) {
          const page = await stripe.charges.list({ created, limit: 100, ...(last && { starting_after: last }) });
          charges.push(
            ...page.data.map((charge) => Charge.parse(charge)).filter(({ status }) => status === 'succeeded'),
          );
          last = page.data.at(-1)?.id;
          if (!page.has_more || !last || charges.length >= maxCharges) return { charges, isComplete: !page.has_more };
        }
      }),

    verify: (body, signature) => {
      try {
        if (!Buffer.isBuffer(body) || !signature) throw new Error('no signed body');
        return ProviderEvent.parse(signedBy(body, signature));
      } catch {
        throw new HttpProblem(400, 'bad-signature');
      }
    },
  };
}
