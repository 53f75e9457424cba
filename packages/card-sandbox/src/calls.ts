import type { Pool } from 'pg';
import type { Confirmation } from './confirm.ts';
import { confirmIntent, answerChallenge, viewFor } from './confirm.ts';
import {
  createAccount,
  createLink,
  createPayout,
  createReversal,
  createTransfer,
  readAccount,
  readLink,
  readPayout,
  readReversal,
  readTransfer,
  refundFee,
} from './connect.ts';
import { invalid, missing } from './errors.ts';
import { cancelIntent, createIntent, readEmail, readNewIntent, readUpdate, updateIntent } from './intents.ts';
import type { Answer } from './decide.ts';
import type { Tx } from './tx.ts';
import { obtainMethod, readChoice, readMethodData } from './methods.ts';
import { newCustomer, publicIntent, type Intent } from './objects.ts';
import type { Params } from './params.ts';
import { closeDispute, foundDispute, giveEvidence, readEvidence } from './disputes.ts';
import { balance, list, listEvents, retrieve, retrieveEvent, searchIntents } from './reads.ts';
import { createRefund, readRefund } from './refunds.ts';

/** One request, as the call's handler receives it. */
export interface Request {
  params: Params;
  id: string;
  now: Date;
  /** True if the call was made with the publishable key and therefore comes from a browser. */
  publishable: boolean;
  /** The connected account, from the header `Stripe-Account`. */
  account: string | undefined;
  /** The sandbox's base URL for links that a browser opens: `http://host/sandbox/stripe`. */
  base: string;
}

export interface Plan {
  touches: string[];
  run(tx: Tx): Promise<Answer> | Answer;
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** The path after `/v1`; `:id` matches one segment. */
  path: string;
  /** Browsers may make this call with the publishable key. */
  publishable?: true;
  read?: (request: Request) => Promise<object>;
  /**
   * Validates the parameters before the call is queued, so an invalid request leaves no trace. Returns the work to do.
   */
  plan?: (request: Request) => Plan;
}

