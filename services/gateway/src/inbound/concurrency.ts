import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '@beltway/kit/arriving-bodies';
import { networksOf, type Network } from '@beltway/kit/network';
import { gatesByKey } from '@beltway/kit/overload';
import { HttpProblem } from '@beltway/kit/problems';
import { GATES, GATE_NAMES, gateOf, type GateBounds, type GateName } from '../routes/gates.ts';
import type { RouteTable } from '../routes/table.ts';
import { clientAddress } from './headers.ts';
import { pathOf } from './target.ts';

export interface ConcurrencyOptions {
  table: RouteTable;
  trustedHops: number;
  /** Maximum concurrent requests of one network. Infinity: not limited. */
  requests: number;
  connections: number;
}

/**
 * Limits the requests and connections that one network (an IPv4 address, an IPv6 /64) has open at a time, so that no
 * network can use up the whole capacity. All networks of an IPv6 /56 together may have four times as many, and those of
 * a /48 sixteen times.
 */
export interface ConcurrencyLimits {
  /** The network that sent an admitted request. Works even after the request's headers were cleaned. */
  networkOf(req: IncomingMessage): string;
  /** Counts the connections of a server and closes excess ones. */
  watchConnections(server: Server): void;
  /** Counts a request until it is answered. Returns the refusal, or undefined. */
  admit(req: IncomingMessage, res: ServerResponse): HttpProblem | undefined;
  /**
   * Counts a request with a large body a second time, among uploads. Call it after the headers were cleaned. Throws
   * when the network has too many uploads.
   */
  admitUpload(req: IncomingMessage, res: ServerResponse): void;
  /** Counts a WebSocket. Returns the refusal, or undefined. */
  admitSocket(
    address: string,
    socket: { once(event: 'close', listener: () => void): unknown },
  ): HttpProblem | undefined;
}

/**
 * Maximum concurrent uploads (large bodies) of one network. Media processes sixteen pictures at a time for all
 * visitors.
 */
const MAX_UPLOADS = 6;

/**
 * Maximum concurrent long polls of one network. A gateway allows a thousand, and a few IP addresses must not use up all
 * of them.
 */
const MAX_POLLS = 60;

const tooMany = () => new HttpProblem(429, 'too-many-at-once');

type Enter = ReturnType<typeof gatesByKey>;

/** Enters the gate of each of these networks. If one gate is full, enters none. */
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

export function concurrencyLimits({
  table,
  trustedHops,
  requests,
  connections,
}: ConcurrencyOptions): ConcurrencyLimits {
  const isLimited = Number.isFinite(requests);
  const enterRequest = gatesByKey(requests);
  const ownGates = new Map<GateName, Enter>(
    GATE_NAMES.map((name) => {
      const { each = requests }: GateBounds = GATES[name];
      return [name, gatesByKey(isLimited ? each : Infinity)];
    }),
  );
  const enterPoll = gatesByKey(isLimited ? MAX_POLLS : Infinity);
  const enterUpload = gatesByKey(isLimited ? MAX_UPLOADS : Infinity);
  const enterConnection = gatesByKey(connections);
  const enterSocket = gatesByKey(connections);
  const names = new WeakMap<IncomingMessage, string>();
  // Calls with a gate, long polls and other requests of an IP address are counted separately, so that none of these
  // kinds blocks the others.
  const doorOf = ({ method = '', url = '' }: IncomingMessage) => {
    const path = pathOf(url);
    const route = table.find(method, path);
    const own = gateOf(route, path.length + 1 < url.length);
    if (own) return ownGates.get(own)!;
    return !route && table.serviceFor(path) === 'realtime' ? enterPoll : enterRequest;
  };

  return {
    networkOf: (req) => names.get(req)!,
    watchConnections(server) {
      // Behind our own proxies, a connection belongs to a proxy, not to a visitor.
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
      const leave = enterAll(doorOf(req), networks);
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
