import { createHash } from 'node:crypto';
import { dayAt } from '@beltway/contracts/times';
import type { Logger } from '@beltway/kit/logger';
import { siteOf } from '@beltway/kit/network';
import { startPolling } from '@beltway/kit/polling';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { isbot } from 'isbot';
import type { Pool } from 'pg';
import { browserOf, digestOf, keyOfDay } from '../engagement/visitors.ts';
import { IS_SHOWN } from './queries.ts';

/** Who saw an ad or opened it, as the request says it. */
interface Visitor {
  /** An IPv4 address, or a /64 of IPv6. */
  network: string;
  userAgent: string | undefined;
}

export interface AdCounting {
  /** Ads that were seen in one view of a page; counted with the next batch, once per view. */
  seen(adIds: readonly string[], view: string, by: Visitor): void;
  /** An ad was opened: counted once per visitor and day. */
  clicked(adId: string, by: Visitor): void;
  /** Writes what was noted so far. */
  flush(): Promise<void>;
  /** Drops the visitors of days gone by; answers whether there is more to drop. */
  forget(): Promise<boolean>;
  stop(): Promise<void>;
}

const FLUSH_MS = 2_000;
const FORGET_MS = 600_000;
/** Visitors who wait for the next batch; those beyond are not counted. */
const MAX_NOTED = 20_000;
/** Visitors of ads whom one process keeps for a day, 150 bytes each; those beyond are not counted. */
const MAX_VISITORS_A_DAY = 1_000_000;
/** Impressions of one ad that a visitor counts for in a day: who looks more often has seen it. With 64 browsers, 256 of a network. */
const IMPRESSIONS_A_DAY = 4;
/** Bytes by which the views of one visitor are told apart. */
const VIEW_BYTES = 6;
const MAX_FORGOTTEN = 20_000;

/** One batch at a time, of all instances together: so what is there is read first, and no ad is counted beyond what was bought. */
const LOCK = `select pg_advisory_xact_lock(hashtext('catalog.ads'))`;
const COUNT_VISITORS = 'select count(*)::int as count from ad_visitors where day = $1';
const KNOWN = 'select visitor, views, clicked from ad_visitors where day = $1 and visitor = any($2::bytea[])';
const SHOWN = `select a.ad_id as "adId", a.max_impressions - coalesce(c.impressions, 0) as left
  from ads a left join ad_counts c using (ad_id) where a.ad_id = any($1::uuid[]) and ${IS_SHOWN('$2')}`;
const KEEP = `insert into ad_visitors (day, visitor, views, clicked)
  select $1, n.* from unnest($2::bytea[], $3::bytea[], $4::bool[]) as n (visitor, views, clicked)
  on conflict (day, visitor) do update set views = excluded.views, clicked = excluded.clicked`;
const ADD = `insert into ad_counts as c (ad_id, impressions, clicks)
  select * from unnest($1::uuid[], $2::int[], $3::int[]) as n (ad_id, impressions, clicks) order by 1
  on conflict (ad_id) do update set impressions = c.impressions + excluded.impressions, clicks = c.clicks + excluded.clicks`;
const ADD_OF_DAY = `insert into ad_days as d (ad_id, impressions, clicks, day)
  select n.*, $4::date from unnest($1::uuid[], $2::int[], $3::int[]) as n (ad_id, impressions, clicks) order by 1
  on conflict (day, ad_id) do update set impressions = d.impressions + excluded.impressions, clicks = d.clicks + excluded.clicks`;

/** What one visitor did with one ad since the last batch. */
interface Noted {
  adId: string;
  visitor: string;
  views: Set<string>;
  clicked: boolean;
}
/** A visitor of the day as it is kept; `views` are the digests of its views, one behind the other. */
interface Known {
  visitor: Buffer;
  views: Buffer;
  clicked: boolean;
}

const viewDigest = (view: string): Buffer => createHash('sha256').update(view).digest().subarray(0, VIEW_BYTES);

const viewsIn = (views: Buffer): Buffer[] =>
  Array.from({ length: views.length / VIEW_BYTES }, (_, n) => views.subarray(n * VIEW_BYTES, (n + 1) * VIEW_BYTES));

