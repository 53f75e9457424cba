import type { Queryable } from '@beltway/kit/postgres';

/**
 * So long a picture stays after an upload, and after nobody names it any more: a catalog that is restored to a moment of these days still finds the
 * pictures that it names (docs/operations/backup.md).
 */
export const GRACE = '30 days';
/** So long looking and deleting may take: a question to the catalog, and a few calls to the storage for each of a page. */
const CLAIMED = '10 minutes';
/** A page of pictures: one question to the catalog. */
const PAGE = 50;

/** Which of these pictures are named by somebody: an event, an ad, or a series that is being published. */
export type AskNamed = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** Which pictures of events are in storage, or may be, and until when they stay (docs/decisions/0084). */
export interface KeptImages {
  /** From now on it stays for the time of grace. Answers whether it does: not, while its files are being deleted. */
  keep(name: string): Promise<boolean>;
  /** Whether it has stayed since it was kept. */
  stays(name: string): Promise<boolean>;
  /** Deletes it now, whoever names it. May be done again. */
  erase(name: string, remove: (name: string) => Promise<void>): Promise<void>;
  /** Deletes what nobody has named for the time of grace. Answers whether there may be more. */
  sweep(named: AskNamed, remove: (name: string) => Promise<void>): Promise<boolean>;
}

// Times go as text: a `Date` loses their microseconds.
const IS_FREE = '(deleting_until is null or deleting_until < now())';
const KEEP = `insert into image_files (name, kept_until) values ($1, now() + $2::interval)
  on conflict (name) do update set kept_until = excluded.kept_until, unnamed_since = null, deleting_until = null
  where image_files.deleting_until is null or image_files.deleting_until < now()`;
const STAYS = `select from image_files where name = $1 and ${IS_FREE}`;

const FIRST = `select name, kept_until::text as "keptUntil" from image_files
  where kept_until < now() and unnamed_since is null and ${IS_FREE} order by kept_until limit $1`;
/** What was kept anew since the question is left alone. */
const LOOKED_AT = `update image_files f set kept_until = now() + $3::interval, unnamed_since = case when n.is_named then null else now() end
  from unnest($1::text[], $2::text[], $4::boolean[]) n (name, kept_until, is_named)
  where f.name = n.name and f.kept_until = n.kept_until::timestamptz`;

/** Claimed before the catalog is asked: from then on nobody can keep it, so that the answer is the last word. */
const CLAIM = `update image_files set deleting_until = now() + $1::interval where name in (
    select name from image_files where kept_until < now() and unnamed_since is not null and ${IS_FREE}
    order by kept_until limit $2 for update skip locked)
  returning name, deleting_until::text as until`;
const CLAIM_ONE = `insert into image_files (name, kept_until, deleting_until) values ($1, now(), now() + $2::interval)
  on conflict (name) do update set deleting_until = excluded.deleting_until returning deleting_until::text as until`;
const GIVE_BACK = `update image_files f set deleting_until = null, kept_until = case when $3 then now() + $4::interval else kept_until end,
    unnamed_since = case when $3 then null else unnamed_since end
  from unnest($1::text[], $2::text[]) n (name, until) where f.name = n.name and f.deleting_until = n.until::timestamptz`;
/** What is known of the bytes it was made of goes with it; whoever took the claim over since has the row. */
const FORGET = `with gone as (delete from image_files where name = $1 and deleting_until = $2::timestamptz returning name),
    sent as (delete from images i using gone where hash = split_part(gone.name, '-', 1)
      and coalesce(tint, '') = split_part(gone.name, '-', 2) returning source_hash)
  delete from further_uploads f using sent where f.source_hash = sent.source_hash`;

interface Claim {
  name: string;
  until: string;
}

export function keptImages(db: Queryable): KeptImages {
  const forget = ({ name, until }: Claim) => db.query(FORGET, [name, until]);
  const giveBack = (claims: readonly Claim[], isNamed: boolean) =>
    db.query(GIVE_BACK, [claims.map(({ name }) => name), claims.map(({ until }) => until), isNamed, GRACE]);

  /** Whose time is over: what somebody names has another, what nobody names has its grace. */
  async function firstLook(named: AskNamed): Promise<boolean> {
    const { rows } = await db.query<{ name: string; keptUntil: string }>(FIRST, [PAGE]);
    if (rows.length === 0) return false;
    const names = rows.map(({ name }) => name);
    const found = await named(names);
    const seen = [names, rows.map(({ keptUntil }) => keptUntil), GRACE, names.map((name) => found.has(name))];
    await db.query(LOOKED_AT, seen);
    return rows.length === PAGE;
  }

  /** Whose grace is over: what nobody names even now goes. */
  async function secondLook(named: AskNamed, remove: (name: string) => Promise<void>): Promise<boolean> {
    const { rows } = await db.query<Claim>(CLAIM, [CLAIMED, PAGE]);
    if (rows.length === 0) return false;
    let left = rows;
    try {
      const found = await named(rows.map(({ name }) => name));
      const isNamed = ({ name }: Claim) => found.has(name);
      await giveBack(rows.filter(isNamed), true);
      left = rows.filter((claim) => !isNamed(claim));
      while (left[0]) {
        await remove(left[0].name);
        await forget(left[0]);
        left = left.slice(1);
      }
    } catch (error) {
      // Of what could not be deleted some files may be gone: it stays claimed until its time, and is deleted then.
      const untouched = left === rows ? rows : left.slice(1);
      await giveBack(untouched, false).catch(() => undefined);
      throw error;
    }
    return rows.length === PAGE;
  }

  return {
    keep: async (name) => (await db.query(KEEP, [name, GRACE])).rowCount === 1,
    stays: async (name) => (await db.query(STAYS, [name])).rowCount === 1,
    async erase(name, remove) {
      const { rows } = await db.query<{ until: string }>(CLAIM_ONE, [name, CLAIMED]);
      await remove(name);
      await forget({ name, until: rows[0]!.until });
    },
    async sweep(named, remove) {
      const hasMore = [await firstLook(named), await secondLook(named, remove)];
      return hasMore.includes(true);
    },
  };
}
