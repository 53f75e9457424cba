import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { hasBody, refuseUselessBody, type ArrivingBodies } from '@beltway/kit/arriving-bodies';
import { USUAL_BYTES } from '@beltway/kit/json-body';
import { HttpProblem, sendProblem } from '@beltway/kit/problems';
import type { RouteTable } from '../routes/table.ts';
import type { ConcurrencyLimits } from './concurrency.ts';

/**
 * Whether the body is read completely before the request is forwarded. True for a small body with a declared length,
 * and for a request without a body (RFC 9112, 6.3).
 */
export const isBuffered = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  Number(headers['content-length'] ?? 0) <= USUAL_BYTES;

/** The body that `readBodies` has read for an `isBuffered` request. Undefined when the request has no body. */
export const bufferedBodyOf = (req: IncomingMessage): Buffer | undefined => bufferedBodies.get(req);
const bufferedBodies = new WeakMap<IncomingMessage, Buffer>();

/** How much a rejected client may still send. A client that is disconnected while sending may never read the answer. */
const GRACE_BYTES = 16 * 1_048_576;
const GRACE_MS = 2_000;

function cutOffLater(req: IncomingMessage): void {
  const { socket } = req;
  const [since, read] = [Date.now(), socket.bytesRead];
  const watch = setInterval(() => {
    const inGrace = Date.now() - since < GRACE_MS && socket.bytesRead - read < GRACE_BYTES;
    if (!req.complete && !socket.destroyed && inGrace) return;
    clearInterval(watch);
    if (!req.complete) socket.destroy();
  }, 50).unref();
}

export interface BodyReading {
  table: RouteTable;
  /** Small bodies, which are read completely before the request enters a gate or reaches a service. */
  small: ArrivingBodies;
  /** Bodies that stream through to the service. */
  streamed: ArrivingBodies;
  concurrency: Pick<ConcurrencyLimits, 'admitUpload'>;
}

/**
 * Responds 413 if the announced `Content-Length` is too large, before the client sends the body. A body without a
 * length (chunked) is streamed, and the service limits it. A client that waits for `100 Continue` gets it here, not
 * earlier.
 */
export const readBodies =
  ({ table, small, streamed, concurrency }: BodyReading): RequestHandler =>
  (req, res, next) => {
    // The client left while its request was counted. 'close' was already emitted, so a slot taken from here on would
    // never be released.
    if (res.destroyed) return;
    const coding = req.headers['transfer-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw new HttpProblem(501, 'unsupported-transfer');
    refuseUselessBody(req, res);
    const waits = req.headers.expect !== undefined;
    if (Number(req.headers['content-length'] ?? 0) > table.maxBytes(req.method, req.path)) {
      if (waits) res.setHeader('connection', 'close');
      else cutOffLater(req);
      const problem = new HttpProblem(413, 'too-large');
      return sendProblem(res, problem, String(res.locals['requestId']));
    }
    delete req.headers.expect;
    const streams = !isBuffered(req);
    if (streams) concurrency.admitUpload(req, res);
    if (waits) res.writeContinue();
    if (!hasBody(req)) return next();
    if (streams) {
      streamed.watch(req, res);
      return next();
    }
    small.read(req, res, (body) => {
      bufferedBodies.set(req, body);
      next();
    });
  };
