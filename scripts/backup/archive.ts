import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { StartError } from '../launcher/start-error.ts';
import { DATABASES, DATABASES_MANIFEST, isInside } from './manifest.ts';

/** A folder or a file of the archive; a folder has no content. */
interface Entry {
  path: string;
  content?: AsyncIterable<Buffer>;
}

/** https://www.postgresql.org/docs/18/backup-manifest-format.html */
const ServerManifest = z.object({
  Files: z.array(
    z.object({ Path: z.string(), Size: z.int(), 'Checksum-Algorithm': z.literal('SHA256'), Checksum: z.string() }),
  ),
});

/**
 * The server sends these files after it made the manifest, so the manifest does not list them. The records in these
 * files have their own checksums.
 */
const WRITE_AHEAD_LOG = /^pg_wal\//;

/**
 * Passes each entry of a backup's database archive to `handle`, and compares each file with the server's manifest.
 * Throws a `StartError` for an entry that is missing, different, not in the manifest, or neither file nor folder.
 */
export async function readArchive(folder: string, handle: (entry: Entry) => Promise<void>): Promise<void> {
  const { Files } = ServerManifest.parse(JSON.parse(readFileSync(join(folder, DATABASES_MANIFEST), 'utf8')));
  const expected = new Map(Files.map((file) => [file.Path, file]));
  const damaged = (what: string) => new StartError(`The archive of the databases in ${folder} is damaged: ${what}`);

  const entries = extract();
  const done = pipeline(createReadStream(join(folder, DATABASES)), createGunzip(), entries);
  done.catch(() => undefined);
  for await (const entry of entries) {
    const { name, type } = entry.header;
    const path = name.replace(/^\.\/|\/$/g, '');
    if (path !== '' && path !== '.') {
      if (!isInside(path)) throw damaged(`${path} is outside of it.`);
      if (type === 'directory') await handle({ path });
      else if (type === 'file') {
        const digest = createHash('sha256');
        await handle({ path, content: digested(entry as AsyncIterable<Buffer>, digest) });
        const said = expected.get(path)?.Checksum;
        if (said !== digest.digest('hex') && (said !== undefined || !WRITE_AHEAD_LOG.test(path)))
          throw damaged(`${path} does not match its checksum.`);
        expected.delete(path);
      } else throw damaged(`${path} is a ${type}.`);
    }
    entry.resume();
  }
  await done;
  const [missing] = expected.keys();
  if (missing !== undefined) throw damaged(`${missing} is missing.`);
}

async function* digested(content: AsyncIterable<Buffer>, digest: { update(chunk: Buffer): unknown }) {
  for await (const chunk of content) {
    digest.update(chunk);
    yield chunk;
  }
}
