import { Problem } from '@beltway/contracts/common/basics';
import { Session } from '@beltway/contracts/identity/accounts';
import type { ZodType } from 'zod';
import { textsNow } from '../i18n/catalog.ts';
import { language } from '../i18n/language.ts';
import { sayProblem } from '../i18n/problems.ts';
import { noteServerTime, serverNow } from '../time/server-clock.ts';
import { expireSession, sessionStore } from '../storage/session-store.ts';
import { texts } from '../i18n/texts.en.ts';

/** A non-success answer. `message` is "status: body text" (services/gateway/PRODUCT.md); `problem` is a body of problem+json. */
export class HttpError extends Error {
  readonly status: number;
  readonly problem: Problem | null;
  /** Seconds until the server wants to be asked again (429, 503). */
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
  /** True for a GET that is part of an action: without a session it leads to /auth, as all other methods do. */
  action?: boolean;
  /** Further headers: `idempotency-key`, so that a retry is the same request; `x-order-key`, a guest's secret of an order. */
  headers?: Record<string, string>;
  /** Of a DELETE that must be confirmed. */
  body?: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** GET a path. With a schema the answer is parsed, so that what the page reads is what the contract says. */
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
      // What a page reads beside its public content stops with the session, and the page stays.
      expireSession({ redirect: action || token === null });
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
  // A form of another site cannot send this header: identity requires it where only a cookie authenticates.
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

/** Whether the server would refuse this token for its age, read from its claims. */
function hasRunOut(token: string): boolean {
  try {
    const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { exp: number }).exp * 1_000 <= serverNow();
  } catch {
    return false;
  }
}

/** A fresh token for a call; null when the session is over: the call is then made as a visitor's. */
async function renewedToken(stale: string): Promise<string | null> {
  if (await renewSession(stale)) return sessionStore.latestToken();
  expireSession({ redirect: false });
  // React takes down what needs a session, which aborts its reads: they are not sent to be refused.
  await new Promise((resolve) => setTimeout(resolve));
  return null;
}

let renewing: Promise<boolean> | null = null;

/**
 * Trades the refresh cookie for a new token, once for all calls of all tabs that failed with the old one: the cookie is rotated,
 * and a second use of it would look like theft and end the session. False if the server refuses.
 */
export function renewSession(staleToken: string): Promise<boolean> {
  renewing ??= oneTabAtATime(async () => {
    const latest = sessionStore.latestToken();
    if (latest !== staleToken) return latest !== null;
    const response = await send('POST', '/api/auth/refresh', undefined, null);
    if (response.ok) {
      sessionStore.set(Session.parse(await response.json()));
      return true;
    }
    // A refusal ends the session; an overloaded or broken server does not.
    if (response.status < 500 && response.status !== 429) return false;
    throw await toError(response);
  }).finally(() => {
    renewing = null;
  });
  return renewing;
}

/**
 * Runs what exchanges the session, one after the other over all tabs. Web Locks exist only where the page is served securely (https or
 * localhost); without them each tab is on its own.
 */
export function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  return locks ? locks.request('beltway.refresh', work) : work();
}

/** A non-success answer as an error. */
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

/** The server says that this account may not see or do it. */
export const isForbidden = (error: unknown): boolean => error instanceof HttpError && error.status === 403;
/** The session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof HttpError && error.status === 401;

/** True for a fault that may pass: the server is overloaded or unreachable, or the network is down. */
export const isPassing = (error: unknown): boolean =>
  error instanceof HttpError ? error.status >= 500 || error.status === 429 : error instanceof TypeError;

/** Seconds that a person may wait for another try without seeing the reason. */
const SOON_S = 30;

/** The same for an automatic retry: a limit that opens later is reported instead. */
export const passesSoon = (error: unknown): boolean => isPassing(error) && !isLasting(error);

/** A limit that stays reached for longer than one waits. */
export const isLasting = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 429 && (error.retryAfter ?? 0) > SOON_S;

/** Limits of requests, about which a person need only know when to try again. */
const OF_REQUESTS: ReadonlySet<string> = new Set([
  'too-many-requests',
  'too-many-at-once',
  'too-many-attempts',
  'busy',
]);

/** The code of a limit that the page explains: held tickets, events of a day. */
const whyTooMany = ({ problem }: HttpError): string | undefined =>
  problem?.detail !== undefined && !OF_REQUESTS.has(problem.code) ? sayProblem(problem) : undefined;

/** What went wrong, for a person: never a status code alone. */
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
