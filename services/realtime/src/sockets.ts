import { randomBytes } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { Server, type DefaultEventsMap, type Socket } from 'socket.io';
import type { ChatClientMessages, ChatServerMessages } from '@beltway/contracts/realtime/chat';
import type { ClientMessages, ServerMessages } from '@beltway/contracts/realtime/socket';
import { TokenEnded, type Authenticator, type Caller } from '@beltway/kit/auth';
import { gauge } from '@beltway/kit/metrics';
import { asProblem } from '@beltway/kit/problems';
import type { FanOut } from './fan-out.ts';
import { packetBudget } from './flood.ts';
import { ourOrigin } from './origins.ts';

interface SocketData {
  caller?: Caller;
  /**
   * The token had already expired when the socket connected. The socket is therefore a guest's, and the page is
   * informed.
   */
  isExpired?: true;
}
type FromPages = ClientMessages & ChatClientMessages;
type ToPages = ServerMessages & ChatServerMessages;
export type RealtimeServer = Server<FromPages, ToPages, DefaultEventsMap, SocketData>;
export type RealtimeSocket = Socket<FromPages, ToPages, DefaultEventsMap, SocketData>;

/** Maximum size of a message. The longest valid message has the ids of all events that a page lists. */
const MAX_MESSAGE_BYTES = 16_384;

/**
 * Limits on packets and bytes buffered for a page that does not read them. Above either limit, the page is
 * disconnected. The page then reconnects and fetches again, which is all that the messages would have made it do. The
 * longest response, 200 messages of a chat, has about 400 kB.
 */
const MAX_WAITING_PACKETS = 2_000;
const MAX_WAITING_BYTES = 900_000;

const connected = gauge('realtime_connections', 'Browsers connected to this instance');

export interface SocketsDeps {
  auth: Pick<Authenticator, 'verify'>;
  publicUrl: string;
  /** Forwards what is sent to a room to the other instances. Missing if there is only one instance. */
  adapter?: FanOut;
  /** A client that connects and sends nothing is disconnected after this time. Default 10 s. */
  connectMs?: number | undefined;
}

/**
 * socket.io at `/socket.io`, for pages of this site only. A token is optional. An expired token opens a guest's socket;
 * the page is informed (`token-expired`) and may send a fresh token later. An invalid token is refused. A session id
 * begins with the id of this instance, so that a gateway can route each long poll. For polling, the gateway keeps a
 * browser with one instance.
 */
export function openSockets({ auth, publicUrl, adapter, connectMs = 10_000 }: SocketsDeps): RealtimeServer {
  const isOurs = ourOrigin(publicUrl);
  const io: RealtimeServer = new Server({
    path: '/socket.io',
    ...(adapter && { adapter }),
    serveClient: false,
    // Compressing each small message costs more memory per connection than it saves on the wire.
    perMessageDeflate: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: connectMs,
    allowRequest: ({ headers }, decide) => decide(null, isOurs(headers.origin)),
  });

  const identify = async (socket: RealtimeSocket, next: (error?: Error) => void) => {
    const { token } = socket.handshake.auth as { token?: unknown };
    if (token === undefined || token === null) return next();
    try {
      socket.data.caller = await auth.verify(typeof token === 'string' ? token : '');
      next();
    } catch (error) {
      if (error instanceof TokenEnded) {
        socket.data.isExpired = true;
        return next();
      }
      const { code, message } = asProblem(error);
      next(Object.assign(new Error(message), { data: { code } }));
    }
  };
  io.use((socket, next) => void identify(socket, next));
  return io;
}

/** Maximum fragments of one WebSocket message. Browsers do not fragment short messages. */
const MAX_FRAGMENTS = 16;

/** How long a browser may take to complete the closing handshake of its WebSocket. */
const GOODBYE_MS = 1_000;

/** The events that engine.io and ws emit for a connection. */
interface Connection {
  on(event: 'packet' | 'close' | 'upgrade', heard: () => void): void;
  on(event: 'packetCreate', heard: (packet: { data?: unknown }) => void): void;
  on(event: 'flush', heard: () => void): void;
  writeBuffer: unknown[];
  /** Has a `socket` if the transport is a WebSocket. */
  transport: {
    socket?: { terminate(): void; bufferedAmount?: number; on(event: 'ping' | 'pong', heard: () => void): void };
  };
  close(discard?: boolean): void;
}

const bytesOf = ({ data }: { data?: unknown }): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : data instanceof Uint8Array ? data.byteLength : 0;

/** Disconnects a page that reads slower than messages are sent, before the buffer exceeds its limit. */
function boundWaiting(connection: Connection): void {
  /** Bytes of packets not passed to the transport yet. */
  let bytes = 0;
  connection.on('flush', () => void (bytes = 0));
  connection.on('packetCreate', (packet) => {
    bytes += bytesOf(packet);
    const isBelow = bytes + (connection.transport.socket?.bufferedAmount ?? 0) <= MAX_WAITING_BYTES;
    if (isBelow && connection.writeBuffer.length < MAX_WAITING_PACKETS) return;
    cutOff(connection);
  });
}

/**
 * Also terminates the TCP connection, because a client that floods us or reads nothing will not complete a closing
 * handshake.
 */
function cutOff(connection: Connection): void {
  connection.close(true);
  connection.transport.socket?.terminate();
}

/**
 * Terminates the TCP connection soon after a close. Otherwise the server would read from the connection for half a
 * minute more while waiting for the closing handshake.
 */
function boundGoodbye(connection: Connection): void {
  connection.on('close', () => {
    const { socket } = connection.transport;
    if (socket) setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  });
}

/** Disconnects a client that exceeds the packet rate. WebSocket frames that do not form a packet also count. */
function boundComing(connection: Connection): void {
  const within = packetBudget();
  const count = () => within() || cutOff(connection);
  const countFrames = () => {
    for (const frame of ['ping', 'pong'] as const) connection.transport.socket?.on(frame, count);
  };
  connection.on('packet', count);
  connection.on('upgrade', countFrames);
  countFrames();
}

/** Binds the sockets to the HTTP server before it listens. `instance`: the id of this instance. */
export function attachSockets(io: RealtimeServer, server: HttpServer, instance: string): void {
  io.attach(server);
  // engine.io creates its WebSocket server when it listens, and has no option for these settings.
  server.once('listening', () => {
    const { ws } = io.engine as unknown as { ws?: { options?: { maxFragments?: number } } };
    if (ws?.options) ws.options.maxFragments = MAX_FRAGMENTS;
  });
  io.engine.generateId = () => `${instance}.${randomBytes(15).toString('base64url')}`;
  // Bound to the connection and not the socket, so that packets before a socket is accepted also count.
  io.engine.on('connection', (connection: Connection) => {
    boundComing(connection);
    boundWaiting(connection);
    boundGoodbye(connection);
    connection.on('close', () => connected.set(io.engine.clientsCount));
    connected.set(io.engine.clientsCount);
  });
}

/**
 * Terminates every connection without a close message. After a close message, a client would not reconnect. After a
 * broken connection, a client reconnects to another instance.
 */
export const closeSockets = (io: RealtimeServer): Promise<void> => io.close();
