import { randomUUID } from 'node:crypto';
import { BROADCAST } from '@beltway/contracts/media/broadcast';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Pool } from 'pg';
import type { Broadcasts } from './stream.ts';

const WATCH_MS = 1_000;
/** Says a signal is there: written every second by whoever takes it in. */
const SILENT = `interval '8 seconds'`;

const DEAF = `select b.event_id as "eventId", b.session from broadcasts b
  left join broadcast_signals s using (session)
  where b.status = 'live' and b.is_receiving and b.session is not null
    and coalesce(s.seen_at, '-infinity') < now() - ${SILENT}`;
const LATE = `select event_id as "eventId", session from broadcasts
  where status = 'live' and not is_receiving and session is not null
    and lost_at < now() - interval '${BROADCAST.reconnectSeconds} seconds'`;
const MINUTES = `insert into broadcast_minutes (event_id, at, viewers)
  select b.event_id, date_trunc('minute', now()), count(s.viewer_id)
  from broadcasts b left join broadcast_seats s on s.event_id = b.event_id and s.expires_at > now()
  where b.status = 'live' group by b.event_id
  on conflict (event_id, at) do update set viewers = greatest(broadcast_minutes.viewers, excluded.viewers)`;
const LEFT = `delete from broadcast_seats where expires_at < now() - interval '1 day'`;
const OLD_SIGNALS = `delete from broadcast_signals where seen_at < now() - interval '1 day'`;

/**
 * Ends signals that nobody takes in any more (the process that did was killed), and broadcasts whose signal did not come back. Every instance
 * looks; each command changes something once.
 */
export function watchBroadcasts(deps: { pool: Pool; broadcasts: Broadcasts; log: Logger }): Poller {
  const { pool, broadcasts, log } = deps;
  let ticks = 0;
  const each = async (text: string, type: 'EndSignal' | 'GiveUp') => {
    const { rows } = await pool.query<{ eventId: number; session: string }>(text);
    for (const { eventId, session } of rows)
      await broadcasts.handle(eventId, { type, eventId, session }, { commandId: randomUUID() });
  };
  return startPolling(log, 'watch broadcasts', WATCH_MS, async () => {
    await each(DEAF, 'EndSignal');
    await each(LATE, 'GiveUp');
    if (ticks % 10 === 0) await pool.query(MINUTES);
    if (ticks++ % 600 === 0) {
      await pool.query(LEFT);
      await pool.query(OLD_SIGNALS);
    }
    return false;
  });
}
