import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { crowd } from '../limits/crowd.ts';
import { HttpProblem, sendProblem, unavailable, type Unavailable } from '../problems.ts';
import { GrowingBuffer } from './read-body.ts';

/**
 * Time limit from the first to the last byte of a small body, in ms. It allows for a phone that switches to another
 * cell and sends no data for seconds.
 */
const BODY_MS = 10_000;
/**
 * A body gets one more second for every 16,000 bytes that have arrived (128 kbit/s). So a body that makes progress can
 * finish, but a body that trickles is cut off.
 */
export const SLOWEST_BYTES_PER_SECOND = 16_000;

export interface ArrivingOptions {
  /** Base time limit of a body, in ms; arriving bytes extend it. Default 10 s. */
  bodyMs?: number;
  /**
   * Maximum number of bodies that arrive concurrently. Beyond this number, the oldest body of the sender with the most
   * bodies is evicted. Default: unbounded.
   */
  max?: number;
  /** The sender of a request. Default: all requests have the same sender. */
  senderOf?: (req: IncomingMessage) => string;
  /** The 503 problem for a body that is evicted. */
  what?: Unavailable;
}

/**
 * Tracks requests whose bodies are still arriving. A request that takes too long gets 408, and its connection is
 * closed.
 */
export interface ArrivingBodies {
  /** Tracks a request until its body has arrived. */
  watch(req: IncomingMessage, res: ServerResponse): void;
  /** Stops tracking a request. Returns false if it was already evicted or timed out and answered. */
  arrived(req: IncomingMessage): boolean;
  /**
   * Reads a whole body of known length. Does not call `then` if the request is evicted, times out, or is ended by the
   * client.
   */
  read(req: IncomingMessage, res: ServerResponse, then: (body: Buffer) => void): void;
  count(): number;
  stop(): void;
}

/** True if a body follows the headers (RFC 9112, 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws 400 for a GET or HEAD request with a body, which has no meaning (RFC 9110, 9.3.1). */
export function refuseUselessBody(req: IncomingMessage, res: ServerResponse): void {
  if ((req.method !== 'GET' && req.method !== 'HEAD') || !hasBody(req)) return;
  // The body stays unread, so the start of the next request on this connection is unknown. Therefore the connection is
  // closed.
  res.setHeader('connection', 'close');
  throw uselessBody(req.method);
}
export const uselessBody = (method: string) => new HttpProblem(400, 'unexpected-body', { params: { method } });

interface Arriving {
  res: ServerResponse;
  since: number;
  /** Number of bytes that the request's connection had read when the request began. */
  bytesRead: number;
}

export function arrivingBodies(options: ArrivingOptions = {}): ArrivingBodies {
  const { bodyMs = BODY_MS, max = Infinity, senderOf = () => '' } = options;
  const { what = 'too-many-people' } = options;
  const arriving = new Map<IncomingMessage, Arriving>();
  const senders = crowd<IncomingMessage>();

  /** Returns false if the request is no longer tracked. */
  function forget(req: IncomingMessage): boolean {
    senders.remove(req);
    return arriving.delete(req);
  }

  function giveUp(req: IncomingMessage, problem: HttpProblem): void {
    const { res } = arriving.get(req)!;
    forget(req);
    if (res.headersSent) return void req.socket.destroy();
    res.setHeader('connection', 'close');
    sendProblem(res, problem, res.getHeader('x-request-id')?.toString());
  }

  const sweep = setInterval(
    () => {
      const now = performance.now();
      for (const [req, one] of arriving) {
        const gainedMs = ((req.socket.bytesRead - one.bytesRead) / SLOWEST_BYTES_PER_SECOND) * 1_000;
        if (req.complete || req.destroyed) forget(req);
        else if (req.readableLength > 0) one.since = now; // its data waits to be read
        else if (now - one.since > bodyMs + gainedMs) giveUp(req, new HttpProblem(408, 'body-too-slow'));
      }
    },
    Math.min(1_000, bodyMs / 4),
  ).unref();

  const watch: ArrivingBodies['watch'] = (req, res) => {
    senders.set(req, senderOf(req));
    arriving.set(req, { res, since: performance.now(), bytesRead: req.socket.bytesRead });
    // The body of a fast sender is never the oldest for long, so slow senders make room for fast senders.
    if (arriving.size > max) giveUp(senders.oldestOfMost()!, unavailable(what, 1));
  };
  const arrived: ArrivingBodies['arrived'] = forget;

  return {
    watch,
    arrived,
    read(req, res, then) {
      let first: Buffer | undefined;
      let body: GrowingBuffer | undefined;
      watch(req, res);
      req.on('data', (piece: Buffer) => {
        // A body nearly always arrives in one chunk.
        if (!first) return void (first = piece);
        if (!body) {
          body = new GrowingBuffer(Number(req.headers['content-length']));
          body.append(first);
        }
        body.append(piece);
      });
      req.once('end', () => {
        if (arrived(req)) then(body?.bytes() ?? first ?? Buffer.alloc(0));
      });
    },
    count: () => arriving.size,
    stop: () => clearInterval(sweep),
  };
}

/**
 * Rejects bodies without a meaning. Tracks all other bodies until they have arrived. Mount it before the code that
 * reads bodies.
 */
export function bodiesInTime(bodies: ArrivingBodies): RequestHandler {
  return (req, res, next) => {
    // The client disconnected while an earlier handler was waiting.
    if (res.destroyed) return;
    refuseUselessBody(req, res);
    if (hasBody(req) && !req.complete) {
      bodies.watch(req, res);
      req.once('end', () => bodies.arrived(req));
    }
    if (!res.writableEnded) next();
  };
}
