import type { PoolClient } from 'pg';

/** The part of pg's connection that we use. */
interface CopyConnection {
  query(text: string): void;
  stream: { pause(): void; resume(): void };
}

export interface CopyOut {
  /** Receives the bytes of each row (PostgreSQL: COPY, Binary Format, Tuples). pg reuses the buffer after the call. */
  onRow: (row: Buffer) => void;
  onEnd: () => void;
  onError: (error: Error) => void;
}

/** Signature, flags and the length of an empty extension. The server sends them in one message with the first row. */
const HEADER_BYTES = 19;
/** The trailer has this value instead of a row's field count. */
const TRAILER = -1;

/** Runs a `copy … to stdout (format binary)`. While paused, the connection does not read from its socket. */
export function copyOut(client: PoolClient, sql: string, { onRow, onEnd, onError }: CopyOut) {
  let skip = HEADER_BYTES;
  let source: CopyConnection | undefined;
  // The interface that a query must have for pg.
  const query = {
    callback: (error?: Error | null) => (error ? onError(error) : onEnd()),
    submit(connection: CopyConnection) {
      source = connection;
      connection.query(sql);
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      const row = chunk.subarray(skip);
      skip = 0;
      if (row.readInt16BE(0) !== TRAILER) onRow(row);
    },
    handleError: onError,
    handleReadyForQuery: onEnd,
    handleCommandComplete: () => undefined,
    handleRowDescription: () => undefined,
  };
  client.query(query as never);
  return { pause: () => source?.stream.pause(), resume: () => source?.stream.resume() };
}
