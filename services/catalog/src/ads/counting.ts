import { createHash } from 'node:crypto';
import { LEVELS_OF_PLACE, PromotedPlace } from '@beltway/contracts/catalog/promoted-places';
import type { ImpressionsBody } from '@beltway/contracts/catalog/served-ads';
import type { Logger } from '@beltway/kit/logger';
import { anyOf } from '@beltway/kit/kysely';
import { siteOf } from '@beltway/kit/network';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { openVisitorCounting, type VisitorCounting } from '@beltway/kit/visitor-counting';
import type { Visitor } from '@beltway/kit/visitors';
import { kysely } from '../db.ts';
import { adCounts, adDays, adVisitors } from '../generated/tables.ts';
import { countedAds, isShown } from './queries.ts';

export interface AdCounting extends Pick<VisitorCounting<object>, 'flush' | 'forget' | 'stop'> {
  /**
   * Counts an impression for each ad and each promoted event that a page view showed; promoted events are grouped by
   * place. A repeat for the same view counts nothing. The next batch writes the counts.
   */
  seen(seen: Seen, view: string, by: Visitor): void;
  /** Counts a click on an ad, once per visitor and day. */
  clicked(adId: string, by: Visitor): void;
}

type Seen = Omit<ImpressionsBody, 'view'>;

/**
 * Maximum impressions of one ad or promoted event per visitor and day. A network counts as up to 64 visitors, so a
 * network has at most 256 impressions.
 */
const IMPRESSIONS_A_DAY = 4;
/** Stored bytes of a view's digest: enough to distinguish the views of one visitor. */
const VIEW_BYTES = 6;

/**
 * Serializes batches across instances. A batch reads the current counts first, so that no ad gets more impressions than
 * were bought.
 */
const LOCK = `select pg_advisory_xact_lock(hashtext('catalog.ads'))`;
const KEEP = adVisitors.insertMany(['visitor', 'views', 'clicked'], {
  same: ['day'],
  rest: adVisitors.onConflict(['day', 'visitor'], ['views', 'clicked']),
});
const ADD = adCounts.insertMany(['adId', 'impressions', 'clicks'], {
  rest: `order by 1 on conflict (ad_id) do update set impressions = ad_counts.impressions + excluded.impressions,
    clicks = ad_counts.clicks + excluded.clicks`,
});
const ADD_OF_DAY = adDays.insertMany(['adId', 'impressions', 'clicks'], {
  same: ['day'],
  rest: `order by 2 on conflict (day, ad_id) do update set impressions = ad_days.impressions + excluded.impressions,
    clicks = ad_days.clicks + excluded.clicks`,
});

const PLACE = `case ${PromotedPlace.options
  .map((place) => `when p.level in (${LEVELS_OF_PLACE[place].map((level) => `'${level}'`).join(', ')}) then '${place}'`)
  .join(' ')} end`;
/** Promoted events with their current places. */
const PROMOTED = `select distinct p.event_id as "eventId", ${PLACE} as place from promotions p where p.ends_at > $1`;
/**
 * Adds the impressions of a place to every event that is promoted in that place. Plain SQL, because it takes arrays for
 * two tables.
 */
const ADD_TO_PROMOTIONS = `insert into promotion_counts as c (event_id, place, impressions, of_place)
  select r."eventId", r.place, coalesce(n.impressions, 0), t.of_place
  from (${PROMOTED}) r
    join unnest($2::text[], $3::int[]) as t (place, of_place) on t.place = r.place
    left join unnest($4::int[], $5::text[], $6::int[]) as n (event_id, place, impressions) on n.event_id = r."eventId" and n.place = r.place
  order by 1, 2
  on conflict (event_id, place) do update set impressions = c.impressions + excluded.impressions, of_place = c.of_place + excluded.of_place`;

/** Impressions and clicks of one visitor for one ad or promoted event since the last batch. */
interface Noted {
  /** `ad <id>`; for a promoted event its place and id: `premium 7`. */
  what: string;
  views: Set<string>;
  clicked: boolean;
}
/** The stored row of a visitor for one day. `views`: the concatenated digests of the visitor's page views. */
interface Known {
  visitor: Buffer;
  views: Buffer;
  clicked: boolean;
}

const viewDigest = (view: string): Buffer => createHash('sha256').update(view).digest().subarray(0, VIEW_BYTES);

const viewsIn = (views: Buffer): Buffer[] =>
  Array.from({ length: views.length / VIEW_BYTES }, (_, n) => views.subarray(n * VIEW_BYTES, (n + 1) * VIEW_BYTES));

type Kind = 'ad' | PromotedPlace;
interface Sum {
  kind: Kind;
  id: string;
  impressions: number;
  clicks: number;
}
const NOTHING = { impressions: 0, clicks: 0 };

