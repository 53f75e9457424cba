import type { PoolClient } from 'pg';

/** What we use of pg's connection. */
interface CopyConnection {
  query(text: string): void;
  stream: { pause(): void; resume(): void };
}

export interface CopyOut {
  /** Gets the bytes of each row (PostgreSQL: COPY, Binary Format, Tuples); they are pg's and are used again after the call. */
  onRow: (row: Buffer) => void;
  onEnd: () => void;
  onError: (error: Error) => void;
}

/** Signature, flags and the length of an empty extension: before the first row, in one message with it. */
const HEADER_BYTES = 19;
/** The trailer stands where the next row would have its number of fields. */
const TRAILER = -1;

/** Runs a `copy … to stdout (format binary)`. The connection does not read from the socket while it is paused. */
export function copyOut(client: PoolClient, sql: string, { onRow, onEnd, onError }: CopyOut) {
  let skip = HEADER_BYTES;
  let source: CopyConnection | undefined;
  // The shape that pg asks of a query it did not make.
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
