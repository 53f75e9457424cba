import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { LEVELS_OF_PLACE, PromotedPlace } from '@beltway/contracts/catalog/promoted-places';
import type { Pool } from 'pg';
import { LAST_DATE, MAX_PROMOTED, overBefore, promoted } from '../event/queries.ts';

/** Maximum number of promotions checked per run. If there are more, those that end last are checked. */
const MOST = 1_000;

/**
 * Promotions in force according to the log, for events that take place. For each promotion: its level, and the level
 * that the event shows. Plain SQL, because the events table belongs to the event store.
 */
const IN_FORCE = `
  with last as (
    select distinct on (stream) stream, data -> 'running' as running from events
    where type in ('PromotionStarted', 'PromotionReturned', 'PromotionEnded') and data -> 'running' is not null
    order by stream, version desc
  )
  select l.event_id as "eventId", r.level, l.is_sponsored as "isSponsored", l.promotion_level as shown
  from last cross join json_to_recordset(last.running) as r (level text, until timestamptz)
    join listings l on 'event-' || l.event_id = last.stream
  where r.until > $1 and l.status = 'published' and ${LAST_DATE} >= $2
  order by r.until desc, l.event_id limit ${MOST}`;

interface InForce {
  eventId: number;
  level: PaidLevel;
  isSponsored: boolean;
  shown: PaidLevel | 'none';
}

/** The events that a place shows during one full rotation. */
async function offered(pool: Pool, place: PromotedPlace, now: Date): Promise<Set<number>> {
  const all = new Set<number>();
  for (let turn = 0; turn < MOST; turn += MAX_PROMOTED) {
    const before = all.size;
    for (const { eventId } of await promoted(pool, place, now, turn)) all.add(eventId);
    if (all.size - before < MAX_PROMOTED) break;
  }
  return all;
}

const report = (name: string, violating: readonly InForce[]): InvariantCheck => ({
  name,
  ok: violating.length === 0,
  violations: violating.length,
  examples: violating.slice(0, 10).map(({ eventId, level }) => `event-${eventId} ${level}`),
});

/**
 * The promotion checks of docs/architecture.md#invariants. The checks compare what is shown with the log, because the
 * read model may have missed an event of the log. They read each list as the website does. An event looks the same in
 * every list, because all lists read the same columns.
 */
export async function promotionInvariants(pool: Pool, now: Date): Promise<InvariantCheck[]> {
  const { rows } = await pool.query<InForce>(IN_FORCE, [now, overBefore(now)]);
  const checks = await Promise.all(
    PromotedPlace.options.map(async (place) => {
      const there = await offered(pool, place, now);
      const levels: readonly PaidLevel[] = LEVELS_OF_PLACE[place];
      const missing = rows.filter(({ eventId, level }) => levels.includes(level) && !there.has(eventId));
      return report(`each running promotion has its turn in its place: ${place}`, missing);
    }),
  );
  const rank = (level: InForce['shown']) => ['none', ...PaidLevel.options].indexOf(level);
  const unmarked = rows.filter(({ level, isSponsored, shown }) => !isSponsored || rank(shown) < rank(level));
  return [...checks, report('each event that is promoted says so, by its highest level', unmarked)];
}
