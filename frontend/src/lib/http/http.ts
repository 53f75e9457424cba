import { Problem } from '@beltway/contracts/common/basics';
import { Session } from '@beltway/contracts/identity/accounts';
import type { ZodType } from 'zod';
import { textsNow } from '../i18n/catalog.ts';
import { language } from '../i18n/language.ts';
import { sayProblem } from '../i18n/problems.ts';
import { noteServerTime, serverNow } from '../time/server-clock.ts';
import { expireSession, sessionStore } from '../storage/session-store.ts';
import { texts } from '../i18n/texts.en.ts';

/**
 * A non-success response. `message` is "status: body text" (services/gateway/PRODUCT.md); `problem` is the body if it
 * is problem+json.
 */
export class HttpError extends Error {
  readonly status: number;
  readonly problem: Problem | null;
  /** Seconds until a retry is allowed (429, 503). */
  readonly retryAfter: number | null;

  constructor(status: number, text: string, problem: Problem | null, retryAfter: number | null) {
    super(`${status}: ${text}`);
    this.name = 'HttpError';
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

interface CallOptions {
  signal?: AbortSignal;
  /** False for calls whose 401 does not mean an expired session: signing in, registering, signing out. */
  session?: boolean;
  /** True for a GET that is part of an action. Without a session, it leads to /auth, as all other methods do. */
  action?: boolean;
  /**
   * Further headers: `idempotency-key`, so that a retry is the same request; `x-order-key`, the secret of a guest's
   * order.
   */
  headers?: Record<string, string>;
  /** The body of a DELETE that must be confirmed. */
  body?: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** GET a path. With a schema, the response is parsed, which ensures that it matches the contract. */
export const get = <T = unknown>(path: string, schema?: ZodType<T>, options?: CallOptions): Promise<T> =>
  call('GET', path, undefined, schema, options);
export const post = <T = unknown>(
  path: string,
  body?: unknown,
  schema?: ZodType<T>,
  options?: CallOptions,
): Promise<T> => call('POST', path, body, schema, options);
export const put = <T = unknown>(
  path: string,
  body?: unknown,
  schema?: ZodType<T>,
  options?: CallOptions,
): Promise<T> => call('PUT', path, body, schema, options);
export const patch = <T = unknown>(
  path: string,
  body?: unknown,
  schema?: ZodType<T>,
  options?: CallOptions,
): Promise<T> => call('PATCH', path, body, schema, options);
export const del = <T = unknown>(path: string, schema?: ZodType<T>, options?: CallOptions): Promise<T> =>
  call('DELETE', path, options?.body, schema, options);
/** POST multipart. The browser writes the content type, because only it knows the boundary. */
export const upload = <T = unknown>(
  path: string,
  form: FormData,
  schema?: ZodType<T>,
  options?: CallOptions,
): Promise<T> => call('POST', path, form, schema, options);

async function call<T>(
  method: Method,
  path: string,
  body: unknown,
  schema: ZodType<T> | undefined,
  { signal, session = true, action = method !== 'GET', headers }: CallOptions = {},
): Promise<T> {
  const { token } = sessionStore.get();
  const renewable = session ? token : null;
  const isOld = renewable !== null && hasRunOut(renewable);
  let response = await send(method, path, body, isOld ? await renewedToken(renewable) : token, signal, headers);
  if (response.status === 401 && session) {
    if (renewable !== null && !isOld)
      response = await send(method, path, body, await renewedToken(renewable), signal, headers);
    if (response.status === 401) {
      // Without an action, a failed read does not lead to /auth, so that a public page stays on screen.
      if (token === null || !sessionStore.hasSignedOut()) expireSession({ redirect: action || token === null });
      throw new Error('Authentication required');
    }
  }
  if (!response.ok) throw await toError(response);
  const text = await response.text();
  const answer: unknown = text ? JSON.parse(text) : undefined;
  return schema ? schema.parse(answer) : (answer as T);
}

async function send(
  method: Method,
  path: string,
  body: unknown,
  token: string | null,
  signal?: AbortSignal,
  extra?: Record<string, string>,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', 'accept-language': language(), ...extra };
  if (token) headers['authorization'] = `Bearer ${token}`;
  // Identity requires this header on calls that only a cookie authenticates, because another site's form cannot send
  // it.
  else headers['x-requested-with'] = 'beltway';
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'include',
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  noteServerTime(response, method);
  return response;
}

/** Whether the token has expired according to its claims. */
function hasRunOut(token: string): boolean {
  try {
    const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { exp: number }).exp * 1_000 <= serverNow();
  } catch {
    return false;
  }
}

/** A fresh token for a call; null if the session is over, so that the call is made without a token. */
async function renewedToken(stale: string): Promise<string | null> {
  if (await renewSession(stale)) return sessionStore.latestToken();
  if (sessionStore.latestToken() === null) return null; // the user has signed out
  expireSession({ redirect: false });
  // Lets React unmount the components that need a session, so that their reads are aborted instead of sent and
  // rejected.
  await new Promise((resolve) => setTimeout(resolve));
  return null;
}

let renewing: Promise<boolean> | null = null;

/**
 * Exchanges the refresh cookie for a new token, once for all calls in all tabs that failed with the old token. The
 * server rotates the cookie, so a second use would look like theft and end the session. False if the server rejects the
 * cookie.
 */
export function renewSession(staleToken: string): Promise<boolean> {
  renewing ??= oneTabAtATime(async () => {
    const latest = sessionStore.latestToken();
    if (latest !== staleToken) return latest !== null;
    const response = await send('POST', '/api/auth/refresh', undefined, null);
    const renewed = response.ok ? Session.parse(await response.json()) : null;
    // The user may have signed out since, or signed in again.
    const now = sessionStore.latestToken();
    if (now !== staleToken) return now !== null;
    if (renewed) {
      sessionStore.set(renewed);
      return true;
    }
    // A rejection ends the session; an overloaded or failing server does not.
    if (response.status < 500 && response.status !== 429) return false;
    throw await toError(response);
  }).finally(() => {
    renewing = null;
  });
  return renewing;
}

/**
 * Runs session exchanges one at a time across all tabs. Web Locks exist only on secure origins (https or localhost);
 * without them, tabs are not synchronized.
 */
export function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  return locks ? locks.request('beltway.refresh', work) : work();
}

/** Converts a non-success response to an error. */
export async function toError(response: Response): Promise<HttpError> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get('retry-after'));
  return new HttpError(
    response.status,
    text || response.statusText,
    asProblem(text),
    retryAfter > 0 ? retryAfter : null,
  );
}

