import type { IncomingMessage, ServerResponse } from 'node:http';
import { assertShallow, requestIdFrom } from '@beltway/kit/app';
import { asProblem, HttpProblem, sendProblem } from '@beltway/kit/problems';
import { requestLog } from '@beltway/kit/request-log';
import { observeRequest } from '@beltway/kit/metrics';
import type { Deps } from '../deps.ts';
import { takeHold } from './take-hold.ts';

/** What a hold needs is a tenth of it. */
const MAX_BYTES = 4_096;

/** True for what the lane takes; everything else, and what is odd about a hold, is Express's. */
function isPlainHold({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === '/api/holds' &&
    /^application\/json(; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length']) <= MAX_BYTES
  );
}

/**
 * The short way of `POST /api/holds`, in front of the Express app (design section 6; docs/decisions/0013): same checks, same
 * answers. Answers false for a request it does not take.
 */
export function holdLane(deps: Deps): (req: IncomingMessage, res: ServerResponse) => boolean {
  const line = requestLog(deps.log);

  async function answer(req: IncomingMessage, res: ServerResponse, bytes: Buffer): Promise<void> {
    const started = performance.now();
    const requestId = requestIdFrom(req.headers['x-request-id'] as string | undefined);
    res.setHeader('x-request-id', requestId);
    try {
      const caller = await deps.auth.identify(req.headers.authorization);
      const key = req.headers['idempotency-key'] as string | undefined;
      const hold = await takeHold(deps, { body: parsed(bytes), key, caller, requestId });
      const body = JSON.stringify(hold);
      res.statusCode = 201;
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.setHeader('content-length', Buffer.byteLength(body));
      res.end(body);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) deps.log.warn({ err: error, requestId }, 'a hold could not be decided');
      sendProblem(res, problem, requestId);
    }
    const ms = performance.now() - started;
    observeRequest('POST', res.statusCode, ms / 1_000);
    line({ requestId, method: 'POST', path: '/api/holds', status: res.statusCode, ms: Math.round(ms) });
  }

  return (req, res) => {
    if (!isPlainHold(req)) return false;
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => void answer(req, res, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    return true;
  };
}

/** As Express reads it: nothing is an empty object, and a body is an object or a list. */
function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  let json: unknown;
  try {
    if (!/^\s*[[{]/.test(text)) throw new SyntaxError('no object');
    json = JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'malformed-json', 'The request body is not valid JSON.');
  }
  assertShallow(json);
  return json;
}