export function openAdCounting({ pool, log, clock }: { pool: Pool; log: Logger; clock: () => Date }): AdCounting {
  let noted = new Map<string, Noted>();
  let flushing = Promise.resolve();
  /** Visitors that are kept for this day. */
  let kept: { day: string; count: number } | undefined;

  /** Counts what is new of this batch. An address is in memory until here, and then nowhere. */
  async function count(tx: Queryable, day: string, batch: Array<Noted & { digest: Buffer }>): Promise<number> {
    await tx.query(LOCK);
    const digests = batch.map(({ digest }) => digest);
    const { rows: before } = await tx.query<Known>({ name: 'ad-visitors', text: KNOWN, values: [day, digests] });
    const known = new Map(before.map((row) => [row.visitor.toString('hex'), row]));
    const { rows: shown } = await tx.query<{ adId: string; left: number | null }>({
      name: 'ads-to-count',
      text: SHOWN,
      values: [[...new Set(batch.map(({ adId }) => adId))], clock()],
    });
    const sums = new Map(shown.map(({ adId, left }) => [adId, { left: left ?? Infinity, impressions: 0, clicks: 0 }]));
    const keep: Known[] = [];
    for (const { adId, digest, views, clicked } of batch) {
      const sum = sums.get(adId);
      if (!sum) continue; // it is not shown any more
      const was = known.get(digest.toString('hex'));
      const counted = viewsIn(was?.views ?? Buffer.alloc(0));
      const room = Math.min(IMPRESSIONS_A_DAY - counted.length, sum.left - sum.impressions);
      const fresh = [...views]
        .map(viewDigest)
        .filter((view) => !counted.some((one) => one.equals(view)))
        .slice(0, Math.max(0, room));
      const isFirstClick = clicked && !was?.clicked;
      if (fresh.length === 0 && !isFirstClick) continue;
      sum.impressions += fresh.length;
      sum.clicks += isFirstClick ? 1 : 0;
      keep.push({
        visitor: digest,
        views: Buffer.concat([...counted, ...fresh]),
        clicked: clicked || was?.clicked === true,
      });
    }
    if (keep.length === 0) return 0;
    await tx.query({
      name: 'keep-ad-visitors',
      text: KEEP,
      values: [day, keep.map(({ visitor }) => visitor), keep.map(({ views }) => views), keep.map((one) => one.clicked)],
    });
    const changed = [...sums].filter(([, { impressions, clicks }]) => impressions + clicks > 0);
    const values = [
      changed.map(([adId]) => adId),
      changed.map(([, { impressions }]) => impressions),
      changed.map(([, { clicks }]) => clicks),
    ];
    await tx.query({ name: 'add-to-ads', text: ADD, values });
    await tx.query({ name: 'add-to-ad-days', text: ADD_OF_DAY, values: [...values, day] });
    return keep.filter(({ visitor }) => !known.has(visitor.toString('hex'))).length;
  }

  async function write(batch: Noted[]): Promise<void> {
    const day = dayAt(clock());
    if (kept?.day !== day) {
      const { rows } = await pool.query<{ count: number }>({
        name: 'count-ad-visitors',
        text: COUNT_VISITORS,
        values: [day],
      });
      kept = { day, count: rows[0]!.count };
    }
    const room = MAX_VISITORS_A_DAY - kept.count;
    if (room < batch.length) log.warn({ day, passedOver: batch.length - room }, 'too many visitors of ads today');
    const counted = batch.slice(0, Math.max(0, room));
    if (counted.length === 0) return;
    const key = await keyOfDay(pool, day);
    const digested = counted.map((one) => ({ ...one, digest: digestOf(key, one.visitor) }));
    kept.count += await transaction(pool, (tx) => count(tx, day, digested));
  }

  const flush = (): Promise<void> => {
    const run = async () => {
      const batch = [...noted.values()];
      noted = new Map();
      // What cannot be written now is not kept for later: an ad is then shown a little more often, and no buyer pays for it.
      if (batch.length > 0)
        await write(batch).catch((err: unknown) => log.warn({ err }, 'impressions and clicks were not counted'));
    };
    return (flushing = flushing.then(run));
  };

  async function forget(): Promise<boolean> {
    const { rowCount } = await pool.query(
      `delete from ad_visitors where ctid = any(array(select ctid from ad_visitors where day < $1 limit ${MAX_FORGOTTEN}))`,
      [dayAt(clock())],
    );
    return rowCount === MAX_FORGOTTEN;
  }

  /** What was noted of this visitor and ad; undefined for a program, and beyond what waits at most. */
  function noteOf(adId: string, { network, userAgent }: Visitor): Noted | undefined {
    if (!userAgent || isbot(userAgent)) return undefined;
    // A whole site of IPv6 counts as one: anybody gets its 65,536 networks.
    const visitor = `ad ${adId} ${siteOf(network)} ${browserOf(userAgent)}`;
    const one = noted.get(visitor) ?? { adId, visitor, views: new Set<string>(), clicked: false };
    if (!noted.has(visitor) && noted.size >= MAX_NOTED) return undefined;
    noted.set(visitor, one);
    return one;
  }

  const flusher = setInterval(() => void flush(), FLUSH_MS).unref();
  const forgetter = startPolling(log, 'forget visitors of ads', FORGET_MS, forget);
  forgetter.wake();
  return {
    seen(adIds, view, by) {
      for (const adId of adIds) {
        const one = noteOf(adId, by);
        if (one && one.views.size < IMPRESSIONS_A_DAY) one.views.add(view);
      }
    },
    clicked(adId, by) {
      const one = noteOf(adId, by);
      if (one) one.clicked = true;
    },
    flush,
    forget,
    async stop() {
      clearInterval(flusher);
      await forgetter.stop();
      await flush();
    },
  };
}
