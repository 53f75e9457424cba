import { sql } from 'kysely';
import type { RowOf } from '@beltway/kit/columns';
import { AdPackageId, type AdSlot } from '@beltway/contracts/payments/ads';
import type { AdAnalytics } from '@beltway/contracts/payments/platform';
import type { AdContent, AdEndReason, BoughtAd, ReviewedAd } from '@beltway/contracts/catalog/served-ads';
import type { ServedAd } from '@beltway/contracts/catalog/shown-ads';
import { dayAt } from '@beltway/contracts/common/times';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { ads } from '../generated/tables.ts';
import { draw, type Candidate } from './rotation.ts';

/** An ad with what was counted of it. */
export type AdRow = RowOf<typeof ads> & { impressions: number; clicks: number };

/** An ad `a` with its counts `c` that was shown as often as was bought, as `isAllShown` of the decider has it. Null: no number counts. */
export const IS_ALL_SHOWN = `(coalesce(c.impressions, 0) >= a.max_impressions
  or a.is_extended and coalesce(c.impressions, 0) >= a.guaranteed_impressions)`;

/** One that is on the pages at this time: approved, not over, and not shown as often as was bought. */
export const IS_SHOWN = (now: string): string => `a.shown_submission is not null and a.ended_at is null
  and a.ends_at > ${now} and ${IS_ALL_SHOWN} is not true`;

const SELECT = `select ${ads.select(undefined, 'a')}, coalesce(c.impressions, 0) as impressions, coalesce(c.clicks, 0) as clicks
  from ads a left join ad_counts c using (ad_id)`;

/** Ads of one slot that take turns; of more, those whose time ends first. */
const MAX_CANDIDATES = 500;
const SERVED_AT_ONCE = 3;
const CANDIDATES = `${SELECT} where a.slot = $1 and ${IS_SHOWN('$2')} order by a.ends_at, a.ad_id limit ${MAX_CANDIDATES}`;
/** Impressions that the ads of a slot had on its better one of two days. */
const PER_DAY = `select coalesce(max(n), 0)::int as "perDay" from (
    select sum(d.impressions) as n from ad_days d join ads a using (ad_id) where a.slot = $1 and d.day >= $2 group by d.day) days`;

const DAY_MS = 24 * 3_600_000;

function candidateOf({ adId: id, maxImpressions, guaranteedImpressions, impressions, endsAt }: AdRow): Candidate {
  const wanted = maxImpressions ?? guaranteedImpressions;
  const left = wanted !== null && impressions < wanted ? wanted - impressions : null;
  return { id, left, endsAt: endsAt! };
}

/** A few ads of the slot, drawn by what each has still to be shown (`rotation.ts`). */
export async function servedAds(
  pool: Pool,
  slot: AdSlot,
  { now, random }: { now: Date; random: () => number },
): Promise<ServedAd[]> {
  const { rows } = await pool.query<AdRow>({ name: 'ads-shown', text: CANDIDATES, values: [slot, now] });
  if (rows.length === 0) return [];
  const yesterday = dayAt(new Date(now.getTime() - DAY_MS));
  const { rows: counted } = await pool.query<{ perDay: number }>({
    name: 'ads-per-day',
    text: PER_DAY,
    values: [slot, yesterday],
  });
  const byId = new Map(rows.map((row) => [row.adId, row]));
  const drawn = draw(rows.map(candidateOf), {
    perDay: counted[0]!.perDay,
    now,
    count: SERVED_AT_ONCE,
    random,
  });
  return drawn.map(({ id }) => {
    const { shownTitle, shownAlt, shownImageUrl, shownLinkUrl } = byId.get(id)!;
    const site = new URL(shownLinkUrl!).hostname.replace(/^www\./, '');
    return { id, title: shownTitle!, alt: shownAlt!, imageUrl: shownImageUrl!, site };
  });
}

