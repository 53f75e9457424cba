import { randomUUID } from 'node:crypto';
import { answerBody } from '@beltway/kit/answer-body';
import { wasCutOff } from '@beltway/kit/connection-faults';
import { fetchFrom, type Instances } from '@beltway/kit/instances';
import type { Problem } from '@beltway/contracts/common/basics';
import { HttpProblem } from '@beltway/kit/problems';
import { codeOf, problemOf, timedOut } from '../proxy/faults.ts';

/** A service's answer to a request without credentials. */
export type Answer =
  /** May be cached. */
  | { kind: 'shared'; headers: Array<[string, string]>; body: Buffer; tags: ReadonlySet<string>; freshMs: number }
  /** A refusal of the request. Each caller gets it, and it is not cached. */
  | { kind: 'problem'; problem: HttpProblem }
  /** The service is down. `error`: why no complete answer arrived. */
  | { kind: 'down'; problem: HttpProblem; error?: Error }
  /** Specific to a caller, or not cacheable. Each request is forwarded separately. */
  | { kind: 'unshared' };

/** A list of 200 events has about 300 kB. Larger answers are forwarded and not cached. */
export const MAX_BODY = 2 * 1_048_576;
const MAX_PROBLEM = 65_536;
const MAX_TAGS = 64;
const TAG = /^[\w-]{1,64}$/;

/** Hop-by-hop headers, headers that concern only one request, and headers that the cache itself writes. */
const NOT_KEPT = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'content-length'],
  ...['x-request-id', 'date', 'age', 'etag', 'last-modified', 'vary', 'cache-tag', 'accept-ranges'],
]);

/** The directives of a `Cache-Control` in lower case, each with the argument after its `=`. */
function directivesOf(header: string | null): Map<string, string> {
  const parts = (header ?? '').toLowerCase().split(',');
  return new Map(
    parts.map((part) => part.trim().split('=', 2) as [string, string?]).map(([name, value = '']) => [name, value]),
  );
}

/**
 * How long the headers allow an answer to be cached, in milliseconds. 0: the answer must not be cached, or the headers
 * are unclear.
 */
export function freshMsOf(status: number, headers: Headers): number {
  const directives = directivesOf(headers.get('cache-control'));
  const seconds = directives.get('max-age') ?? '';
  const isAnybodys =
    status === 200 &&
    directives.has('public') &&
    !['private', 'no-store', 'no-cache'].some((name) => directives.has(name)) &&
    !headers.has('set-cookie') &&
    !headers.has('content-encoding') &&
    /^(accept-encoding)?$/i.test(headers.get('vary')?.trim() ?? '') &&
    // Without one of these headers, a truncated body would look complete.
    (headers.has('content-length') || headers.has('transfer-encoding'));
  return isAnybodys && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
}

export const tagsOf = (header: string | null | undefined): Set<string> =>
  new Set(
    (header ?? '')
      .split(',', MAX_TAGS)
      .map((tag) => tag.trim())
      .filter((tag) => TAG.test(tag)),
  );

async function problemIn(answer: Response): Promise<HttpProblem | undefined> {
  if (!answer.headers.get('content-type')?.startsWith('application/problem+json')) return undefined;
  const text = await answerBody(answer, MAX_PROBLEM);
  try {
    const said = JSON.parse(String(text)) as Problem;
    if (typeof said.code !== 'string' || typeof said.detail !== 'string') return undefined;
    const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return HttpProblem.received(answer.status, said, Number.isInteger(retryAfter) ? retryAfter : undefined);
  } catch {
    return undefined;
  }
}

/** Statuses that depend on the URL alone, so every caller gets the same refusal. */
const OF_THE_ADDRESS = new Set([400, 404, 410]);

async function read(answer: Response): Promise<Answer> {
  const { status, headers } = answer;
  const freshMs = freshMsOf(status, headers);
  if (freshMs > 0) {
    const body = await answerBody(answer, MAX_BODY);
    if (!body) return { kind: 'unshared' };
    return {
      kind: 'shared',
      headers: [...headers].filter(([name]) => !NOT_KEPT.has(name)),
      body,
      tags: tagsOf(headers.get('cache-tag')),
      freshMs,
    };
  }
  const mayTell = (status >= 500 || OF_THE_ADDRESS.has(status)) && !headers.has('set-cookie');
  const problem = mayTell ? await problemIn(answer) : undefined;
  if (status >= 500) return { kind: 'down', problem: problem ?? problemOf(new Error(`answered ${status}`)) };
  return problem ? { kind: 'problem', problem } : { kind: 'unshared' };
}

/**
 * Requests a URL from one of the instances. The request has no credentials, cookies or headers of a client, so every
 * caller may get the answer. Never rejects; an incomplete answer counts as a failure.
 */
export async function askService(
  instances: Instances,
  url: string,
  limitMs: number,
  stop: AbortSignal,
): Promise<Answer> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(timedOut()), limitMs);
  const signal = AbortSignal.any([tooLate.signal, stop]);
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'x-request-id': randomUUID() };
  const ask = async () => {
    const answer = await fetchFrom(instances, url, { headers, redirect: 'manual', signal });
    const outcome = await read(answer);
    if (!answer.bodyUsed) await answer.body?.cancel();
    return outcome;
  };
  try {
    // Retries once, because the connection may have been closing. That happens when a service restarts.
    return await ask().catch((error: unknown) =>
      wasCutOff(codeOf(causeOf(error))) ? ask() : Promise.reject(error as Error),
    );
  } catch (error) {
    const cause = causeOf(error);
    return { kind: 'down', problem: problemOf(cause), error: cause };
  } finally {
    clearTimeout(timer);
  }
}

/** The original error, which `fetch` wraps. */
const causeOf = (error: unknown): Error => {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause : (error as Error);
};
