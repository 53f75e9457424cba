import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../launcher/start-error.ts';

/** The backup writes this file last. A folder without this file is no backup, or its backup was interrupted. */
export const MANIFEST = 'backup.json';
/** All of PostgreSQL in one archive. */
export const DATABASES = 'postgres.tar.gz';
/** The server's manifest: the files of the archive with their digests. */
export const DATABASES_MANIFEST = 'postgres.manifest.json';
/** The other files of the data folder, with their original paths. */
export const FILES = 'files';

/** Format 1 is from versions before 0.1.0. Later versions cannot read their data. */
const FORMAT = 2;

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Version of Beltway. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  /** The time of the databases' state, or a little later. */
  takenAt: z.iso.datetime(),
  /** Major version of PostgreSQL, such as `18`. Another major version cannot read the databases' files. */
  postgres: z.string(),
  /** Kind of machine, such as `linux-x64`. Another kind of machine cannot read the databases' files. */
  platform: z.string(),
  files: z.array(
    z.object({
      /** Path within the backup, with slashes: `files/secrets.json`. */
      path: z.string(),
      bytes: z.int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;
export type StoredFile = Manifest['files'][number];

export const manifestOf = (rest: Omit<Manifest, 'format' | 'platform'>): Manifest => ({
  format: FORMAT,
  platform: platform(),
  ...rest,
});

const platform = (): string => `${process.platform}-${process.arch}`;

/** Whether a relative path stays inside its folder. */
export const isInside = (path: string): boolean =>
  path !== '' && !path.includes('\\') && !path.split('/').some((part) => part === '' || part === '.' || part === '..');

/**
 * Reads the manifest of a backup. Throws a `StartError` if the folder is not a backup, was interrupted, or was made for
 * another kind of machine.
 */
export function readManifest(folder: string, postgres: string): Manifest {
  const file = join(folder, MANIFEST);
  if (!existsSync(folder)) throw new StartError(`There is no folder ${folder}.`);
  if (!existsSync(file)) {
    throw new StartError(
      existsSync(join(folder, DATABASES))
        ? `The backup in ${folder} was not finished: it has no ${MANIFEST}. Take another one.`
        : `${folder} is no backup: it has no ${MANIFEST}.`,
    );
  }
  let text: unknown;
  try {
    text = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new StartError(`${file} cannot be read: it is not JSON.`);
  }
  if ((text as { format?: unknown } | null)?.format === 1)
    throw new StartError(
      `The backup in ${folder} is of a Beltway version before 0.1.0, whose data cannot be taken over.`,
    );
  const parsed = Manifest.safeParse(text);
  if (!parsed.success || !parsed.data.files.every(({ path }) => isInside(path)))
    throw new StartError(`${file} is not of a backup that this version of Beltway knows.`);
  const manifest = parsed.data;
  if (manifest.postgres !== postgres)
    throw new StartError(
      `The backup was made by Beltway ${manifest.version} with PostgreSQL ${manifest.postgres}, and this one has PostgreSQL ${postgres}. Restore it with the version that made it.`,
    );
  if (manifest.platform !== platform())
    throw new StartError(
      `The backup was made on ${manifest.platform}, this machine is ${platform()}: the databases' files are not the same there.`,
    );
  return manifest;
}