/** The subset of Stripe's API that the sandbox implements. */
export function stripeCalls(pool: Pool, secret: string): Call[] {
  const confirmation = ({ params, now, publishable, base }: Request): Confirmation => ({
    choice: readChoice(params, now, secret),
    returnUrl: params.text('return_url', 5000) ?? null,
    useStripeSdk: publishable || params.flag('use_stripe_sdk') === true,
    base,
    needsReturnUrl:
      !publishable && params.flag('use_stripe_sdk') !== true && params.flag('error_on_requires_action') !== true,
    receiptEmail: readEmail(params),
  });
  const touched = (request: Request, more: string | undefined = request.params.text('payment_method')): string[] =>
    more && !more.startsWith('pm_card_') ? [request.id, more] : [request.id];

  return [
    {
      method: 'POST',
      path: '/payment_intents',
      plan(request) {
        const { params, now } = request;
        const intent = readNewIntent(params, now);
        const confirmed = params.flag('confirm') ? confirmation(request) : undefined;
        const choice = confirmed?.choice ?? readChoice(params, now, secret);
        return {
          touches: intent.customer ? [intent.customer] : [],
          run: (tx) => createIntent(tx, intent, choice, confirmed),
        };
      },
    },
    {
      method: 'GET',
      path: '/payment_intents',
      read: ({ params }) => list(pool, 'payment_intent', '/v1/payment_intents', params),
    },
    { method: 'GET', path: '/payment_intents/search', read: ({ params }) => searchIntents(pool, params) },
    {
      method: 'GET',
      path: '/payment_intents/:id',
      publishable: true,
      async read({ params, id, publishable }) {
        params.only('client_secret', 'is_stripe_sdk', '_stripe_version');
        const intent = (await retrieve(pool, 'payment_intent', id, 'intent')) as Intent;
        checkSecret(intent, params, publishable);
        return publishable ? publicIntent(intent) : intent;
      },
    },
    {
      method: 'POST',
      path: '/payment_intents/:id',
      plan(request) {
        const { params, now } = request;
        const choice = readChoice(params, now, secret);
        readUpdate(params, now);
        return {
          touches: touched(request),
          run: async (tx) => updateIntent(tx, await found(tx, request.id), params, choice, now),
        };
      },
    },
    {
      method: 'POST',
      path: '/payment_intents/:id/confirm',
      publishable: true,
      plan(request) {
        const { params, publishable } = request;
        params.only(
          ...[
            'payment_method',
            'payment_method_data',
            'return_url',
            'use_stripe_sdk',
            'client_secret',
            'expected_payment_method_type',
            'receipt_email',
          ],
          ...[
            'off_session',
            'error_on_requires_action',
            'mandate_data',
            'setup_future_usage',
            'shipping',
            'payment_method_options',
            '_stripe_version',
          ],
          ...['client_attribution_metadata', 'referrer', 'guid', 'muid', 'sid'],
        );
        const parsed = confirmation(request);
        return {
          touches: touched(request),
          async run(tx) {
            const intent = await found(tx, request.id);
            checkSecret(intent, params, publishable);
            return confirmIntent(tx, intent, parsed, viewFor(publishable));
          },
        };
      },
    },
    {
      method: 'POST',
      path: '/payment_intents/:id/cancel',
      plan(request) {
        request.params.only('cancellation_reason');
        const reason =
          request.params.oneOf('cancellation_reason', [
            'duplicate',
            'fraudulent',
            'requested_by_customer',
            'abandoned',
          ]) ?? null;
        return {
          touches: [request.id],
          run: async (tx) => cancelIntent(tx, await found(tx, request.id), reason, (same) => same),
        };
      },
    },
    {
      // Stripe.js makes this call when the card holder closes the challenge. The authentication then fails.
      method: 'POST',
      path: '/payment_intents/:id/source_cancel',
      publishable: true,
      plan({ params, id, publishable }) {
        params.only('client_secret', 'source', '_stripe_version');
        const source = params.required('source');
        return {
          touches: [id],
          async run(tx) {
            checkSecret(await found(tx, id), params, publishable);
            const { intent } = await answerChallenge(tx, id, source, false);
            return { status: 200, body: viewFor(publishable)(intent) };
          },
        };
      },
    },
    {
      method: 'POST',
      path: '/refunds',
      plan({ params }) {
        const parsed = readRefund(params);
        return { touches: [parsed.charge ?? parsed.intent ?? ''], run: (tx) => createRefund(tx, parsed) };
      },
    },
    { method: 'GET', path: '/refunds', read: ({ params }) => list(pool, 'refund', '/v1/refunds', params) },
    { method: 'GET', path: '/refunds/:id', read: ({ id }) => retrieve(pool, 'refund', id) },
    { method: 'GET', path: '/disputes', read: ({ params }) => list(pool, 'dispute', '/v1/disputes', params) },
    { method: 'GET', path: '/disputes/:id', read: ({ id }) => retrieve(pool, 'dispute', id) },
    {
      method: 'POST',
      path: '/disputes/:id',
      plan({ params, id }) {
        const evidence = readEvidence(params);
        return { touches: [id], run: async (tx) => giveEvidence(tx, await foundDispute(tx, id), evidence) };
      },
    },
    {
      // Closing a dispute concedes it.
      method: 'POST',
      path: '/disputes/:id/close',
      plan: ({ id }) => ({ touches: [id], run: async (tx) => closeDispute(tx, await foundDispute(tx, id), 'lost') }),
    },
    { method: 'GET', path: '/charges', read: ({ params }) => list(pool, 'charge', '/v1/charges', params) },
    { method: 'GET', path: '/charges/:id', read: ({ id }) => retrieve(pool, 'charge', id) },
    { method: 'GET', path: '/events', read: ({ params }) => listEvents(pool, params) },
    { method: 'GET', path: '/events/:id', read: ({ id }) => retrieveEvent(pool, id) },
    {
      method: 'POST',
      path: '/customers',
      plan({ params, now }) {
        params.only('email', 'name', 'description', 'metadata');
        const parsed = {
          email: params.text('email', 512) ?? null,
          name: params.text('name', 256) ?? null,
          description: params.text('description') ?? null,
          metadata: params.metadata(),
        };
        return {
          touches: [],
          run(tx) {
            const customer = newCustomer(parsed, now);
            tx.put('customer', customer);
            tx.emit('customer.created', customer);
            return { status: 200, body: customer };
          },
        };
      },
    },
    { method: 'GET', path: '/customers', read: ({ params }) => list(pool, 'customer', '/v1/customers', params) },
    { method: 'GET', path: '/customers/:id', read: ({ id }) => retrieve(pool, 'customer', id) },
    {
      method: 'POST',
      path: '/payment_methods',
      publishable: true,
      plan({ params, now }) {
        params.only('type', 'card', 'billing_details', 'metadata', '_stripe_version');
        const choice = readMethodData(params, now, secret);
        return {
          touches: [],
          async run(tx) {
            return { status: 200, body: (await obtainMethod(tx, choice)).method };
          },
        };
      },
    },
    { method: 'GET', path: '/payment_methods/:id', read: ({ id }) => retrieve(pool, 'payment_method', id) },
    ...connectCalls(pool),
  ];
}

