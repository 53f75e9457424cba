import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { hasBody, refuseUselessBody, type ArrivingBodies } from '@beltway/kit/arriving-bodies';
import { USUAL_BYTES } from '@beltway/kit/json-body';
import { HttpProblem, sendProblem } from '@beltway/kit/problems';
import type { Senders } from './senders.ts';
import { comparable } from './target.ts';

const MB = 1_048_576;

/** Largest body for a request, in bytes: a little above what the service behind it takes, so that the exact answer is the service's. */
export function bodyLimit(method: string, path: string): number {
  const route = comparable(path);
  if (method === 'POST' && route === '/api/images') return 6 * MB;
  // A picture of 5 MB inside JSON.
  if (method === 'POST' && route === '/api/events') return 8 * MB;
  if (method === 'PATCH' && /^\/api\/events\/[^/]+$/.test(route)) return 8 * MB;
  if (route === '/api/stripe/webhook') return MB;
  return USUAL_BYTES;
}

/** A request whose body is small and of a length that is said beforehand, or that has none (RFC 9112, 6.3): nearly all there are. */
export const isShort = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  Number(headers['content-length'] ?? 0) <= USUAL_BYTES;

/** The body of a request that `isShort`, once `readBodies` has read it; null when there is none. */
export const shortBodyOf = (req: IncomingMessage): Buffer | null => shortBodies.get(req) ?? null;
const shortBodies = new WeakMap<IncomingMessage, Buffer>();

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

export interface BodyReading {
  /** Small bodies, which are read whole here: no service and no gate is entered before that. */
  small: ArrivingBodies;
  /** Bodies that stream through to the service. */
  streamed: ArrivingBodies;
  senders: Senders;
}

/**
 * 413 by what `Content-Length` announces, before the body is sent. A body without a length (chunked) streams on: the service
 * counts it. Clients that wait for `100 Continue` are told to go on here, and not before.
 */
export const readBodies =
  ({ small, streamed, senders }: BodyReading): RequestHandler =>
  (req, res, next) => {
    // Its client left while it was counted: 'close' was told, and would give no place back.
    if (res.destroyed) return;
    const coding = req.headers['transfer-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'chunked')
      throw new HttpProblem(501, 'unsupported-transfer', 'The body may be chunked, and nothing else.');
    refuseUselessBody(req, res);
    const waits = req.headers.expect !== undefined;
    if (Number(req.headers['content-length'] ?? 0) > bodyLimit(req.method, req.path)) {
      if (waits) res.setHeader('connection', 'close');
      else cutOffLater(req);
      const problem = new HttpProblem(413, 'too-large', 'The request body is too large.');
      return sendProblem(res, problem, String(res.locals['requestId']));
    }
    delete req.headers.expect;
    const streams = !isShort(req);
    if (streams) senders.admitUpload(req, res);
    if (waits) res.writeContinue();
    if (!hasBody(req)) return next();
    if (streams) {
      streamed.watch(req, res);
      return next();
    }
    small.read(req, res, (body) => {
      shortBodies.set(req, body);
      next();
    });
  };
