import type { Socket as TcpSocket } from 'node:net';
import type { RealtimeSocket } from '../../sockets.ts';

/**
 * Maximum bytes buffered for a page that reads slower than messages arrive. Above this maximum, the page is skipped.
 * When the buffer has drained, the page resumes by sequence number. The buffer exceeds the maximum by at most one frame
 * and stays well below 1 MB.
 */
const MAX_WAITING = 256 * 1024;
/** A skipped page resumes when less than this is buffered. */
const RESUME_BELOW = 32 * 1024;
/** Maximum packets buffered for a page that uses another transport, or whose WebSocket is not reachable. */
const MAX_PACKETS = 32;

/**
 * The private parts of engine.io 6 and ws 8 that we use. Each part is checked before use, and a test pins the versions
 * of the packages.
 */
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

/**
 * The TCP socket below a page's WebSocket. Undefined if that socket is not reachable, or if our frame could interleave
 * with the frame of another message.
 */
export function lineOf(socket: RealtimeSocket): TcpSocket | undefined {
  const { transport } = connectionOf(socket);
  if (transport?.name !== 'websocket') return undefined;
  const { socket: ws } = transport;
  const line = ws?._socket;
  if (ws?.readyState !== 1 || typeof line?.write !== 'function' || typeof line.writableLength !== 'number')
    return undefined;
  // In a compressed or fragmented stream, our frame would interleave.
  if (ws.extensions !== '' || ws._sender?._state !== 0) return undefined;
  return line as TcpSocket;
}

/** A text message in a single unmasked frame, as a server sends it (RFC 6455, 5.2). */
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

/** A socket message to many pages, encoded once. */
export interface Prepared {
  event: string;
  data: unknown;
  frame: Buffer;
}

/**
 * Encodes an event of the main namespace like socket.io 4: engine.io's `4` (message), then socket.io's `2` (event).
 * `json`: the encoded `data`, if already available.
 */
export const prepare = (event: string, data: unknown, json: string = JSON.stringify(data)): Prepared => ({
  event,
  data,
  frame: textFrame(`42[${JSON.stringify(event)},${json}]`),
});

const hasPackets = (socket: RealtimeSocket): number => connectionOf(socket).writeBuffer?.length ?? 0;

/** Sends a message. If the page's buffer is full, sends nothing and returns false. */
export function send(socket: RealtimeSocket, { event, data, frame }: Prepared): boolean {
  const waiting = hasPackets(socket);
  const line = lineOf(socket);
  if (line) {
    if (line.writableLength! > MAX_WAITING) return false;
    // Packets that were emitted earlier but not written yet must be sent first.
    if (waiting === 0 && connectionOf(socket).transport?.writable === true) {
      line.write(frame);
      return true;
    }
  }
  if (waiting >= MAX_PACKETS) return false;
  (socket.emit as (event: string, data: unknown) => void)(event, data);
  return true;
}

/** Whether the buffer of a skipped page has drained. */
export function hasDrained(socket: RealtimeSocket): boolean {
  const line = lineOf(socket);
  return hasPackets(socket) === 0 && (line === undefined || line.writableLength! < RESUME_BELOW);
}
