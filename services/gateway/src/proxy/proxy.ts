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
 * Requests under way to one service; one more is answered 503 at once. Each that waits holds two connections and some
 * 30 kB here, so a service that hangs costs a few ten MB and does not affect the others. Long polls of realtime wait by
 * design.
 */
const MAX_CONCURRENT = 500;
const MAX_POLLS = 1_000;
/** Requests whose bodies stream through, of up to 56 MB: they hold the service for as long as the client takes. */
const MAX_STREAMED = 32;

/**
 * Answers of one service that wait for their readers, larger than what fits into the connections to them: with one more
 * the oldest of the site with most is cut off. Each holds its service's memory and one of its 1,000 places.
 */
const MAX_READERS = 400;

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
  /** What realtime has no call for is a mount: its sockets, by polling. */
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
      // From here on the answer takes as long as its reader, however quick the service is.
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
