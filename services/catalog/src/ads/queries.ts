import { sql, type InferResult } from 'kysely';
import { AdPackageId, type AdSlot } from '@beltway/contracts/payments/ads';
import type { AdAnalytics } from '@beltway/contracts/payments/platform';
import type { AdContent, AdEndReason, BoughtAd, ReviewedAd } from '@beltway/contracts/catalog/served-ads';
import type { ServedAd } from '@beltway/contracts/catalog/shown-ads';
import { dayAt } from '@beltway/contracts/common/times';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { draw, type Candidate } from './rotation.ts';

/** Selects ads as `a`, joined with their counts as `c`. */
export const countedAds = (db: Queryable) =>
  kysely(db)
    .selectFrom('ads as a')
    .leftJoin('adCounts as c', 'c.adId', 'a.adId')
    .selectAll('a')
    .select(({ fn, lit }) => [
      fn.coalesce('c.impressions', lit(0)).as('impressions'),
      fn.coalesce('c.clicks', lit(0)).as('clicks'),
    ]);
export type AdRow = InferResult<ReturnType<typeof countedAds>>[number];

/**
 * Whether an ad reached its bought number of impressions, by the same rule as `isAllShown` in the decider. null: no
 * number was bought.
 */
export const IS_ALL_SHOWN = sql<boolean>`(coalesce(c.impressions, 0) >= a.max_impressions
  or a.is_extended and coalesce(c.impressions, 0) >= a.guaranteed_impressions)`;

/** Whether an ad is shown at this time: approved, not ended, and below its bought number of impressions. */
export const isShown = (now: Date) => sql<boolean>`(a.shown_submission is not null and a.ended_at is null
  and a.ends_at > ${now} and ${IS_ALL_SHOWN} is not true)`;

/** Maximum number of ads that rotate in one slot. If there are more ads, those that end first are used. */
const MAX_CANDIDATES = 500;
const SERVED_AT_ONCE = 3;

const DAY_MS = 24 * 3_600_000;

function candidateOf({ adId: id, maxImpressions, guaranteedImpressions, impressions, endsAt }: AdRow): Candidate {
  const wanted = maxImpressions ?? guaranteedImpressions;
  const left = wanted !== null && impressions < wanted ? wanted - impressions : null;
  return { id, left, endsAt: endsAt! };
}

/** The number of impressions that a slot had on its best day since the day `from`. */
async function impressionsPerDay(pool: Pool, slot: AdSlot, from: string): Promise<number> {
  const best = await kysely(pool)
    .selectFrom('adDays as d')
    .innerJoin('ads as a', 'a.adId', 'd.adId')
    .select((eb) => eb.fn.sum('d.impressions').as('impressions'))
    .where('a.slot', '=', slot)
    .where('d.day', '>=', from)
    .groupBy('d.day')
    .orderBy('impressions', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Number(best?.impressions ?? 0);
}

/** Up to three ads of the slot, drawn at random by their weights (`rotation.ts`). */
export async function servedAds(
  pool: Pool,
  slot: AdSlot,
  { now, random }: { now: Date; random: () => number },
): Promise<ServedAd[]> {
  const rows = await countedAds(pool)
    .where('a.slot', '=', slot)
    .where(isShown(now))
    .orderBy('a.endsAt')
    .orderBy('a.adId')
    .limit(MAX_CANDIDATES)
    .execute();
  if (rows.length === 0) return [];
  const yesterday = dayAt(new Date(now.getTime() - DAY_MS));
  const perDay = await impressionsPerDay(pool, slot, yesterday);
  const byId = new Map(rows.map((row) => [row.adId, row]));
  const drawn = draw(rows.map(candidateOf), {
    perDay,
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

/**
 * Figures of each ad package since `from`, a day in New York such as "2026-11-30". The package with the most
 * impressions comes first.
 */
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

/** The ad with this id; undefined if it does not exist. */
export async function adById(db: Queryable, adId: string): Promise<AdRow | undefined> {
  return countedAds(db).where('a.adId', '=', adId).executeTakeFirst();
}

/** A part of the list of ads for admins. For an unknown cursor the part is empty. */
export async function adsToReview(
  pool: Pool,
  { status, cursor, limit }: { status: 'waiting' | 'running' | 'all'; cursor?: string | undefined; limit: number },
): Promise<{ items: ReviewedAd[]; nextCursor: string | null }> {
  const isQueue = status === 'waiting';
  const [moment, order] = isQueue ? (['submittedAt', 'asc'] as const) : (['boughtAt', 'desc'] as const);
  const rows = await countedAds(pool)
    .$if(isQueue, (query) => query.where('a.isWaiting', '=', true))
    .$if(status === 'running', (query) =>
      query.where('a.shownSubmission', 'is not', null).where('a.endedAt', 'is', null),
    )
    .$if(cursor !== undefined, (query) =>
      query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple(`a.${moment}`, 'a.adId'),
          isQueue ? '>' : '<',
          selectFrom('ads as last')
            .select([`last.${moment}`, 'last.adId'])
            .where('last.adId', '=', cursor!)
            .$asTuple(moment, 'adId'),
        ),
      ),
    )
    .orderBy(`a.${moment}`, order)
    .orderBy('a.adId', order)
    .limit(limit + 1)
    .execute();
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
