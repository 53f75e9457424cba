/**
 * The condition on `pg_locks` for sessions of this database that hold an advisory lock. `key`: SQL for a 64-bit key,
 * which PostgreSQL lists in two halves.
 */
export const holdsLock = (key: string): string => `locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = ${key}`;
