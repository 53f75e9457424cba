import { Agent, request, STATUS_CODES } from 'node:http';
import { currentSpan, TRACEPARENT } from '@beltway/tracing';
import type { Problem } from '@beltway/contracts/common/basics';
import type { RequestHandler } from 'express';
import { asInstances, sendTo, type Instances } from './instances.ts';
import { HttpProblem, forbidden } from '../problems.ts';
import { acceptedBy, firstSecret, sameText, type Secrets } from '../../secrets.ts';

/** Lets only our own services in: they share a token, and the gateway routes nothing to these paths. */
export function internalOnly(tokens: Secrets): RequestHandler {
  return (req, _res, next) => {
    const given = req.get('x-internal-token') ?? '';
    if (!acceptedBy(tokens, (token) => sameText(given, token))) throw forbidden('internal');
    next();
  };
}

export interface InternalClient {
  /** Answers the parsed JSON body; an error answer becomes an HttpProblem with the same code, no answer a transient fault. */
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
}

/** Too busy, or away: asking again later is right. */
const PASSING = [429, 502, 503, 504];

/** What an error says of itself; nothing when it comes from something in between that speaks no JSON. */
function problemIn(text: string): Partial<Problem> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Problem>;
  } catch {
    return {};
  }
}

interface Call {
  method: 'GET' | 'POST';
  headers: Record<string, string | number>;
  body?: string;
  /** By the clock of `performance.now()`. */
  until: number;
}

const tooLate = (): Error => Object.assign(new Error('The call took too long.'), { name: 'TimeoutError' });

/** Less than the 65 s after which our services close an idle connection (`serve.ts`): so no call is sent into a closing one. */
const connections = new Agent({ keepAlive: true, timeout: 30_000 });

/**
 * Rejects with Node's error and its code when no whole answer came. The timer is its own: `AbortSignal.timeout` fires for each call,
 * long after its answer, and makes an error with a stack each time.
 */
const exchange = (
  url: URL,
  { method, headers, body, until }: Call,
): Promise<{ status: number; text: string; retryAfter?: number }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent: connections, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        clearTimeout(timer);
        const retryAfter = Number(answer.headers['retry-after']);
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          ...(retryAfter > 0 && { retryAfter }),
        });
      });
      answer.on('error', fail);
    });
    const timer = setTimeout(() => sent.destroy(tooLate()), until - performance.now());
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    sent.on('error', fail);
    sent.end(body);
  });

/**
 * Calls another service of ours, one of its instances that are ready: bounded in time, sent again only where that is safe
 * (`sendTo`); beyond that the caller knows whether it may. By `node:http`: `fetch` costs three times as much.
 */
export function internalClient(target: string | Instances, tokens: Secrets, timeoutMs = 8_000): InternalClient {
  const instances = asInstances(target);
  const call = async (method: Call['method'], path: string, body = ''): Promise<unknown> => {
    const until = performance.now() + timeoutMs;
    const traceparent = currentSpan()?.traceparent;
    const headers = {
      'x-internal-token': firstSecret(tokens),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(traceparent !== undefined && { [TRACEPARENT]: traceparent }),
    };
    const {
      status,
      text,
      retryAfter = status === 503 ? 2 : undefined,
    } = await sendTo(instances, (url) => exchange(new URL(path, url), { method, headers, body, until }), {
      changes: method !== 'GET',
    });
    if (status >= 200 && status < 300) return text ? (JSON.parse(text) as unknown) : undefined;
    const said = { code: 'internal', detail: STATUS_CODES[status] ?? 'Unknown answer.', ...problemIn(text) };
    const problem = HttpProblem.received(status, said, retryAfter);
    throw Object.assign(problem, { transient: PASSING.includes(status) });
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, JSON.stringify(body)),
  };
}
