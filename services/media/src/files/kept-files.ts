import { unavailable } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';

/** So long an upload may need a file that nothing names yet. Decoding, storing and appending take seconds. */
export const KEPT = '1 hour';
/** So long deleting a file may take: a few calls to the storage, which gives each up after 30 s. */
const DELETING = '10 minutes';
const AT_ONCE = 50;

/** Files in storage of which a table says who needs them still (docs/decisions/0072). */
export interface KeptFiles {
  /**
   * Keeps a name for an hour, before its first file is written. Gives what is called when something names it: as soon as nothing does any
   * more, its files may be deleted. Throws 503 while they are being deleted.
   */
  keep(name: string, bytes?: number): Promise<() => Promise<void>>;
  /** Deletes files that nothing names and no upload needs. Answers whether there may be more. */
  sweep(remove: (name: string) => Promise<void>): Promise<boolean>;
}

interface KeptFilesOptions {
  db: Queryable;
  table: 'picture_files' | 'video_files';
  /** SQL: whether something names the file of `name`. */
  isNamed: string;
  /** What is being deleted, for people. */
  what: string;
}

export function keptFiles({ db, table, isNamed, what }: KeptFilesOptions): KeptFiles {
  const hasBytes = table === 'video_files';
  // No row comes back while its files are being deleted. Times go as text: a `Date` loses their microseconds.
  const KEEP = `insert into ${table} (name, kept_until${hasBytes ? ', bytes' : ''})
    values ($1, now() + $2::interval${hasBytes ? ', $3' : ''})
    on conflict (name) do update set kept_until = excluded.kept_until, deleting_until = null
    where ${table}.deleting_until is null or ${table}.deleting_until < now()
    returning kept_until::text as until`;
  // Unless another upload has taken it since.
  const RELEASE = `update ${table} set kept_until = now() where name = $1 and kept_until = $2::timestamptz`;
  const CLAIM = `update ${table} f set deleting_until = now() + $1::interval where name in (
      select name from ${table} p where kept_until < now() and (deleting_until is null or deleting_until < now())
        and not (${isNamed})
      order by kept_until limit $2 for update skip locked)
    returning name, deleting_until::text as until`;
  // Whoever took it over since has the row.
  const FORGET = `delete from ${table} where name = $1 and deleting_until = $2::timestamptz`;

  return {
    async keep(name, bytes) {
      const { rows } = await db.query<{ until: string }>(KEEP, [name, KEPT, ...(hasBytes ? [bytes] : [])]);
      const kept = rows[0];
      if (!kept) throw unavailable(`This ${what} was deleted a moment ago. Please try again in a minute.`, 60);
      return async () => void (await db.query(RELEASE, [name, kept.until]));
    },
    async sweep(remove) {
      const { rows } = await db.query<{ name: string; until: string }>(CLAIM, [DELETING, AT_ONCE]);
      for (const { name, until } of rows) {
        await remove(name);
        await db.query(FORGET, [name, until]);
      }
      return rows.length === AT_ONCE;
    },
  };
}
