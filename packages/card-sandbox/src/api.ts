import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { requestLog } from '@beltway/kit/request-log';
import { stripeCalls, type Request } from './calls.ts';
import { invalid, StripeError } from './errors.ts';
import { parseForm } from './form.ts';
import { newId } from './ids.ts';
import type { Answer } from './decide.ts';
import type { Ledger } from './ledger.ts';
import type { Tx } from './tx.ts';
import type { Kind, Kinds } from './kinds.ts';
import { Params } from './params.ts';
import { expand, retrieve } from './reads.ts';

export const PREFIX = '/sandbox/stripe';
const LIMIT = 256 * 1024;

export interface ApiOptions {
  pool: Pool;
  ledger: Ledger;
  log: Logger;
  keys: { secret: string; publishable: string };
  apiVersion: string;
  /**
   * The public URL of this machine, for account links: a server requests such a link, but a browser opens it. Default:
   * the URL at which the caller reached the sandbox.
   */
  publicUrl?: string | undefined;
}

/**
 * Stripe's API under `/v1` and `/sandbox/stripe/v1`. The handler returns true if it handles the request. It runs in
 * front of Express, because every payment passes through the handler, and an Express router would account for most of
 * the cost.
 */
export function stripeApi({ pool, ledger, log, keys, apiVersion, publicUrl }: ApiOptions) {
  const calls = stripeCalls(pool, keys.secret);
  const lines = requestLog(log);
  const fingerprintKey = createSecretKey(keys.secret, 'utf8');
  const expected = { secret: digest(keys.secret), publishable: digest(keys.publishable) };
  const routes = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]));

  async function answer(
    req: IncomingMessage,
    path: string,
    query: string,
    requestId: string,
    spoil: Spoil,
  ): Promise<Answer> {
    const method = req.method ?? 'GET';
    const raw = method === 'POST' ? await readBody(req) : query;
    const form = parseForm(raw);
    const [route, id] = routeOf(path);
    const call = routes.get(`${method} ${path}`) ?? routes.get(`${method} ${route}`);
    const publishable = authenticate(req, form['key'], expected);
    if (!call)
      throw new StripeError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: /v1${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
      });
    if (publishable && !call.publishable)
      throw new StripeError(401, {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        message:
          'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      });
    await spoil.before();
    // Only a read fails here. A write fails later, in its plan, because Stripe stores even a 500 response under the
    // idempotency key.
    if (spoil.fails && call.read) throw failure();

    const connected = req.headers['stripe-account'];
    const request: Request = {
      ...{ params: new Params(form), id, now: new Date(), publishable },
      account: typeof connected === 'string' ? connected : undefined,
      base: call.path === '/account_links' && publicUrl ? new URL(PREFIX, publicUrl).href : baseOf(req),
    };
    const paths = request.params.list('expand');
    if (call.read) {
      const body = await call.read(request);
      return { status: 200, body: await expand(body, paths, (kind, inner) => retrieve(pool, kind, inner)) };
    }
    const plan = call.plan?.(request);
    if (!plan) throw new Error(`${call.method} ${call.path} has no plan`);
    const key = req.headers['idempotency-key'];
    if (typeof key === 'string' && key.length > 255) throw invalid('Idempotency keys must be at most 255 characters.');
    return ledger.perform({
      touches: plan.touches,
      requestId,
      now: request.now,
      // An HMAC with our secret, so the stored fingerprint reveals nothing about the form.
      key:
        typeof key === 'string' && key
          ? {
              name: key,
              fingerprint: createHmac('sha256', fingerprintKey).update(`${method} ${path}\n${raw}`).digest('base64url'),
            }
          : undefined,
      async run(tx) {
        if (spoil.fails) throw failure();
        const done = await plan.run(tx);
        return paths.length === 0 || done.status !== 200
          ? done
          : { ...done, body: await expand(done.body, paths, within(tx)) };
      },
    });
  }

  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const url = req.url ?? '/';
    const start = url.startsWith(PREFIX) ? PREFIX.length : 0;
    if (!url.startsWith('/v1/', start)) return false;
    const question = url.indexOf('?');
    const path = url.slice(start + 3, question === -1 ? undefined : question);
    const requestId = newId('req');
    const started = performance.now();
    const key = req.headers['idempotency-key'];
    const spoil = spoilOf(ledger);

    answer(req, path, question === -1 ? '' : url.slice(question + 1), requestId, spoil)
      .catch((error: unknown): Answer => {
        if (error instanceof StripeError) return { status: error.status, body: { error: error.body } };
        log.error({ err: error, requestId, route: loggedRoute(path) }, 'a call failed');
        return {
          status: 500,
          body: {
            error: {
              type: 'api_error',
              message: 'An unknown error occurred in the sandbox. The request changed nothing; try again.',
            },
          },
        };
      })
      .then(({ status, body, replayed }) => {
        if (spoil.loseAnswer) return void req.socket.destroy();
        const text = JSON.stringify(body);
        res.writeHead(status, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'cache-control': 'no-cache, no-store',
          'request-id': requestId,
          'stripe-version': String(req.headers['stripe-version'] ?? apiVersion),
          ...(typeof key === 'string'
            ? { 'idempotency-key': key.replace(/[^\x20-\x7e]/g, '?'), 'original-request': requestId }
            : {}),
          ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
          ...(status === 409 || status === 429 ? { 'stripe-should-retry': 'true' } : {}),
        });
        res.end(text);
        const ms = Math.round(performance.now() - started);
        if (lines.admits(status))
          lines.write({ requestId, method: req.method ?? 'GET', route: loggedRoute(path), status, ms });
      })
      .catch((error: unknown) => log.error({ err: error, requestId }, 'an answer could not be written'));
    return true;
  };
}

