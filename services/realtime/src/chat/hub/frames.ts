import type { Socket as TcpSocket } from 'node:net';
import type { RealtimeSocket } from '../../sockets.ts';

/**
 * Bytes that may wait here for a page that does not take them as fast as they come; beyond, it is skipped, and resumed by sequence when it has
 * taken them (at most this and one more frame: well below 1 MB).
 */
const MAX_WAITING = 256 * 1024;
/** Below this it is resumed. */
const RESUME_BELOW = 32 * 1024;
/** Packets that may wait for a page on another transport, or whose WebSocket is not reachable. */
const MAX_PACKETS = 32;

/** What we know of the private parts of engine.io 6 and ws 8; each is looked at before it is used, and a test pins the versions. */
interface Connection {
  transport?: {
    name?: unknown;
    writable?: unknown;
    socket?: {
      readyState?: unknown;
      extensions?: unknown;
      _socket?: Partial<TcpSocket>;
      _sender?: { _state?: unknown };
    };
  };
  writeBuffer?: { length: number };
}

const connectionOf = (socket: RealtimeSocket) => socket.conn as unknown as Connection;

/** The line of a page below its WebSocket, where nothing of another message can come between: undefined where it is not reachable. */
export function lineOf(socket: RealtimeSocket): TcpSocket | undefined {
  const { transport } = connectionOf(socket);
  if (transport?.name !== 'websocket') return undefined;
  const { socket: ws } = transport;
  const line = ws?._socket;
  if (ws?.readyState !== 1 || typeof line?.write !== 'function' || typeof line.writableLength !== 'number')
    return undefined;
  // Compressed or under way in parts: a frame of ours would come in between.
  if (ws.extensions !== '' || ws._sender?._state !== 0) return undefined;
  return line as TcpSocket;
}

/** A text message as a server sends it (RFC 6455, 5.2): one frame, not masked. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const head = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + bytes);
  frame[0] = 0x81;
  if (head === 2) frame[1] = bytes;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(bytes, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(bytes), 2);
  }
  frame.write(text, head, 'utf8');
  return frame;
}

/** A message to many pages, made once. */
export interface Prepared {
  event: string;
  data: unknown;
  frame: Buffer;
}

/** As socket.io 4 writes an event of the main namespace: engine.io's `4` (message) and its own `2` (event). `json`: of `data`, if it is there. */
export const prepare = (event: string, data: unknown, json: string = JSON.stringify(data)): Prepared => ({
  event,
  data,
  frame: textFrame(`42[${JSON.stringify(event)},${json}]`),
});

const hasPackets = (socket: RealtimeSocket): number => connectionOf(socket).writeBuffer?.length ?? 0;

/** Sends it; false: the page takes nothing just now, and nothing was sent. */
export function send(socket: RealtimeSocket, { event, data, frame }: Prepared): boolean {
  const waiting = hasPackets(socket);
  const line = lineOf(socket);
  if (line) {
    if (line.writableLength! > MAX_WAITING) return false;
    // What was emitted before, and is not written yet, comes first.
    if (waiting === 0 && connectionOf(socket).transport?.writable === true) {
      line.write(frame);
      return true;
    }
  }
  if (waiting >= MAX_PACKETS) return false;
  (socket.emit as (event: string, data: unknown) => void)(event, data);
  return true;
}

/** Whether a page that was skipped has taken what it was sent. */
export function hasDrained(socket: RealtimeSocket): boolean {
  const line = lineOf(socket);
  return hasPackets(socket) === 0 && (line === undefined || line.writableLength! < RESUME_BELOW);
}
