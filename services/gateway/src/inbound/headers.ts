import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What a client must not say, however it spells it: servers that read headers as variables take `_` for `-`. */
const OURS = /^(x-user-|x-internal-|x-forwarded-|x-original-|x-rewrite-|x-request-id$|x-real-ip$|forwarded$|via$)/;

/** For one connection only (RFC 9110, 7.6.1). The framing, `transfer-encoding`, is Node's to write anew. */
const ONE_HOP = ['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'proxy-authorization'];
/** These a client cannot have dropped by naming them in `Connection`. */
const KEPT = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', 'cookie', 'origin', 'expect']);

/**
 * Who sends: the socket's address, or what our own proxies in front wrote last. What they wrote must be an address, and there must be one
 * from each of them: a shorter list did not come through all, so a client may have written it.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const socket = req.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return socket;
  const chain = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const said = chain.at(-trustedHops);
  return said !== undefined && isIP(said) ? said : socket;
}

/** No proxy says that it handed this on. Asked before the headers that would say so are taken away. */
export const cameDirectly = ({ headers }: IncomingMessage): boolean =>
  !Object.keys(headers).some((name) => /^(x-forwarded-|x-real-ip$|forwarded$|via$)/.test(name.replaceAll('_', '-')));

export interface Door {
  trustedHops: number;
  protocol: string;
  requestId: string;
  /** A WebSocket's `Connection: Upgrade` is the request itself. */
  upgrade?: boolean;
}

/** Takes away what is not the client's to say, then says it. Runs before anything else reads the headers. */
export function cleanHeaders(req: IncomingMessage, { trustedHops, protocol, requestId, upgrade = false }: Door): void {
  const { headers } = req;
  const address = clientAddress(req, trustedHops);
  for (const name of namedForOneHop(headers)) delete headers[name];
  for (const name of Object.keys(headers)) if (OURS.test(name.replaceAll('_', '-'))) delete headers[name];
  const wanted = headers.upgrade;
  for (const name of ONE_HOP) delete headers[name];
  if (upgrade) Object.assign(headers, { connection: 'Upgrade', upgrade: wanted });
  headers['x-forwarded-for'] = address;
  headers['x-forwarded-proto'] = protocol;
  headers['x-request-id'] = requestId;
}

/** The further headers that `Connection` names. */
function namedForOneHop(headers: IncomingHttpHeaders): string[] {
  return (headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== 'upgrade' && !KEPT.has(name));
}

/** What a service says to us alone. */
export function cleanAnswer(headers: IncomingHttpHeaders): void {
  for (const name of [...namedForOneHop(headers), 'connection', 'proxy-connection', 'keep-alive', 'x-request-id'])
    delete headers[name];
}
