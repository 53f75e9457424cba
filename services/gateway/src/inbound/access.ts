import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '@beltway/kit/logger';
import { gauges, observeRequest } from '@beltway/kit/metrics';
import { network } from '@beltway/kit/network';
import { problemCodeOf } from '@beltway/kit/problems';
import { requestLog } from '@beltway/kit/request-log';
import { recordRefusal } from '@beltway/kit/security-log';
import type { RouteTable } from '../routes/table.ts';
import { pathOf } from './target.ts';

/** Lines a second; what goes beyond is counted by status in one line. Some 200 kB a second. */
const LINES = 1_000;
/** As nginx calls it: the client left before it had an answer. */
const CLIENT_LEFT = 499;

interface Noted {
  requestId: string;
  /** Known before the end where the way of the request knows its row. */
  route?: string;
}

/** On the answer itself: a weak map would cost as much as all the rest. */
const NOTED = Symbol('noted');
type Observed = ServerResponse & { [NOTED]?: Noted };

const sockets = new WeakMap<Duplex, number>();
const open = new Set<Duplex>();

gauges({ websockets_open: 'WebSockets that browsers have open at this gateway' }, [], () => [
  { values: { websockets_open: open.size } },
]);

/** The id of a request that `begin` was called for. */
export const requestIdOf = (res: ServerResponse): string => (res as Observed)[NOTED]?.requestId ?? randomUUID();

/** Saves looking for the row of a request whose row is known. */
export function noteRoute(res: ServerResponse, route: string): void {
  const one = (res as Observed)[NOTED];
  if (one) one.route = route;
}

/** What a WebSocket was answered with. */
export const noteSocket = (socket: Duplex, status: number): void => void sockets.set(socket, status);

export interface Access {
  /** Gives the request an id, and counts and logs it when its answer has ended. */
  begin(req: IncomingMessage, res: ServerResponse): void;
  /** The same for a WebSocket, when it has closed. */
  beginSocket(socket: Duplex): string;
}

/**
 * Counts each request, and writes its line of the access log: when it ended, method, route, status, milliseconds, bytes that
 * went to the client, request id. Of what a client wrote nothing stands there but the method: no path (a path may hold a
 * ticket's code), no query, no header, no address (docs/decisions/0059). Probes have no line.
 */
export function accessLog(table: RouteTable, log: Logger): Access {
  const line = requestLog(log, LINES);
  return {
    begin(req, res) {
      const one: Noted = { requestId: randomUUID() };
      (res as Observed)[NOTED] = one;
      const started = performance.now();
      const { method = '', url = '', socket } = req;
      const before = socket.bytesWritten;
      res.once('close', () => {
        const ms = performance.now() - started;
        const route = one.route ?? table.labelOf(method, pathOf(url));
        const status = res.headersSent ? res.statusCode : CLIENT_LEFT;
        observeRequest({ method, route, status, seconds: ms / 1_000 });
        if (isProbe(route)) return;
        const code = problemCodeOf(res);
        const from = network(String(req.headers['x-forwarded-for'] ?? socket.remoteAddress ?? 'unknown'));
        if (code !== undefined) recordRefusal({ requestId: one.requestId, route, status, code, from });
        const bytes = socket.bytesWritten - before;
        line({ requestId: one.requestId, method, route, status, ms: Math.round(ms), bytes });
      });
    },
    beginSocket(socket) {
      const requestId = randomUUID();
      const started = performance.now();
      const { bytesWritten: before } = socket as Socket;
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        const ms = Math.round(performance.now() - started);
        const status = sockets.get(socket) ?? CLIENT_LEFT;
        const bytes = (socket as Socket).bytesWritten - before;
        line({ requestId, method: 'GET', route: 'websocket', status, ms, bytes });
      });
      return requestId;
    },
  };
}

const isProbe = (route: string): boolean => /^(\/api)?\/health\b/.test(route);
