import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '@beltway/kit/logger';
import { gate, type Gate } from '@beltway/kit/overload';
import { notFound, sendProblem, unavailable } from '@beltway/kit/problems';
import type { Config } from '../config.ts';
import { isShort } from '../inbound/bodies.ts';
import { forwardTo, type Choose, type Forward } from './forward.ts';
import { PATIENCE } from './timeouts.ts';
import { present, type Backends } from './backends.ts';
import { instanceOfSession } from './sessions.ts';
import { isNoPage, serviceFor, type Service } from './routes.ts';

/**
 * Requests under way to one service; one more is answered 503 at once. Every one that waits holds two connections and some 30 kB here, so
 * a service that hangs may cost a few ten MB, and the others nothing. Long polls of realtime wait by design. Below the agent's 1,024
 * sockets, behind which requests would queue without a bound.
 */
const MOST_AT_ONCE = 500;
const MOST_POLLS = 1_000;
/** Requests whose bodies stream through, of up to 8 MB: they hold the service for as long as the client takes. */
const MOST_STREAMED = 32;
/** An answer that comes later is of little use: beyond, only as many are let in as are answered within this time. */
const MAX_WAIT_MS = 2_000;

/** Steps of a purchase whose tickets are held: they have a gate of their own, and are not turned away while the gateway is behind. */
const isPayment = (path: string): boolean =>
  /^\/api\/(create-ticket-payment-intent|process-ticket-purchase)\/?$/.test(path);
/** As payments, but not in their gate: anybody may send as many as they like, and only payments tells which are signed. */
const isNotice = (path: string): boolean => path === '/api/stripe/webhook';

export interface Proxy {
  handler: RequestHandler;
  /** Answers those who wait for something to happen (long polls): they ask again elsewhere. */
  drain(): void;
  /** Closes the connections to the services. */
  close(): void;
}

/** Chooses the service by the path, and hands the request on. */
export function createProxy(
  config: Config,
  backends: Backends,
  log: Logger,
  patience = PATIENCE,
  isBehind?: () => boolean,
): Proxy {
  const embedded = config.BELTWAY_MODE === 'embedded';
  const forwards = new Map<Service, Forward>();
  const choose = { realtime: instanceOfSession(backends.realtime) } as Partial<Record<Service, Choose>>;
  for (const [service, instances] of present(backends))
    forwards.set(service, forwardTo(service, instances, log, patience, choose[service]));
  const gates = new Map<Service, Gate>();
  const streamed = new Map<Service, Gate>();
  for (const service of forwards.keys()) {
    gates.set(
      service,
      service === 'realtime' ? gate(MOST_POLLS) : gate(MOST_AT_ONCE, { maxWaitMs: MAX_WAIT_MS, isBehind }),
    );
    streamed.set(service, gate(MOST_STREAMED));
  }
  const payments = gate(MOST_AT_ONCE, { maxWaitMs: MAX_WAIT_MS });
  const notices = gate(MOST_AT_ONCE, { maxWaitMs: MAX_WAIT_MS });
  const gateOf = (req: Request, service: Service): Gate => {
    if (!isShort(req)) return streamed.get(service)!;
    if (isNotice(req.path)) return notices;
    return isPayment(req.path) ? payments : gates.get(service)!;
  };
  const polls = new Set<ServerResponse>();

  return {
    handler: (req, res, next) => {
      const service = serviceFor(req.path, embedded);
      const forward = service && forwards.get(service);
      if (!forward) return isNoPage(req.path) ? next(notFound(`${req.method} ${req.path}`)) : next();
      const leave = gateOf(req, service).enter();
      if (service === 'realtime') {
        polls.add(res);
        res.once('close', () => polls.delete(res));
      }
      void forward.handler(req, res, next).finally(leave);
    },
    drain: () => {
      for (const res of polls)
        if (!res.headersSent) sendProblem(res, unavailable('This part of Beltway is stopping.', 1));
    },
    close: () => forwards.forEach((forward) => forward.close()),
  };
}
