import { randomUUID } from 'node:crypto';
import { BROADCAST } from '@beltway/contracts/media/broadcast';
import { ago } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import type { Broadcasts } from './stream.ts';

const WATCH_MS = 1_000;
/** The ingest reports each signal every second. A signal without a report for this long is lost. */
const SILENT = ago('8 seconds');

/** Live broadcasts with a session. */
const live = (pool: Pool) =>
  kysely(pool)
    .selectFrom('broadcasts as b')
    .select(['b.eventId', 'b.session'])
    // A literal and no parameter, so that the partial index of live broadcasts is used.
    .where('b.status', '=', sql.lit('live'))
    .where('b.session', 'is not', null)
    .$narrowType<{ session: string }>();
/** Live broadcasts whose signal has not been reported for `SILENT`. */
const deaf = (pool: Pool) =>
  live(pool)
    .where('b.isReceiving', '=', true)
    .leftJoin('broadcastSignals as s', 's.session', 'b.session')
    .where(({ eb, or }) => or([eb('s.seenAt', 'is', null), eb('s.seenAt', '<', SILENT)]));
const late = (pool: Pool) =>
  live(pool)
    .where('b.isReceiving', '=', false)
    .where('b.lostAt', '<', ago(`${BROADCAST.reconnectSeconds} seconds`));
// Counts the viewers of all broadcasts in one statement. Plain SQL, because the query builder would not be shorter.
const MINUTES = `insert into broadcast_minutes (event_id, at, viewers)
  select b.event_id, date_trunc('minute', now()), count(s.viewer_id)
  from broadcasts b left join broadcast_seats s on s.event_id = b.event_id and s.expires_at > now()
  where b.status = 'live' group by b.event_id
  on conflict (event_id, at) do update set viewers = greatest(broadcast_minutes.viewers, excluded.viewers)`;
/**
 * Ends signals whose media server was killed, and broadcasts whose signal did not return in time. Every instance polls,
 * but each command takes effect only once.
 */
export function watchBroadcasts(deps: { pool: Pool; broadcasts: Broadcasts; log: Logger }): Poller {
  const { pool, broadcasts, log } = deps;
  let ticks = 0;
  const each = async (found: { execute: ReturnType<typeof live>['execute'] }, type: 'EndSignal' | 'GiveUp') => {
    for (const { eventId, session } of await found.execute())
      await broadcasts.handle(eventId, { type, eventId, session }, { commandId: randomUUID() });
  };
  return startPolling(log, 'watch broadcasts', WATCH_MS, async () => {
    await each(deaf(pool), 'EndSignal');
    await each(late(pool), 'GiveUp');
    if (ticks % 10 === 0) await pool.query(MINUTES);
    if (ticks++ % 600 === 0) {
      await kysely(pool).deleteFrom('broadcastSeats').where('expiresAt', '<', ago('1 day')).execute();
      await kysely(pool).deleteFrom('broadcastSignals').where('seenAt', '<', ago('1 day')).execute();
    }
    return false;
  });
}
