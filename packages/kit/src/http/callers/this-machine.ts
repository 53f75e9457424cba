import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isLoopback, namesThisMachine } from './loopback.ts';
import { HttpProblem } from '../problems.ts';

/** The gateway sets this header on requests from this machine. It removes `x-internal-*` headers that clients send. */
export const FROM_THIS_MACHINE = 'x-internal-this-machine';

/**
 * True if the request arrived over loopback and for one of the machine's own names. Another name means DNS rebinding by
 * a page of another site. Does not detect proxies on this machine.
 */
export const cameOverLoopback = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopback(socket.remoteAddress ?? '') && namesThisMachine(headers.host ?? '');

/**
 * The check for a service: a request through the gateway must have reached the gateway from this machine, without a
 * proxy.
 */
export const isFromThisMachine = (req: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  cameOverLoopback(req) && (req.headers['x-forwarded-for'] === undefined || req.headers[FROM_THIS_MACHINE] === '1');

/**
 * True if the browser reports that a page of another origin, including another port of this machine, made the request.
 * Following a link is allowed, because the linking page cannot read the response
 * (https://www.w3.org/TR/fetch-metadata/, "resource isolation policy").
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

/** Rejects requests from other machines with 403. */
export const thisMachineOnly: RequestHandler = (req, _res, next) => {
  if (!isFromThisMachine(req)) throw new HttpProblem(403, 'this-machine-only');
  next();
};

/** Rejects requests for names other than the machine's own with 403, to prevent DNS rebinding. */
export const ownNamesOnly: RequestHandler = ({ headers }, _res, next) => {
  if (!namesThisMachine(headers.host ?? '')) throw new HttpProblem(403, 'this-machine-only.name');
  next();
};

/** Rejects requests by scripts, forms and frames of other origins with 403. */
export const sameOriginOnly: RequestHandler = (req, _res, next) => {
  if (isCrossOrigin(req)) throw new HttpProblem(403, 'cross-site');
  next();
};
