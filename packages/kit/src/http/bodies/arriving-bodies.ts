import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { crowd } from '../limits/crowd.ts';
import { HttpProblem, sendProblem, unavailable, type Unavailable } from '../problems.ts';
import { GrowingBuffer } from './read-body.ts';

/** For the first byte to the last of a small body; a phone that changes its cell is silent for seconds. */
const BODY_MS = 10_000;
/** A body may take a second more for so many bytes that came (128 kbit/s): who makes progress is not cut off, who trickles is. */
export const SLOWEST_BYTES_PER_SECOND = 16_000;

export interface ArrivingOptions {
  /** How long a body may take, beside what it gains by arriving. Default 10 s. */
  bodyMs?: number;
  /** Bodies that may be on their way at once; with one more the oldest of whoever has most is given up. Default: not bounded here. */
  max?: number;
  /** Who sends. Default: all are one. */
  senderOf?: (req: IncomingMessage) => string;
  /** Told to whose body is given up. */
  what?: Unavailable;
}

/** Requests whose bodies are on their way. One that takes too long is answered 408, and its connection is closed. */
export interface ArrivingBodies {
  /** Watches a request until its body is there. */
  watch(req: IncomingMessage, res: ServerResponse): void;
  /** Ends the watch; false when it was given up, and answered. */
  arrived(req: IncomingMessage): boolean;
  /** Reads a body whole, whose length is said. Does not call back when it is given up or the client leaves. */
  read(req: IncomingMessage, res: ServerResponse, then: (body: Buffer) => void): void;
  count(): number;
  stop(): void;
}

/** Whether a body follows the headers (RFC 9112, 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws 400 for a body where it has no meaning (RFC 9110, 9.3.1). */
export function refuseUselessBody(req: IncomingMessage, res: ServerResponse): void {
  if ((req.method !== 'GET' && req.method !== 'HEAD') || !hasBody(req)) return;
  // It is not read: the next request could not be told from it.
  res.setHeader('connection', 'close');
  throw uselessBody(req.method);
}
export const uselessBody = (method: string) => new HttpProblem(400, 'unexpected-body', { params: { method } });

interface Arriving {
  res: ServerResponse;
  since: number;
  /** Of its connection, when it began. */
  bytesRead: number;
}

export function arrivingBodies(options: ArrivingOptions = {}): ArrivingBodies {
  const { bodyMs = BODY_MS, max = Infinity, senderOf = () => '' } = options;
  const { what = 'too-many-people' } = options;
  const arriving = new Map<IncomingMessage, Arriving>();
  const senders = crowd<IncomingMessage>();

  /** False when it is not watched any more. */
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
        else if (req.readableLength > 0) one.since = now; // it waits for us
        else if (now - one.since > bodyMs + gainedMs) giveUp(req, new HttpProblem(408, 'body-too-slow'));
      }
    },
    Math.min(1_000, bodyMs / 4),
  ).unref();

  const watch: ArrivingBodies['watch'] = (req, res) => {
    senders.set(req, senderOf(req));
    arriving.set(req, { res, since: performance.now(), bytesRead: req.socket.bytesRead });
    // Who sends at once is never the oldest for long: those who hold back make room for those who do not.
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
        // Nearly always it comes in one piece.
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

/** Refuses bodies where they have no meaning, and watches the others until they are there. Comes before what reads them. */
export function bodiesInTime(bodies: ArrivingBodies): RequestHandler {
  return (req, res, next) => {
    // Its client left while something before this was awaited.
    if (res.destroyed) return;
    refuseUselessBody(req, res);
    if (hasBody(req) && !req.complete) {
      bodies.watch(req, res);
      req.once('end', () => bodies.arrived(req));
    }
    if (!res.writableEnded) next();
  };
}
