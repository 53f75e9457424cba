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
/** A signal is there: its ingest writes that every second. */
const SILENT = ago('8 seconds');

/** Broadcasts that are live and have a session. */
const live = (pool: Pool) =>
  kysely(pool)
    .selectFrom('broadcasts as b')
    .select(['b.eventId', 'b.session'])
    // A literal, for the index of live broadcasts.
    .where('b.status', '=', sql.lit('live'))
    .where('b.session', 'is not', null)
    .$narrowType<{ session: string }>();
/** Without a signal for a while. */
const deaf = (pool: Pool) =>
  live(pool)
    .where('b.isReceiving', '=', true)
    .leftJoin('broadcastSignals as s', 's.session', 'b.session')
    .where(({ eb, or }) => or([eb('s.seenAt', 'is', null), eb('s.seenAt', '<', SILENT)]));
const late = (pool: Pool) =>
  live(pool)
    .where('b.isReceiving', '=', false)
    .where('b.lostAt', '<', ago(`${BROADCAST.reconnectSeconds} seconds`));
// Text, as a builder's would be as long again: counts of all broadcasts in one statement.
const MINUTES = `insert into broadcast_minutes (event_id, at, viewers)
  select b.event_id, date_trunc('minute', now()), count(s.viewer_id)
  from broadcasts b left join broadcast_seats s on s.event_id = b.event_id and s.expires_at > now()
  where b.status = 'live' group by b.event_id
  on conflict (event_id, at) do update set viewers = greatest(broadcast_minutes.viewers, excluded.viewers)`;
/**
 * Ends signals that nobody takes in any more (the process that did was killed), and broadcasts whose signal did not come back. Every instance
 * looks; each command changes something once.
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
