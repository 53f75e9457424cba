import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../launcher/start-error.ts';

/** Written last: a folder without it is no backup, or one that was cut. */
export const MANIFEST = 'backup.json';
/** Everything of PostgreSQL, one archive. */
export const DATABASES = 'postgres.tar.gz';
/** The files in it with their digests, as the server that sent them says. */
export const DATABASES_MANIFEST = 'postgres.manifest.json';
/** The other files of the data folder, as they lie there. */
export const FILES = 'files';

const FORMAT = 1;

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Of Beltway. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  /** The moment that the databases are of, or a little later. */
  takenAt: z.iso.datetime(),
  /** `18`: another major version cannot read the databases' files. */
  postgres: z.string(),
  /** `linux-x64`: nor can another kind of machine. */
  platform: z.string(),
  files: z.array(
    z.object({
      /** Within the backup, with slashes: `files/secrets.json`. */
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

/** A path that stays in the folder it is put into. */
export const isInside = (path: string): boolean =>
  path !== '' && !path.includes('\\') && !path.split('/').some((part) => part === '' || part === '.' || part === '..');

/** What a backup says of itself. Throws a `StartError` where it is none, was cut, or was not made for this machine. */
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
