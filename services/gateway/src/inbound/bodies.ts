import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { HttpProblem, sendProblem } from '@beltway/kit/problems';
import { comparable } from './target.ts';

const MB = 1_048_576;
/** What the services take as JSON (`@beltway/kit/app`). */
export const USUAL = 100 * 1024;

/** Largest body for a request, in bytes: a little above what the service behind it takes, so that the exact answer is the service's. */
export function bodyLimit(method: string, path: string): number {
  const route = comparable(path);
  if (method === 'POST' && route === '/api/images') return 6 * MB;
  // A picture of 5 MB inside JSON.
  if (method === 'POST' && route === '/api/events') return 8 * MB;
  if (method === 'PATCH' && /^\/api\/events\/[^/]+$/.test(route)) return 8 * MB;
  if (route === '/api/stripe/webhook') return MB;
  return USUAL;
}

/** What a client may still send after it was refused, before it is cut off: one that is cut off while sending may never read the answer. */
const GRACE_BYTES = 16 * MB;
const GRACE_MS = 2_000;

function cutOffLater(req: IncomingMessage): void {
  const { socket } = req;
  const [since, read] = [Date.now(), socket.bytesRead];
  const watch = setInterval(() => {
    const patient = Date.now() - since < GRACE_MS && socket.bytesRead - read < GRACE_BYTES;
    if (!req.complete && !socket.destroyed && patient) return;
    clearInterval(watch);
    if (!req.complete) socket.destroy();
  }, 50).unref();
}

/**
 * 413 by what `Content-Length` announces, before the body is sent. A body without a length (chunked) streams on: the service
 * counts it. Clients that wait for `100 Continue` are told to go on here, and not before.
 */
export const bodies: RequestHandler = (req, res, next) => {
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw new HttpProblem(501, 'unsupported-transfer', 'The body may be chunked, and nothing else.');
  const waits = req.headers.expect !== undefined;
  if (Number(req.headers['content-length'] ?? 0) > bodyLimit(req.method, req.path)) {
    if (waits) res.setHeader('connection', 'close');
    else cutOffLater(req);
    const problem = new HttpProblem(413, 'too-large', 'The request body is too large.');
    return sendProblem(res, problem, String(res.locals['requestId']));
  }
  if (waits) {
    delete req.headers.expect;
    res.writeContinue();
  }
  next();
};
