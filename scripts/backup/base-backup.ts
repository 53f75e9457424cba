import { Client, type Connection } from 'pg';
import { StartError } from '../launcher/start-error.ts';

/** Takes the archive piece by piece; its promise resolves when there is room for more. */
export interface ArchiveSink {
  /** So many bytes are to come, about. */
  expect: (bytes: number) => void;
  write: (chunk: Buffer) => Promise<void>;
}

/** First byte of a `CopyData` message of a base backup. */
const NEW_ARCHIVE = 'n'.charCodeAt(0);
const MANIFEST = 'm'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);

const BACKUP = `BASE_BACKUP (LABEL 'beltway', CHECKPOINT 'fast', WAL true, PROGRESS true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`;

/** Number of columns, then for each the length and the text: of the rows before the archive the one with a size ends in it. */
const SIZE_COLUMN = 2;

/**
 * Reads the whole server, all databases as they are at the end of it and the write-ahead log to get there, as one tar archive by
 * the replication protocol: what `pg_basebackup` does, which the embedded PostgreSQL is not delivered with. The server goes on
 * meanwhile, and checks each page that it sends. `url`: as a superuser, on a server that listens here. Resolves with the server's
 * manifest of its files (JSON). Rejects when the connection breaks, a page is damaged, or the sink fails.
 * https://www.postgresql.org/docs/18/protocol-replication.html
 */
export async function baseBackup(url: string, sink: ArchiveSink): Promise<Buffer> {
  const client = new Client({ connectionString: url, replication: 'true', connectionTimeoutMillis: 10_000 } as object);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // While this connection lasts, no log is removed that the copy needs.
    await client.query(`CREATE_REPLICATION_SLOT beltway_backup_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`);
    return await new Promise<Buffer>((resolve, reject) => {
      client.once('end', () => reject(new Error('The database ended the connection.')));
      client.query(receiver(sink, resolve, reject));
    });
  } finally {
    // Without its last words where it is in the middle of the archive: nobody would read them.
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
      // A copy: the reader of messages uses its memory again.
      const data = Buffer.from(chunk.subarray(1));
      if (part === MANIFEST) return void manifest.push(data);
      connection.stream.pause();
      // What was read with it is handed over before the pause counts: each waits for the one before.
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
