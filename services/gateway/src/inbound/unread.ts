import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { crowd } from '@beltway/kit/crowd';
import { counter, gauges } from '@beltway/kit/metrics';
import { network, siteOf } from '@beltway/kit/network';
import { clientAddress } from './headers.ts';

const MB = 1_048_576;

/**
 * Limits on the bytes that this process buffers because clients have not read them. The largest answer kept in memory
 * has 2 MB.
 */
export const UNREAD = {
  /** Four of the largest answers. A connection exceeds the limit only by requesting repeatedly without reading. */
  connection: 8 * MB,
  /** Limit of a site: an IPv4 address or an IPv6 /48. */
  site: 32 * MB,
  /** A third of the memory that a gateway gets (k8s/base/gateway.yaml). */
  all: 256 * MB,
};

const cut = counter('unread_connections_closed_total', 'Connections closed because their answers were not read');
const open = new Set<() => number>();
gauges({ unread_bytes: 'Bytes of answers that wait for clients to read them' }, [], () => [
  { values: { unread_bytes: [...open].reduce((sum, bytes) => sum + bytes(), 0) } },
]);

export interface UnreadAnswers {
  /** Counts the unread bytes of an answer. Call it before the first write. */
  watch(req: IncomingMessage, res: ServerResponse): void;
  /** Counts the unread bytes of an answer that has ended and was not watched. */
  noteEnded(req: IncomingMessage, res: ServerResponse): void;
  close(): void;
}

interface Watched {
  socket: Socket;
  address: string;
  isCounted: boolean;
}
const WATCHED = Symbol('unread');
type Answer = ServerResponse & { [WATCHED]?: Watched };

/**
 * Limits the bytes buffered for clients that do not read. The gateway handles pipelined requests as fast as it can
 * parse them, and each answer waits in memory until the previous one is sent. Beyond a limit the gateway closes
 * connections. Beyond a site's limit, it closes the oldest of that site; beyond the total limit, the oldest of the site
 * with the most bytes.
 */
export function unreadAnswers(trustedHops: number, bounds = UNREAD): UnreadAnswers {
  const waiting = crowd<Answer>();
  const ofConnection = new Map<Socket, Set<Answer>>();
  const { write, end } = ServerResponse.prototype;

  function forget(res: Answer): void {
    if (!waiting.remove(res)) return;
    const { socket } = res[WATCHED]!;
    const own = ofConnection.get(socket)!;
    own.delete(res);
    if (own.size === 0) ofConnection.delete(socket);
  }

  const siteIn = ({ [WATCHED]: watched }: Answer): string => siteOf(network(watched!.address));

  function cutOff({ [WATCHED]: watched }: Answer): void {
    const { socket } = watched!;
    for (const res of [...(ofConnection.get(socket) ?? [])]) forget(res);
    cut.inc();
    socket.destroy();
  }

  /** Counts the bytes of a site again, because its clients may have read some of them since the last count. */
  function countAgain(site: string): void {
    for (const res of [...waiting.of(site)])
      if (res.writableLength === 0) forget(res);
      else waiting.set(res, site, res.writableLength);
  }

  function count(res: Answer): void {
    const watched = res[WATCHED]!;
    const { socket } = watched;
    if (socket.destroyed) return;
    const site = siteIn(res);
    waiting.set(res, site, res.writableLength);
    const own = ofConnection.get(socket) ?? new Set();
    ofConnection.set(socket, own.add(res));
    if (!watched.isCounted) res.once('close', () => forget(res));
    watched.isCounted = true;

    // The length of a connection's first answer includes the connection's own buffer; the lengths of later answers do
    // not.
    const unread = [...own].reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (unread > bounds.connection) return cutOff(res);
    if (waiting.weight(site) > bounds.site) countAgain(site);
    while (waiting.weight(site) > bounds.site) cutOff(waiting.oldestOf(site)!);
    while (waiting.weight() > bounds.all) {
      countAgain(siteIn(waiting.oldestOfMost()!));
      if (waiting.weight() > bounds.all) cutOff(waiting.oldestOfMost()!);
    }
  }

  // One function for all answers, so that watching an answer creates no closure.
  function countedWrite(this: Answer, ...given: Parameters<typeof write>): boolean {
    const isTaken = write.apply(this, given);
    if (!isTaken) count(this);
    return isTaken;
  }
  function countedEnd(this: Answer, ...given: unknown[]): Answer {
    end.apply(this, given as Parameters<typeof end>);
    if (this.writableLength > 0) count(this);
    return this;
  }

  const bytes = () => waiting.weight();
  open.add(bytes);
  return {
    watch(req, res: Answer) {
      res[WATCHED] = { socket: req.socket, address: clientAddress(req, trustedHops), isCounted: false };
      res.write = countedWrite as typeof res.write;
      res.end = countedEnd as typeof res.end;
    },
    noteEnded(req, res: Answer) {
      if (res.writableLength === 0) return;
      res[WATCHED] = { socket: req.socket, address: clientAddress(req, trustedHops), isCounted: false };
      count(res);
    },
    close: () => void open.delete(bytes),
  };
}

/** Limits how many unfinished answers wait for slow readers, over all readers. Beyond `max`, closes the oldest answer of the client with the most. */
export function slowReaders(max: number): { add(req: IncomingMessage, res: ServerResponse): void } {
  const readers = crowd<ServerResponse>();
  return {
    add(req, res) {
      if (readers.has(res)) return;
      readers.set(res, siteOf(network(String(req.headers['x-forwarded-for']))));
      res.once('close', () => readers.remove(res));
      if (readers.weight() <= max) return;
      const oldest = readers.oldestOfMost()!;
      readers.remove(oldest);
      cut.inc();
      oldest.destroy();
    },
  };
}
