import { createHash } from 'node:crypto';
import type { Logger } from '@beltway/kit/logger';
import { siteOf } from '@beltway/kit/network';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { openVisitorCounting, type VisitorCounting } from '@beltway/kit/visitor-counting';
import type { Visitor } from '@beltway/kit/visitors';
import { IS_SHOWN } from './queries.ts';

export interface AdCounting extends Pick<VisitorCounting<object>, 'flush' | 'forget' | 'stop'> {
  /** Ads that were seen in one view of a page; counted with the next batch, once per view. */
  seen(adIds: readonly string[], view: string, by: Visitor): void;
  /** An ad was opened: counted once per visitor and day. */
  clicked(adId: string, by: Visitor): void;
}

/** Impressions of one ad that a visitor counts for in a day: who looks more often has seen it. With 64 browsers, 256 of a network. */
const IMPRESSIONS_A_DAY = 4;
/** Bytes by which the views of one visitor are told apart. */
const VIEW_BYTES = 6;

/** One batch at a time, of all instances together: so what is there is read first, and no ad is counted beyond what was bought. */
const LOCK = `select pg_advisory_xact_lock(hashtext('catalog.ads'))`;
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
  /** Counts what is new of this batch. */
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

  const { noteOf, ...counting } = openVisitorCounting<Noted>({ pool, log, clock, table: 'ad_visitors', count });
  // A whole site of IPv6 counts as one: anybody gets its 65,536 networks.
  const noteOfAd = (adId: string, { network, userAgent }: Visitor): Noted | undefined =>
    noteOf(`ad ${adId}`, { network: siteOf(network), userAgent }, () => ({ adId, views: new Set(), clicked: false }));
  return {
    ...counting,
    seen(adIds, view, by) {
      for (const adId of adIds) {
        const one = noteOfAd(adId, by);
        if (one && one.views.size < IMPRESSIONS_A_DAY) one.views.add(view);
      }
    },
    clicked(adId, by) {
      const one = noteOfAd(adId, by);
      if (one) one.clicked = true;
    },
  };
}
