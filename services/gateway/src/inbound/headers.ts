import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TRACEPARENT } from '@beltway/tracing';

/**
 * Headers that a client must not set, also spelt with `_`: servers that read headers as variables take it for `-`. Which traces are recorded is
 * decided here (`request-spans.ts`).
 */
const RESERVED =
  /^(x-user-|x-internal-|x-forwarded-|x-original-|x-rewrite-|x-request-id$|x-real-ip$|forwarded$|via$|traceparent$|tracestate$|baggage$)/;

/** Calls of accounts: `__Host-` cookies are sent to every path, and no other service may see them. */
const READS_COOKIES = /^\/api\/auth\//;

/** For one connection only (RFC 9110, 7.6.1). The framing, `transfer-encoding`, is Node's to write anew. */
const HOP_BY_HOP = ['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'proxy-authorization'];
/** These a client cannot have dropped by naming them in `Connection`. */
const KEPT = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', 'cookie', 'origin', 'expect']);

/**
 * The client's address: the socket's, or, with `trustedHops` proxies of ours in front, the entry of `X-Forwarded-For`
 * that the outermost of them wrote. A list that is too short did not come through all of them and may be the client's
 * own, so then the socket counts.
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

/** True when no header says that a proxy forwarded the request. To be called before `cleanHeaders`. */
export const cameDirectly = ({ headers }: IncomingMessage): boolean =>
  !Object.keys(headers).some((name) => /^(x-forwarded-|x-real-ip$|forwarded$|via$)/.test(name.replaceAll('_', '-')));

export interface CleanOptions {
  trustedHops: number;
  protocol: string;
  requestId: string;
  /** Of the request's span, where its trace is recorded. */
  traceparent?: string | undefined;
  /** A WebSocket's `Connection: Upgrade` is the request itself. */
  upgrade?: boolean;
}

/** Removes the headers that a client must not set, then sets ours. Runs before anything else reads the headers. */
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

/** The further headers that `Connection` names. */
function namedInConnection(headers: IncomingHttpHeaders): string[] {
  return (headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== 'upgrade' && !KEPT.has(name));
}

/** Removes from a service's answer what concerns only its connection to us. */
export function cleanAnswer(headers: IncomingHttpHeaders): void {
  for (const name of [...namedInConnection(headers), 'connection', 'proxy-connection', 'keep-alive', 'x-request-id'])
    delete headers[name];
}
