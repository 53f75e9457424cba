import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  body: Buffer;
}

export interface Connection {
  /**
   * Sends a complete request unchanged. Wait for the response before sending the next request. Rejects when the
   * connection breaks.
   */
  send(request: string | Buffer): Promise<Answer>;
  close(): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 16 * 1_024;

/**
 * One HTTP/1.1 keep-alive connection, as cheap as possible, because the load generator shares the machine with the
 * measured system. It reads responses with a `content-length`, chunked responses, and responses without a body (204,
 * 304). It reconnects after the server closed the connection.
 */
export function openConnection(port: number, host = '127.0.0.1'): Connection {
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  const fail = (error: Error) => {
    const failed = waiting;
    waiting = undefined;
    received = Buffer.alloc(0);
    failed?.reject(error);
  };
  const open = (): Socket => {
    const hear = (bytes: number, buffer: Uint8Array): boolean => {
      // The buffer is reused: copy what must be kept.
      const chunk = Buffer.from(buffer.subarray(0, bytes));
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const parsed = parse(received);
      if (parsed && waiting) {
        const { resolve } = waiting;
        waiting = undefined;
        received = received.subarray(parsed.bytes);
        resolve(parsed.answer);
      }
      return true;
    };
    // Bypasses the stream, which would cost more than everything else here.
    const onread = { buffer: Buffer.allocUnsafe(READ_BYTES), callback: hear };
    const fresh = connect({ port, host, noDelay: true, onread });
    fresh.on('error', (error) => socket === fresh && fail(error));
    fresh.on('close', () => {
      if (socket !== fresh) return;
      socket = undefined;
      fail(new Error('the connection was closed before the answer'));
    });
    return fresh;
  };

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket ??= open();
        if (typeof request === 'string') socket.write(request, 'latin1');
        else socket.write(request);
      }),
    close: () => socket?.destroy(),
  };
}

/** A complete answer at the start of `data`; undefined while it is incomplete. */
export function parse(data: Buffer): { answer: Answer; bytes: number } | undefined {
  const end = data.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = data.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const start = end + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const bytes = start + Number(length);
    return data.length < bytes ? undefined : { answer: { status, body: data.subarray(start, bytes) }, bytes };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return chunked(data, start, status);
  if (status === 204 || status === 304) return { answer: { status, body: Buffer.alloc(0) }, bytes: start };
  throw new Error(`an answer without a length:\n${head}`);
}

function chunked(data: Buffer, from: number, status: number): { answer: Answer; bytes: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const line = data.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(data.toString('latin1', at, line), 16);
    const next = line + 2 + size + 2;
    if (data.length < next) return undefined;
    if (size === 0) return { answer: { status, body: Buffer.concat(parts) }, bytes: next };
    parts.push(data.subarray(line + 2, line + 2 + size));
    at = next;
  }
}

/** A request as text: head and body. `headers` are complete lines. */
export function requestOf(method: string, path: string, headers: string[], body?: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers];
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