/** The distinct ids of the ads or promoted events of this kind in a batch. */
const namedIn = (batch: readonly Noted[], kind: Kind): string[] => [
  ...new Set(batch.flatMap(({ what }) => (what.startsWith(`${kind} `) ? what.slice(kind.length + 1) : []))),
];

async function addToAds(tx: Queryable, day: string, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return;
  const of = {
    adId: ({ id }: Sum) => id,
    impressions: ({ impressions }: Sum) => impressions,
    clicks: ({ clicks }: Sum) => clicks,
  };
  await tx.query({ name: 'add-to-ads', text: ADD.text, values: ADD.values(sums, of) });
  const values = ADD_OF_DAY.values(sums, { ...of, day: () => day });
  await tx.query({ name: 'add-to-ad-days', text: ADD_OF_DAY.text, values });
}

async function addToPromotions(tx: Queryable, now: Date, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return;
  const ofPlaces = new Map<string, number>();
  for (const { kind, impressions } of sums) ofPlaces.set(kind, (ofPlaces.get(kind) ?? 0) + impressions);
  const values = [
    ...[now, [...ofPlaces.keys()], [...ofPlaces.values()]],
    ...[sums.map(({ id }) => Number(id)), sums.map(({ kind }) => kind), sums.map(({ impressions }) => impressions)],
  ];
  await tx.query({ name: 'add-to-promotions', text: ADD_TO_PROMOTIONS, values });
}

export function openAdCounting({ pool, log, clock }: { pool: Pool; log: Logger; clock: () => Date }): AdCounting {
  /** Counts the new impressions and clicks of this batch. */
  async function count(tx: Queryable, day: string, batch: Array<Noted & { digest: Buffer }>): Promise<number> {
    await tx.query(LOCK);
    const digests = batch.map(({ digest }) => digest);
    const before = await kysely(tx)
      .selectFrom('adVisitors')
      .select(['visitor', 'views', 'clicked'])
      .where('day', '=', day)
      .where('visitor', '=', anyOf(digests))
      .execute();
    const known = new Map(before.map((row) => [row.visitor.toString('hex'), row]));
    const shown = await countedAds(tx)
      .where('a.adId', '=', anyOf(namedIn(batch, 'ad')))
      .where(isShown(clock()))
      .execute();
    const sums = new Map(
      shown.map(({ adId: id, maxImpressions, impressions }) => {
        const left = maxImpressions === null ? Infinity : maxImpressions - impressions;
        return [`ad ${id}`, { kind: 'ad' as Kind, id, left, ...NOTHING }];
      }),
    );
    const ofPlaces = PromotedPlace.options.flatMap((place) => namedIn(batch, place).map(Number));
    if (ofPlaces.length > 0) {
      const { rows: running } = await tx.query<{ eventId: number; place: PromotedPlace }>({
        name: 'promotions-to-count',
        text: `${PROMOTED} and p.event_id = any($2::int[])`,
        values: [clock(), ofPlaces],
      });
      for (const { eventId, place } of running)
        sums.set(`${place} ${eventId}`, { kind: place, id: String(eventId), left: Infinity, ...NOTHING });
    }
    const keep: Known[] = [];
    for (const { what, digest, views, clicked } of batch) {
      const sum = sums.get(what);
      if (!sum) continue; // The ad or event is no longer shown.
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
    const values = KEEP.values(keep, {
      day: () => day,
      visitor: ({ visitor }) => visitor,
      views: ({ views }) => views,
      clicked: ({ clicked }) => clicked,
    });
    await tx.query({ name: 'keep-ad-visitors', text: KEEP.text, values });
    const changed = [...sums.values()].filter(({ impressions, clicks }) => impressions + clicks > 0);
    await addToAds(
      tx,
      day,
      changed.filter(({ kind }) => kind === 'ad'),
    );
    await addToPromotions(
      tx,
      clock(),
      changed.filter(({ kind }) => kind !== 'ad'),
    );
    return keep.filter(({ visitor }) => !known.has(visitor.toString('hex'))).length;
  }

  const { noteOf, ...counting } = openVisitorCounting<Noted>({ pool, log, clock, table: 'ad_visitors', count });
  // An IPv6 site counts as one network, because anyone can get an IPv6 site with 65,536 networks.
  const note = (what: string, { network, userAgent }: Visitor): Noted | undefined =>
    noteOf(what, { network: siteOf(network), userAgent }, () => ({ what, views: new Set(), clicked: false }));
  return {
    ...counting,
    seen({ ads = [], ...promoted }, view, by) {
      const ofPlaces = PromotedPlace.options.flatMap((place) => (promoted[place] ?? []).map((id) => `${place} ${id}`));
      for (const what of [...ads.map((id) => `ad ${id}`), ...ofPlaces]) {
        const one = note(what, by);
        if (one && one.views.size < IMPRESSIONS_A_DAY) one.views.add(view);
      }
    },
    clicked(adId, by) {
      const one = note(`ad ${adId}`, by);
      if (one) one.clicked = true;
    },
  };
}
