import { Agent, request, STATUS_CODES } from 'node:http';
import { request as requestByTls } from 'node:https';
import { currentSpan, TRACEPARENT } from '@beltway/tracing';
import type { Problem } from '@beltway/contracts/common/basics';
import type { RequestHandler } from 'express';
import { asInstances, sendTo, type Instances } from './instances.ts';
import { agentTo } from './service-tls.ts';
import { HttpProblem, forbidden } from '../problems.ts';
import { acceptedBy, firstSecret, sameText, type Secrets } from '../../secrets.ts';

/** Admits only Beltway's own services, which share a token. The gateway does not route to these paths. */
export function internalOnly(tokens: Secrets): RequestHandler {
  return (req, _res, next) => {
    const given = req.get('x-internal-token') ?? '';
    if (!acceptedBy(tokens, (token) => sameText(given, token))) throw forbidden('internal');
    next();
  };
}

export interface InternalClient {
  /**
   * Returns the parsed JSON body. Throws an HttpProblem with the same code for an error response, and a transient error
   * if there is no response.
   */
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
}

/** Statuses of a service that is busy or unavailable. Callers should retry later. */
const PASSING = [429, 502, 503, 504];

/** The problem in an error response; empty if the response came from an intermediary and is not JSON. */
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
  /** The deadline by `performance.now()`. */
  until: number;
}

const tooLate = (): Error => Object.assign(new Error('The call took too long.'), { name: 'TimeoutError' });

/**
 * Shorter than the 65 s after which a service closes an idle connection (`serve.ts`), so that no call is sent on a
 * closing connection.
 */
const connections = new Agent({ keepAlive: true, timeout: 30_000 });

/**
 * Rejects with Node's error and code if no complete response arrived. Has its own timer, because `AbortSignal.timeout`
 * fires for each call, even long after the call's response, and creates an error with a stack each time.
 */
const exchange = (
  service: string,
  url: URL,
  { method, headers, body, until }: Call,
): Promise<{ status: number; text: string; retryAfter?: number }> =>
  new Promise((resolve, reject) => {
    const agent = agentTo(service, url);
    const send = agent ? requestByTls : request;
    const sent = send(url, { agent: agent ?? connections, method, headers }, (answer) => {
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
      // A rejected certificate is the operator's mistake. The error is transient, so that the work is retried after the
      // certificate is renewed.
      reject(agent ? Object.assign(error, { transient: true }) : error);
    };
    sent.on('error', fail);
    sent.end(body);
  });

/**
 * A client that calls a ready instance of another service. Calls have a time limit and are repeated only if repeating
 * is safe (`sendTo`). Uses `node:http`, because `fetch` costs three times as much.
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
    } = await sendTo(
      instances,
      (url) => exchange(instances.service, new URL(path, url), { method, headers, body, until }),
      { changes: method !== 'GET' },
    );
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
