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
  /** The token that it was opened with had ended: it is a guest's, and is told so. */
  isExpired?: true;
}
type FromPages = ClientMessages & ChatClientMessages;
type ToPages = ServerMessages & ChatServerMessages;
export type RealtimeServer = Server<FromPages, ToPages, DefaultEventsMap, SocketData>;
export type RealtimeSocket = Socket<FromPages, ToPages, DefaultEventsMap, SocketData>;

/** One message, at most. The longest that makes sense names a page of events. */
const MAX_MESSAGE_BYTES = 16_384;

/**
 * Packets and bytes that may lie here for a page that does not take them: beyond either, it is cut off. It connects again and asks anew,
 * which is all a message would have told it to do. The longest answer, 200 messages of a chat, has some 400 kB.
 */
const MAX_WAITING_PACKETS = 2_000;
const MAX_WAITING_BYTES = 900_000;

const connected = gauge('realtime_connections', 'Browsers connected to this instance');

export interface SocketsDeps {
  auth: Pick<Authenticator, 'verify'>;
  publicUrl: string;
  /** Carries what is said to a room to the other instances; without one there is one instance. */
  adapter?: FanOut;
  /** Who has connected and does not say what it wants is cut off. Default 10 s. */
  connectMs?: number | undefined;
}

/**
 * socket.io at `/socket.io`, for pages of this site only. A token is not needed. One that has ended opens a guest's socket, which
 * is told so (`token-expired`) and takes a fresh one later; any other that is not good is refused.
 * Session ids begin with the id of this instance: so a gateway knows whose each long poll is.
 * For polling, the gateway keeps a browser with one instance.
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

/** Parts of one WebSocket message, at most: a browser sends what is as short as ours whole. */
const MAX_FRAGMENTS = 16;

/** So long a browser may take to answer that its WebSocket ends. */
const GOODBYE_MS = 1_000;

/** What engine.io and ws say of a connection. */
interface Connection {
  on(event: 'packet' | 'close' | 'upgrade', heard: () => void): void;
  on(event: 'packetCreate', heard: (packet: { data?: unknown }) => void): void;
  on(event: 'flush', heard: () => void): void;
  writeBuffer: unknown[];
  /** With a socket when it is a WebSocket. */
  transport: {
    socket?: { terminate(): void; bufferedAmount?: number; on(event: 'ping' | 'pong', heard: () => void): void };
  };
  close(discard?: boolean): void;
}

const bytesOf = ({ data }: { data?: unknown }): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : data instanceof Uint8Array ? data.byteLength : 0;

/** Cuts a connection off that takes less than it is sent: before a packet would lie here beyond what may. */
function boundWaiting(connection: Connection): void {
  /** Of packets that the transport has not been given yet. */
  let bytes = 0;
  connection.on('flush', () => void (bytes = 0));
  connection.on('packetCreate', (packet) => {
    bytes += bytesOf(packet);
    const isBelow = bytes + (connection.transport.socket?.bufferedAmount ?? 0) <= MAX_WAITING_BYTES;
    if (isBelow && connection.writeBuffer.length < MAX_WAITING_PACKETS) return;
    cutOff(connection);
  });
}

/** Who floods us or reads nothing answers no goodbye either. */
function cutOff(connection: Connection): void {
  connection.close(true);
  connection.transport.socket?.terminate();
}

/** Ends the line of a connection that was closed: a WebSocket that is owed a goodbye would be read from for half a minute. */
function boundGoodbye(connection: Connection): void {
  connection.on('close', () => {
    const { socket } = connection.transport;
    if (socket) setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  });
}

/** Cuts a connection off that sends more than is decent: packets, or frames of a WebSocket that make none. */
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

/** Binds to the server that answers HTTP, before it listens. `instance`: the id of this one. */
export function attachSockets(io: RealtimeServer, server: HttpServer, instance: string): void {
  io.attach(server);
  // engine.io makes its WebSocket server anew when it listens, and has no option for this.
  server.once('listening', () => {
    const { ws } = io.engine as unknown as { ws?: { options?: { maxFragments?: number } } };
    if (ws?.options) ws.options.maxFragments = MAX_FRAGMENTS;
  });
  io.engine.generateId = () => `${instance}.${randomBytes(15).toString('base64url')}`;
  // On the connection, not the socket: what comes before a socket is let in counts as well.
  io.engine.on('connection', (connection: Connection) => {
    boundComing(connection);
    boundWaiting(connection);
    boundGoodbye(connection);
    connection.on('close', () => connected.set(io.engine.clientsCount));
    connected.set(io.engine.clientsCount);
  });
}

/** Ends every connection without a goodbye: a client that is told to go stays away, one that is cut off connects elsewhere. */
export const closeSockets = (io: RealtimeServer): Promise<void> => io.close();
