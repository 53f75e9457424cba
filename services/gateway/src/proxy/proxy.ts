import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '@beltway/kit/logger';
import { gate, type Gate } from '@beltway/kit/overload';
import { notFound, sendProblem, unavailable } from '@beltway/kit/problems';
import { isBuffered } from '../inbound/bodies.ts';
import type { RouteTable } from '../routes/table.ts';
import { present, type Backends } from './backends.ts';
import { forwardTo, type OnAnswer } from './forward.ts';
import { instanceOfSession } from './sessions.ts';
import { PROXY_TIMEOUTS } from './connections.ts';

/**
 * Requests under way to one service; one more is answered 503 at once. Each that waits holds two connections and some
 * 30 kB here, so a service that hangs costs a few ten MB and does not affect the others. Long polls of realtime wait by
 * design.
 */
const MAX_CONCURRENT = 500;
const MAX_POLLS = 1_000;
/** Requests whose bodies stream through, of up to 56 MB: they hold the service for as long as the client takes. */
const MAX_STREAMED = 32;
/** Videos that are being read: an answer takes as long as its reader, and says nothing of how the service keeps up. */
const MAX_VIDEOS = 300;
/** While most answers take longer, a gate admits only as many requests as are answered within this time. */
export const MAX_WAIT_MS = 2_000;

export interface Proxy {
  handler: RequestHandler;
  /** Answers long polls with 503: their pages ask another gateway. */
  drain(): void;
  /** Closes the connections to the services. */
  close(): void;
}

/** Chooses the service by the path, and hands the request on. */
export function createProxy(
  table: RouteTable,
  backends: Backends,
  log: Logger,
  timeouts = PROXY_TIMEOUTS,
  isBehind?: () => boolean,
  onAnswer?: OnAnswer,
): Proxy {
  const openGate = (more = {}) => gate(MAX_CONCURRENT, { maxWaitMs: MAX_WAIT_MS, ...more });
  const forwards = new Map(
    present(backends).map(([service, instances]) => [
      service,
      {
        ...forwardTo(
          service,
          instances,
          log,
          timeouts,
          service === 'realtime' ? instanceOfSession(instances) : undefined,
          onAnswer,
          table.labelOf,
        ),
        requests: openGate({ isBehind }),
        polls: gate(MAX_POLLS),
        streamed: gate(MAX_STREAMED),
      },
    ]),
  );
  /**
   * Steps of a purchase whose tickets are held are not turned away while the gateway is behind. Anybody may send as
   * many webhooks as they like, and only payments tells which are signed, so those do not share that gate.
   */
  const ownGates = { payment: openGate(), webhook: openGate(), video: gate(MAX_VIDEOS) };
  const gateOf = (req: Request, service: { requests: Gate; polls: Gate; streamed: Gate }): Gate => {
    if (isPoll(req)) return service.polls;
    if (!isBuffered(req)) return service.streamed;
    const own = table.find(req.method, req.path)?.gate;
    return own ? ownGates[own] : service.requests;
  };
  const polls = new Set<ServerResponse>();
  /** What realtime has no call for is a mount: its sockets, by polling. */
  const isPoll = ({ method, path }: Request): boolean =>
    table.serviceFor(path) === 'realtime' && !table.find(method, path);

  return {
    handler: (req, res, next) => {
      const service = table.serviceFor(req.path);
      const live = forwards.get('live');
      const forward = live && table.find(req.method, req.path)?.isLive ? live : service && forwards.get(service);
      if (!forward) return table.isNoPage(req.path) ? next(notFound(`${req.method} ${req.path}`)) : next();
      const leave = gateOf(req, forward).enter();
      if (isPoll(req)) {
        polls.add(res);
        res.once('close', () => polls.delete(res));
      }
      void forward.handler(req, res).finally(leave);
    },
    drain: () => {
      for (const res of polls)
        if (!res.headersSent) sendProblem(res, unavailable('This part of Beltway is stopping.', 1));
    },
    close: () => forwards.forEach((forward) => forward.close()),
  };
}
