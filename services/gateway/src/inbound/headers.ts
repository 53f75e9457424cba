import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TRACEPARENT } from '@beltway/tracing';

/**
 * Headers that a client must not set. Names with `_` are included, because servers that turn headers into variables
 * treat `_` like `-`. `traceparent` is reserved because `request-spans.ts` decides which traces are recorded.
 */
const RESERVED =
  /^(x-user-|x-internal-|x-forwarded-|x-original-|x-rewrite-|x-request-id$|x-real-ip$|forwarded$|via$|traceparent$|tracestate$|baggage$)/;

/**
 * Only account calls get cookies. Browsers send `__Host-` cookies to every path, and no service except identity may see
 * them.
 */
const READS_COOKIES = /^\/api\/auth\//;

/** Hop-by-hop headers (RFC 9110, 7.6.1). Node itself writes `transfer-encoding`. */
const HOP_BY_HOP = ['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'proxy-authorization'];
/** Headers that stay even if the client lists them in `Connection`. */
const KEPT = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', 'cookie', 'origin', 'expect']);

/**
 * The client's IP address. Without proxies of ours, it is the address of the socket. Behind `trustedHops` proxies, it
 * is the entry of `X-Forwarded-For` that the outermost proxy wrote. A list with fewer entries did not pass through all
 * proxies and may be forged, so the socket's address is used instead.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const socket = req.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return socket;
  const chain = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const seen = chain.at(-trustedHops);
  return seen !== undefined && isIP(seen) ? seen : socket;
}

/** True when no header shows that a proxy forwarded the request. Call it before `cleanHeaders`. */
export const cameDirectly = ({ headers }: IncomingMessage): boolean =>
  !Object.keys(headers).some((name) => /^(x-forwarded-|x-real-ip$|forwarded$|via$)/.test(name.replaceAll('_', '-')));

export interface CleanOptions {
  trustedHops: number;
  protocol: string;
  requestId: string;
  /** The `traceparent` header of the request's span, if its trace is recorded. */
  traceparent?: string | undefined;
  /** Keeps `Connection: Upgrade`, which a WebSocket request requires. */
  upgrade?: boolean;
}

/**
 * Removes the headers that a client must not set, then sets our own. Call it before any code that trusts the headers.
 */
export function cleanHeaders(
  req: IncomingMessage,
  { trustedHops, protocol, requestId, traceparent, upgrade = false }: CleanOptions,
): void {
  const { headers } = req;
  const address = clientAddress(req, trustedHops);
  if (!READS_COOKIES.test(req.url ?? '')) delete headers.cookie;
  for (const name of namedInConnection(headers)) delete headers[name];
  for (const name of Object.keys(headers)) if (RESERVED.test(name.replaceAll('_', '-'))) delete headers[name];
  const wanted = headers.upgrade;
  for (const name of HOP_BY_HOP) delete headers[name];
  if (upgrade) Object.assign(headers, { connection: 'Upgrade', upgrade: wanted });
  headers['x-forwarded-for'] = address;
  headers['x-forwarded-proto'] = protocol;
  headers['x-request-id'] = requestId;
  if (traceparent !== undefined) headers[TRACEPARENT] = traceparent;
}

/** The additional headers that `Connection` declares to be hop-by-hop. */
function namedInConnection(headers: IncomingHttpHeaders): string[] {
  return (headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== 'upgrade' && !KEPT.has(name));
}

/** Removes the headers of a service's answer that concern only the connection between the service and the gateway. */
export function cleanAnswer(headers: IncomingHttpHeaders): void {
  for (const name of [...namedInConnection(headers), 'connection', 'proxy-connection', 'keep-alive', 'x-request-id'])
    delete headers[name];
}
