import { Client, type Connection } from 'pg';
import { StartError } from '../launcher/start-error.ts';

/** Receives the archive in chunks. The promise of `write` resolves when there is room for more. */
export interface ArchiveSink {
  /** Approximate number of bytes to come. */
  expect: (bytes: number) => void;
  write: (chunk: Buffer) => Promise<void>;
}

/** The first byte of a base backup's `CopyData` message gives its kind. */
const NEW_ARCHIVE = 'n'.charCodeAt(0);
const MANIFEST = 'm'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);

const BACKUP = `BASE_BACKUP (LABEL 'beltway', CHECKPOINT 'fast', WAL true, PROGRESS true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`;

/** The row with the size precedes the archive: the number of columns, then the length and the text of each column. */
const SIZE_COLUMN = 2;

/**
 * Reads the whole server as one tar archive over the replication protocol: all databases as of the end of the copy,
 * with the write-ahead log that restores this state. `pg_basebackup` does the same, but the embedded PostgreSQL does
 * not include that program. The server keeps running, and verifies each page that it sends. `url`: a superuser of a
 * server on this machine. Resolves with the server's manifest of its files (JSON). Rejects if the connection breaks, a
 * page is damaged, or the sink fails. https://www.postgresql.org/docs/18/protocol-replication.html
 */
export async function baseBackup(url: string, sink: ArchiveSink): Promise<Buffer> {
  const client = new Client({ connectionString: url, replication: 'true', connectionTimeoutMillis: 10_000 } as object);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // While this connection is open, the server removes no log that the copy needs.
    await client.query(`CREATE_REPLICATION_SLOT beltway_backup_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`);
    return await new Promise<Buffer>((resolve, reject) => {
      client.once('end', () => reject(new Error('The database ended the connection.')));
      client.query(receiver(sink, resolve, reject));
    });
  } finally {
    // Closes the connection without a Terminate message, which the server would not read in the middle of the archive.
    (client as unknown as { connection: Connection }).connection.stream.destroy();
  }
}

function receiver(sink: ArchiveSink, resolve: (manifest: Buffer) => void, reject: (error: unknown) => void) {
  const manifest: Buffer[] = [];
  let part = 0;
  let archives = 0;
  let writing = Promise.resolve();
  return {
    submit: (connection: Connection) => void connection.query(BACKUP),
    handleDataRow: ({ fields }: { fields: Array<string | null> }) => {
      const size = fields[SIZE_COLUMN];
      if (fields.length > SIZE_COLUMN && size) sink.expect(Number(size) * 1024);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }, connection: Connection) => {
      const kind = chunk[0]!;
      if (kind === NEW_ARCHIVE || kind === MANIFEST) part = kind;
      if (kind === NEW_ARCHIVE && ++archives > 1)
        reject(new StartError('The database has a tablespace outside of its folder, which a backup does not hold.'));
      if (kind !== DATA) return;
      // Copies the data, because the message parser reuses its memory.
      const data = Buffer.from(chunk.subarray(1));
      if (part === MANIFEST) return void manifest.push(data);
      connection.stream.pause();
      // More messages of the same chunk arrive before the pause takes effect, so writes are chained.
      writing = writing.then(() => sink.write(data)).then(() => void connection.stream.resume());
      writing.catch(reject);
    },
    handleReadyForQuery: () => void writing.then(() => resolve(Buffer.concat(manifest)), reject),
    handleError: reject,
    handleRowDescription: () => undefined,
    handleCommandComplete: () => undefined,
    handleEmptyQuery: () => undefined,
    handlePortalSuspended: () => undefined,
  };
}