/** Returns a path for the log, in which `:id` replaces ids and other segments that do not look like Stripe's. */
const loggedRoute = (path: string): string => path.replace(/(?<=\/)(?![a-z_]+(?:\/|$))[^/]+/g, ':id');

const within =
  (tx: Tx) =>
  async (kind: Kind, id: string): Promise<object> => {
    const document: Kinds[Kind] | undefined = await tx.get(kind, id);
    if (!document) throw invalid(`No such ${kind}: '${id}'`, { code: 'resource_missing' });
    return document;
  };

/** `/payment_intents/pi_1/confirm` → `/payment_intents/:id/confirm` and `pi_1`. */
function routeOf(path: string): [route: string, id: string] {
  const [, kind = '', id, ...rest] = path.split('/');
  if (id === undefined) return [`/${kind}`, ''];
  return [['', kind, ':id', ...rest].join('/'), decode(id)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readBody(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LIMIT)
      throw new StripeError(413, { type: 'invalid_request_error', message: 'The request body is too large.' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Returns true for the publishable key and false for the secret key. Throws 401 for any other key. */
function authenticate(
  req: IncomingMessage,
  fromForm: unknown,
  expected: { secret: Buffer; publishable: Buffer },
): boolean {
  const header = req.headers.authorization ?? '';
  const basic = /^Basic (.+)$/i.exec(header)?.[1];
  const given =
    /^Bearer (.+)$/i.exec(header)?.[1] ??
    (basic ? Buffer.from(basic, 'base64').toString().split(':')[0] : undefined) ??
    (typeof fromForm === 'string' ? fromForm : undefined);
  if (!given)
    throw new StripeError(401, {
      type: 'invalid_request_error',
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  const digested = digest(given);
  if (timingSafeEqual(digested, expected.secret)) return false;
  if (timingSafeEqual(digested, expected.publishable)) return true;
  throw new StripeError(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${given.slice(0, 8)}${'*'.repeat(8)}${given.slice(-4)}`,
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The sandbox's URL for the browser, built from the host and protocol that the gateway forwards. */
function baseOf(req: IncomingMessage): string {
  const first = (value: string | string[] | undefined) =>
    typeof value === 'string' ? value.split(',')[0]?.trim() : undefined;
  return `${first(req.headers['x-forwarded-proto']) ?? 'http'}://${first(req.headers['x-forwarded-host']) ?? req.headers.host ?? 'localhost'}${PREFIX}`;
}

interface Spoil {
  before: () => Promise<void>;
  loseAnswer: boolean;
  fails: boolean;
}

const failure = (): StripeError => new StripeError(500, { type: 'api_error', message: 'The sandbox is set to fail.' });

/** The configured misbehavior for this call. */
function spoilOf(ledger: Ledger): Spoil {
  const { mode, seconds, share } = ledger.settings().api;
  const hit = mode !== 'normal' && Math.random() < share;
  return {
    loseAnswer: hit && mode === 'lost-answers',
    fails: hit && mode === 'failing',
    async before() {
      if (!hit) return;
      if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      if (mode === 'rate-limited')
        throw new StripeError(429, {
          type: 'invalid_request_error',
          code: 'rate_limit',
          message:
            'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
        });
    },
  };
}
