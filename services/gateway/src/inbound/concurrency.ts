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
  /** Of one network at a time; Infinity: not limited. */
  requests: number;
  connections: number;
}

/**
 * Limits what one network (an IPv4 address, an IPv6 /64) has open at a time, so that none can take the capacity of all.
 * A /56 and a /48 of IPv6 have four and sixteen times that, in whichever /64s.
 */
export interface ConcurrencyLimits {
  /** The network that sent an admitted request, also after its headers were cleaned. */
  networkOf(req: IncomingMessage): string;
  /** Counts the connections of a server; one too many is closed. */
  watchConnections(server: Server): void;
  /** Counts a request until it is answered. Why it is refused, or undefined. */
  admit(req: IncomingMessage, res: ServerResponse): HttpProblem | undefined;
  /** Counts a request with a large body besides, after its headers were cleaned. Throws when there are too many. */
  admitUpload(req: IncomingMessage, res: ServerResponse): void;
  /** Counts a WebSocket. Why it is refused, or undefined. */
  admitSocket(
    address: string,
    socket: { once(event: 'close', listener: () => void): unknown },
  ): HttpProblem | undefined;
}

/** Large bodies at a time: media takes sixteen pictures at once, of everybody. */
const MAX_UPLOADS = 6;

/** Long polls at a time. A gateway allows a thousand, which a few addresses must not use up. */
const MAX_POLLS = 60;

const tooMany = () => new HttpProblem(429, 'too-many-at-once');

type Enter = ReturnType<typeof gatesByKey>;

/** Enters the gates of all these networks, or none. */
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
  // What has a gate, long polls and other requests of an address are counted separately, so that none of them keeps the
  // others out.
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