function asProblem(text: string): Problem | null {
  try {
    return Problem.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** True if the account lacks the permission. */
export const isForbidden = (error: unknown): boolean => error instanceof HttpError && error.status === 403;
/** True if the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof HttpError && error.status === 401;

/** True for a transient fault: the server is overloaded or unreachable, or the network is down. */
export const isPassing = (error: unknown): boolean =>
  error instanceof HttpError ? error.status >= 500 || error.status === 429 : error instanceof TypeError;

/** The longest wait for an automatic retry, in seconds. For a longer wait, the page shows the reason instead. */
const SOON_S = 30;

/** Whether to retry automatically. A limit that resets later is shown to the user instead. */
export const passesSoon = (error: unknown): boolean => isPassing(error) && !isLasting(error);

/** True for a rate limit that resets later than `SOON_S`. */
export const isLasting = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 429 && (error.retryAfter ?? 0) > SOON_S;

/** Codes of rate limits. For these, the message contains only when to try again. */
const OF_REQUESTS: ReadonlySet<string> = new Set([
  'too-many-requests',
  'too-many-at-once',
  'too-many-attempts',
  'busy',
]);

/** The message of a limit other than a rate limit, such as held tickets or events per day. */
const whyTooMany = ({ problem }: HttpError): string | undefined =>
  problem?.detail !== undefined && !OF_REQUESTS.has(problem.code) ? sayProblem(problem) : undefined;

/** Explains the error to the user in words, never with only a status code. */
export function explain(error: unknown): string {
  const t = textsNow(texts);
  if (error instanceof HttpError) {
    if (error.status === 429) return whyTooMany(error) ?? t('tooManyTries', { when: inWords(error.retryAfter) });
    if (error.problem) return sayProblem(error.problem);
    if (error.status >= 500) return t('serverFault');
    return error.message;
  }
  if (error instanceof TypeError) return t('notReached');
  return error instanceof Error && error.name === 'Error' ? error.message : t('unexpected');
}

/** 45 → "in 45 seconds", 70 → "in 2 minutes". */
export function inWords(seconds: number | null): string {
  const t = textsNow(texts);
  if (seconds === null) return t('inSomeMinutes');
  return seconds < 60 ? t('inSeconds', { count: seconds }) : t('inMinutes', { count: Math.ceil(seconds / 60) });
}
