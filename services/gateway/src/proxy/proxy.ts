import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '@beltway/kit/logger';
import { gate, type Gate } from '@beltway/kit/overload';
import { sendProblem, unavailable, noRoute } from '@beltway/kit/problems';
import { isBuffered } from '../inbound/bodies.ts';
import { slowReaders } from '../inbound/unread.ts';
import { gateOf } from '../routes/gates.ts';
import type { RouteTable } from '../routes/table.ts';
import { present, type Backends } from './backends.ts';
import { forwardTo, type OnAnswer } from './forward.ts';
import { MAX_WAIT_MS, type Gates } from './gates.ts';
import { instanceOfSession } from './sessions.ts';
import { PROXY_TIMEOUTS } from './connections.ts';

/**
 * Maximum concurrent requests to one service. Further requests get 503 immediately. A waiting request holds two
 * connections and about 30 kB of the gateway's memory, so a service that hangs costs tens of MB and does not affect
 * other services. Long polls of realtime wait by design, so they have a separate limit.
 */
const MAX_CONCURRENT = 500;
const MAX_POLLS = 1_000;
/**
 * Maximum concurrent requests whose bodies, of up to 56 MB, stream through. Such a request occupies the service while
 * the client sends.
 */
const MAX_STREAMED = 32;

/**
 * Maximum answers per service that wait for their readers and exceed the connections' buffers. Beyond it, the oldest
 * answer of the site with the most answers is cut off. A waiting answer occupies memory of its service and one of the
 * service's 1,000 slots.
 */
const MAX_READERS = 400;

export interface Proxy {
  handler: RequestHandler;
  /** Ends long polls with 503, so that the browsers reconnect to another gateway. */
  drain(): void;
  /** Closes the connections to the services. */
  close(): void;
}

/** Chooses the service based on the path, and forwards the request. */
export function createProxy(
  table: RouteTable,
  backends: Backends,
  gates: Gates,
  log: Logger,
  timeouts = PROXY_TIMEOUTS,
  isBehind?: () => boolean,
  onAnswer?: OnAnswer,
): Proxy {
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
        requests: gate(MAX_CONCURRENT, { maxWaitMs: MAX_WAIT_MS, isBehind }),
        polls: gate(MAX_POLLS),
        streamed: gate(MAX_STREAMED),
        readers: slowReaders(MAX_READERS),
      },
    ]),
  );
  const doorOf = (req: Request, service: { requests: Gate; polls: Gate; streamed: Gate }): Gate => {
    if (isPoll(req)) return service.polls;
    if (!isBuffered(req)) return service.streamed;
    const own = gateOf(table.find(req.method, req.path), req.url.includes('?'));
    return own ? gates[own] : service.requests;
  };
  const polls = new Set<ServerResponse>();
  /** A path of realtime without a call of its own belongs to the socket.io mount, so the request is a long poll. */
  const isPoll = ({ method, path }: Request): boolean =>
    table.serviceFor(path) === 'realtime' && !table.find(method, path);

  return {
    handler: (req, res, next) => {
      const service = table.serviceFor(req.path);
      const live = forwards.get('live');
      const forward = live && table.find(req.method, req.path)?.isLive ? live : service && forwards.get(service);
      if (!forward) return table.isNoPage(req.path) ? next(noRoute(req)) : next();
      const door = doorOf(req, forward);
      const leave = door.enter();
      if (isPoll(req)) {
        polls.add(res);
        res.once('close', () => polls.delete(res));
      }
      // From here on, the duration depends on the reader, not on the service.
      const onWait = () => {
        if (door !== forward.requests) return;
        leave();
        forward.readers.add(req, res);
      };
      void forward.handler(req, res, onWait).finally(leave);
    },
    drain: () => {
      for (const res of polls) if (!res.headersSent) sendProblem(res, unavailable('stopping', 1));
    },
    close: () => forwards.forEach((forward) => forward.close()),
  };
}
