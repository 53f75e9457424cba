import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '@beltway/kit/logger';
import { gauges, observeRequest, type RequestCell } from '@beltway/kit/metrics';
import { network } from '@beltway/kit/network';
import { problemCodeOf } from '@beltway/kit/problems';
import { requestLog } from '@beltway/kit/request-log';
import { recordRefusal } from '@beltway/kit/security-log';
import type { RouteTable } from '../routes/table.ts';
import { pathOf } from './target.ts';

/** Maximum log lines per second, about 200 kB. Beyond it, one line counts the further requests by status. */
const LINES = 1_000;
/** nginx's status code for a client that left before it got an answer. */
const CLIENT_LEFT = 499;

interface Observation {
  requestId: string;
  method: string;
  url: string;
  startedAt: number;
  /** Bytes that the connection had sent before this request. */
  sentBefore: number;
  /** Set when the handler already knows the route. */
  route?: string;
}

/** Stored as a property of the response: a weak map would cost as much as all the other work here. */
const OBSERVATION = Symbol('observation');
type Observed = ServerResponse & { [OBSERVATION]?: Observation };

const sockets = new WeakMap<Duplex, number>();
const open = new Set<Duplex>();

gauges({ websockets_open: 'WebSockets that browsers have open at this gateway' }, [], () => [
  { values: { websockets_open: open.size } },
]);

/** The id that `begin` gave to the request. */
export const requestIdOf = (res: ServerResponse): string => (res as Observed)[OBSERVATION]?.requestId ?? newRequestId();

/** The id of a request that is answered without `begin`. */
export const newRequestId = (): string => randomUUID();

/** Sets the route of a request when the caller already knows it, which saves the lookup. */
export function noteRoute(res: ServerResponse, route: string): void {
  const observed = (res as Observed)[OBSERVATION];
  if (observed) observed.route = route;
}

/** Records the status that the gateway or service sent to a WebSocket request. */
export const noteSocket = (socket: Duplex, status: number): void => void sockets.set(socket, status);

export interface AnsweredNow {
  requestId: string;
  /** The metric that counts the request. */
  cell: RequestCell;
  status: number;
  /** From `performance.now()`. */
  startedAt: number;
  socket: Socket;
  /** Writes the answer. */
  write: () => void;
}

export interface Access {
  /** Gives the request an id, and counts and logs it when its answer has ended. */
  begin(req: IncomingMessage, res: ServerResponse): void;
  /** Counts and logs a request that is answered within this call, at a fraction of the cost of `begin`. */
  answerNow(answered: AnsweredNow): void;
  /** Gives a WebSocket request an id, and counts and logs it when the socket closes. Returns the id. */
  beginSocket(socket: Duplex): string;
}

/**
 * Counts each request and writes its access log line when the request ends: time, method, route, status, milliseconds,
 * bytes sent, request id. The method is the only client input in the line. Path (which may contain a ticket's code),
 * query, headers and IP address are left out (docs/decisions/0059). Probes are not logged.
 */
export function accessLog(table: RouteTable, log: Logger): Access {
  const lines = requestLog(log, LINES);

  /** `this` is the response, so all responses share one function. */
  function end(this: Observed): void {
    const { requestId, method, url, startedAt, sentBefore, route: known } = this[OBSERVATION]!;
    const ms = performance.now() - startedAt;
    const route = known ?? table.labelOf(method, pathOf(url));
    const status = this.headersSent ? this.statusCode : CLIENT_LEFT;
    observeRequest({ method, route, status, seconds: ms / 1_000 });
    if (isProbe(route)) return;
    const { headers, socket } = this.req;
    const code = problemCodeOf(this);
    if (code !== undefined) {
      const from = network(String(headers['x-forwarded-for'] ?? socket.remoteAddress ?? 'unknown'));
      recordRefusal({ requestId, route, status, code, from });
    }
    if (!lines.admits(status)) return;
    const bytes = socket.bytesWritten - sentBefore;
    lines.write({ requestId, method, route, status, ms: Math.round(ms), bytes });
  }

  return {
    begin(req, res: Observed) {
      const { method = '', url = '', socket } = req;
      const startedAt = performance.now();
      res[OBSERVATION] = { requestId: newRequestId(), method, url, startedAt, sentBefore: socket.bytesWritten };
      res.once('close', end);
    },
    answerNow({ requestId, cell, status, startedAt, socket, write }) {
      const isLogged = lines.admits(status);
      const sentBefore = isLogged ? socket.bytesWritten : 0;
      write();
      const ms = performance.now() - startedAt;
      cell.count(ms / 1_000);
      if (!isLogged) return;
      const { method, route } = cell.labels;
      lines.write({ requestId, method, route, status, ms: Math.round(ms), bytes: socket.bytesWritten - sentBefore });
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
        if (lines.admits(status)) lines.write({ requestId, method: 'GET', route: 'websocket', status, ms, bytes });
      });
      return requestId;
    },
  };
}

const isProbe = (route: string): boolean => /^(\/api)?\/health\b/.test(route);
