import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isLoopback, namesThisMachine } from './loopback.ts';
import { HttpProblem } from '../problems.ts';

/** The gateway says by it that a request came from this machine; a client's own `x-internal-*` headers are taken away. */
export const FROM_THIS_MACHINE = 'x-internal-this-machine';

/**
 * Over loopback and to one of the machine's own names: another name means that a page elsewhere had its address pointed here
 * (DNS rebinding). Says nothing of proxies on this machine.
 */
export const cameOverLoopback = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopback(socket.remoteAddress ?? '') && namesThisMachine(headers.host ?? '');

/** The same for a service: what comes by way of the gateway must have come to it from this machine, and from no proxy. */
export const isFromThisMachine = (req: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  cameOverLoopback(req) && (req.headers['x-forwarded-for'] === undefined || req.headers[FROM_THIS_MACHINE] === '1');

/**
 * Whether a browser says that a page of another origin asks, of another port of this machine too. Following a link is not asking: what it
 * answers no other page can read (https://www.w3.org/TR/fetch-metadata/, "resource isolation policy").
 */
export function isCrossOrigin({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined) {
    const { origin, host } = headers;
    return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
  }
  if (site === 'same-origin' || site === 'none') return false;
  const isLink =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !isLink;
}

/** 403 for all but this machine. */
export const thisMachineOnly: RequestHandler = (req, _res, next) => {
  if (!isFromThisMachine(req)) throw new HttpProblem(403, 'this-machine-only');
  next();
};

/** 403 for requests to another name than the machine's own, which another site's page may have pointed here (DNS rebinding). */
export const ownNamesOnly: RequestHandler = ({ headers }, _res, next) => {
  if (!namesThisMachine(headers.host ?? '')) throw new HttpProblem(403, 'this-machine-only.name');
  next();
};

/** 403 for scripts, forms and frames of other pages. */
export const sameOriginOnly: RequestHandler = (req, _res, next) => {
  if (isCrossOrigin(req)) throw new HttpProblem(403, 'cross-site');
  next();
};