/** What ads of each package did from this day on, "2026-11-30" in New York; those shown most first. */
export async function adAnalytics(pool: Pool, from: string): Promise<AdAnalytics['packages']> {
  return kysely(pool)
    .selectFrom('adDays as d')
    .innerJoin('ads as a', 'a.adId', 'd.adId')
    .select([
      'a.packageId',
      sql<number>`count(distinct d.ad_id)::int`.as('ads'),
      sql<number>`sum(d.impressions)::int`.as('impressions'),
      sql<number>`sum(d.clicks)::int`.as('clicks'),
    ])
    .where('d.day', '>=', from)
    .groupBy('a.packageId')
    .orderBy('impressions', 'desc')
    .orderBy('a.packageId')
    .execute();
}

/** Undefined: there is none. */
export async function adById(db: Queryable, adId: string): Promise<AdRow | undefined> {
  const { rows } = await db.query<AdRow>({ name: 'ad', text: `${SELECT} where a.ad_id = $1`, values: [adId] });
  return rows[0];
}

const LATEST = (condition: string) => `${SELECT} where ${condition} and ($1::uuid is null
    or (a.bought_at, a.ad_id) < (select bought_at, ad_id from ads where ad_id = $1::uuid))
  order by a.bought_at desc, a.ad_id desc limit $2`;
const PAGES = {
  waiting: `${SELECT} where a.is_waiting and ($1::uuid is null
      or (a.submitted_at, a.ad_id) > (select submitted_at, ad_id from ads where ad_id = $1::uuid))
    order by a.submitted_at, a.ad_id limit $2`,
  running: LATEST('a.shown_submission is not null and a.ended_at is null'),
  all: LATEST('true'),
};

/** A page of ads for admins. A cursor that names no ad gives nothing. */
export async function adsToReview(
  pool: Pool,
  { status, cursor, limit }: { status: keyof typeof PAGES; cursor?: string | undefined; limit: number },
): Promise<{ items: ReviewedAd[]; nextCursor: string | null }> {
  const { rows } = await pool.query<AdRow>(PAGES[status], [cursor ?? null, limit + 1]);
  const items = rows.slice(0, limit).map(reviewedAd);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

const contentOf = (
  imageUrl: string | null,
  linkUrl: string | null,
  title: string | null,
  alt: string | null,
): AdContent | null =>
  imageUrl === null || linkUrl === null || title === null || alt === null ? null : { imageUrl, linkUrl, title, alt };

function stateOf(row: AdRow): BoughtAd['state'] {
  if (row.endedAt) return 'ended';
  if (row.shownSubmission !== null) return 'running';
  if (row.isWaiting) return 'waiting';
  return row.rejection === null ? 'bought' : 'rejected';
}

/** An ad as its buyer sees it. */
export const boughtAd = (row: AdRow): BoughtAd => ({
  id: row.adId,
  packageId: AdPackageId.parse(row.packageId),
  slot: row.slot as AdSlot,
  days: row.days,
  maxImpressions: row.maxImpressions,
  guaranteedImpressions: row.guaranteedImpressions,
  state: stateOf(row),
  submission: row.submission,
  sent: contentOf(row.sentImageUrl, row.sentLinkUrl, row.sentTitle, row.sentAlt),
  isWaiting: row.isWaiting,
  shown: contentOf(row.shownImageUrl, row.shownLinkUrl, row.shownTitle, row.shownAlt),
  shownSubmission: row.shownSubmission,
  rejection: row.rejection,
  impressions: row.impressions,
  clicks: row.clicks,
  boughtAt: row.boughtAt.toISOString(),
  submittedAt: row.submittedAt?.toISOString() ?? null,
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  isExtended: row.isExtended,
  endedAt: row.endedAt?.toISOString() ?? null,
  endReason: row.endReason as AdEndReason | null,
});

/** An ad as admins see it. */
export const reviewedAd = (row: AdRow): ReviewedAd => ({
  ...boughtAd(row),
  businessName: row.businessName,
  eventTitle: row.eventTitle,
});