/** Calls for accounts, transfers, fees, balances and payouts. */
function connectCalls(pool: Pool): Call[] {
  return [
    {
      method: 'POST',
      path: '/accounts',
      plan({ params, now }) {
        const account = readAccount(params, now);
        return { touches: [], run: (tx) => createAccount(tx, account) };
      },
    },
    { method: 'GET', path: '/accounts/:id', read: ({ id }) => retrieve(pool, 'account', id) },
    {
      method: 'POST',
      path: '/account_links',
      plan({ params, base }) {
        const asked = readLink(params);
        return { touches: [asked.account], run: (tx) => createLink(tx, asked, base) };
      },
    },
    {
      method: 'POST',
      path: '/transfers',
      plan({ params }) {
        const asked = readTransfer(params);
        const touches = [asked.destination, ...(asked.sourceTransaction ? [asked.sourceTransaction] : [])];
        return { touches, run: (tx) => createTransfer(tx, asked) };
      },
    },
    { method: 'GET', path: '/transfers', read: ({ params }) => list(pool, 'transfer', '/v1/transfers', params) },
    { method: 'GET', path: '/transfers/:id', read: ({ id }) => retrieve(pool, 'transfer', id) },
    {
      method: 'POST',
      path: '/transfers/:id/reversals',
      plan({ params, id }) {
        const asked = readReversal(params);
        return { touches: [id], run: (tx) => createReversal(tx, id, asked) };
      },
    },
    { method: 'GET', path: '/application_fees/:id', read: ({ id }) => retrieve(pool, 'application_fee', id) },
    {
      method: 'POST',
      path: '/application_fees/:id/refunds',
      plan({ params, id }) {
        params.only('amount', 'metadata');
        const asked = readReversal(params);
        return { touches: [id], run: (tx) => refundFee(tx, id, asked) };
      },
    },
    { method: 'GET', path: '/balance', read: ({ account }) => balance(pool, account) },
    {
      method: 'GET',
      path: '/balance_transactions',
      read: ({ params }) => list(pool, 'balance_transaction', '/v1/balance_transactions', params),
    },
    {
      method: 'POST',
      path: '/payouts',
      plan({ params, account }) {
        const asked = readPayout(params);
        return { touches: account ? [account] : [], run: (tx) => createPayout(tx, account, asked) };
      },
    },
    {
      method: 'GET',
      path: '/payouts',
      read: ({ params, account }) => list(pool, 'payout', '/v1/payouts', params, account ?? 'none'),
    },
  ];
}

async function found(tx: Tx, id: string): Promise<Intent> {
  const intent = await tx.get('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, 'intent');
  return intent;
}

/** A browser must send the intent's client secret; a server may omit it. */
function checkSecret(intent: Intent, params: Params, publishable: boolean): void {
  const given = params.text('client_secret');
  if (given === undefined && !publishable) return;
  if (given === undefined)
    throw invalid('Missing required param: client_secret.', { code: 'parameter_missing', param: 'client_secret' });
  if (given !== intent.client_secret)
    throw invalid('The client_secret provided does not match any associated PaymentIntent on this account.', {
      param: 'client_secret',
      code: 'resource_missing',
    });
}
