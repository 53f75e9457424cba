import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '@beltway/kit/arriving-bodies';
import { networksOf, type Network } from '@beltway/kit/network';
import { gatesByKey } from '@beltway/kit/overload';
import { HttpProblem } from '@beltway/kit/problems';
import { clientAddress } from './headers.ts';
import { pathOf } from './target.ts';

export interface SenderLimits {
  trustedHops: number;
  requests: number;
  connections: number;
}

/**
 * What one sender (an IPv4 address, an IPv6 /64) may have open at a time, so that none can take the room of all. Who has a /56 or a /48 of IPv6
 * has four and sixteen times that, in whichever /64s.
 */
export interface Senders {
  /** Who sends a request that was admitted, also after its headers were cleaned. */
  nameOf(req: IncomingMessage): string;
  /** Counts the connections of a server; one too many is closed. */
  watchConnections(server: Server): void;
  /** Counts a request until it is answered. Why it may not come in, or undefined. */
  admit(req: IncomingMessage, res: ServerResponse): HttpProblem | undefined;
  /** Counts a request with a large body besides, after its headers were cleaned. Throws when there are too many. */
  admitUpload(req: IncomingMessage, res: ServerResponse): void;
  /** Counts a WebSocket. Why it may not be opened, or undefined. */
  admitSocket(
    address: string,
    socket: { once(event: 'close', listener: () => void): unknown },
  ): HttpProblem | undefined;
}

/** Large bodies at a time: media takes sixteen pictures at once, of everybody. */
const MOST_UPLOADS = 6;

/** Long polls at a time, of pages that get no WebSocket: a gateway has a thousand of them, and four addresses shall not take all. */
const MAX_POLLS = 60;

const tooMany = () =>
  new HttpProblem(429, 'too-many-at-once', 'Too many requests at the same time. Please try again in a second.');

type Enter = ReturnType<typeof gatesByKey>;

/** Into the gates of all these networks, or of none. */
function enterAll(enter: Enter, networks: Network[]): ReturnType<Enter> {
  const entered: Array<() => void> = [];
  const leave = () => entered.forEach((each) => each());
  for (const { name, allowances } of networks) {
    const one = enter(name, allowances);
    if (!one) return void leave();
    entered.push(one);
  }
  return leave;
}

/** A limit of Infinity is none. */
export function senders({ trustedHops, requests, connections }: SenderLimits): Senders {
  const isLimited = Number.isFinite(requests);
  const enterRequest = gatesByKey(requests);
  const enterNotice = gatesByKey(requests);
  const enterPoll = gatesByKey(isLimited ? MAX_POLLS : Infinity);
  const enterUpload = gatesByKey(isLimited ? MOST_UPLOADS : Infinity);
  const enterConnection = gatesByKey(connections);
  const enterSocket = gatesByKey(connections);
  const names = new WeakMap<IncomingMessage, string>();
  // The provider's notices are counted apart, and so are polls: they and what else comes from an address do not keep each other out.
  const gateOf = (url = '') => {
    const path = pathOf(url);
    if (path === '/api/stripe/webhook') return enterNotice;
    return path.startsWith('/socket.io/') ? enterPoll : enterRequest;
  };

  return {
    nameOf: (req) => names.get(req)!,
    watchConnections(server) {
      // Behind proxies of ours, a connection is theirs and not a visitor's.
      if (trustedHops > 0 || !Number.isFinite(connections)) return;
      server.on('connection', (socket: Socket) => {
        const leave = enterAll(enterConnection, networksOf(socket.remoteAddress ?? 'unknown'));
        if (leave) socket.once('close', leave);
        else socket.destroy();
      });
    },
    admit(req, res) {
      const networks = networksOf(clientAddress(req, trustedHops));
      names.set(req, networks[0]!.name);
      if (!isLimited) return undefined;
      const leave = enterAll(gateOf(req.url), networks);
      if (!leave) {
        if (hasBody(req)) res.setHeader('connection', 'close');
        return tooMany();
      }
      res.once('close', leave);
      return undefined;
    },
    admitUpload(req, res) {
      const leave = enterAll(enterUpload, networksOf(String(req.headers['x-forwarded-for'])));
      if (!leave) {
        res.setHeader('connection', 'close');
        throw tooMany();
      }
      res.once('close', leave);
    },
    admitSocket(address, socket) {
      const leave = enterAll(enterSocket, networksOf(address));
      if (!leave) return tooMany();
      socket.once('close', leave);
      return undefined;
    },
  };
}
