import { dayAt } from '@beltway/contracts/times';
import type { Logger } from '@beltway/kit/logger';
import { startPolling } from '@beltway/kit/polling';
import { transaction } from '@beltway/kit/postgres';
import { isbot } from 'isbot';
import type { Pool } from 'pg';
import { addToCounts } from './counts.ts';
import { browserOf, digestOf, keyOfDay } from './visitors.ts';

/** Who looked at an event's page, as the request says it. */
export interface View {
  eventId: number;
  /** An IPv4 address, or a /64 of IPv6. */
  network: string;
  userAgent: string | undefined;
}

export interface Views {
  /** Counts a view with the next batch, once per visitor and day; what comes from a program is passed over. */
  note(view: View): void;
  /** Writes what was noted so far. */
  flush(): Promise<void>;
  /** Drops the keys and visitors of days gone by; answers whether there is more to drop. */
  forget(): Promise<boolean>;
  stop(): Promise<void>;
}

const FLUSH_MS = 2_000;
const FORGET_MS = 600_000;
/** Views that wait for the next batch; those beyond are not counted. */
const MAX_NOTED = 20_000;
/** Visitors whom one process keeps for a day, 100 bytes each; those beyond are not counted. */
const MAX_VISITORS_A_DAY = 1_000_000;
const MAX_FORGOTTEN = 20_000;
/** Visitors of shares that were not signed in: `event_shares`. */
const SHARE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

const COUNT_VISITORS = `select count(*)::int as count from view_visitors where day = $1`;
const SEE = `insert into view_visitors (day, visitor, event_id)
  select $1, n.visitor, n.event_id from unnest($2::bytea[], $3::int[]) as n (visitor, event_id)
    join listings l using (event_id) where l.status <> 'cancelled'
  order by n.visitor on conflict do nothing returning event_id as "eventId"`;

export function openViews({ pool, log, clock }: { pool: Pool; log: Logger; clock: () => Date }): Views {
  let noted = new Map<string, { eventId: number; visitor: string }>();
  let flushing = Promise.resolve();
  /** Visitors that are kept for this day. */
  let kept: { day: string; count: number } | undefined;

  /** An address is in memory until here, and then nowhere: what is written is a digest whose key is gone after the day. */
  async function write(views: Array<{ eventId: number; visitor: string }>): Promise<void> {
    const day = dayAt(clock());
    if (kept?.day !== day) {
      const { rows } = await pool.query<{ count: number }>({ name: 'visitors', text: COUNT_VISITORS, values: [day] });
      kept = { day, count: rows[0]!.count };
    }
    const room = MAX_VISITORS_A_DAY - kept.count;
    if (room < views.length) log.warn({ day, passedOver: views.length - room }, 'too many visitors to count today');
    const counted = views.slice(0, Math.max(0, room));
    if (counted.length === 0) return;
    const key = await keyOfDay(pool, day);
    const digests = counted.map(({ visitor }) => digestOf(key, visitor));
    const seen = await transaction(pool, async (tx) => {
      const values = [day, digests, counted.map(({ eventId }) => eventId)];
      const { rows } = await tx.query<{ eventId: number }>({ name: 'see-visitors', text: SEE, values });
      await addToCounts(
        tx,
        rows.map(({ eventId }) => ({ eventId, count: 'views', by: 1 })),
      );
      return rows.length;
    });
    kept.count += seen;
  }

  const flush = (): Promise<void> => {
    const run = async () => {
      const views = [...noted.values()];
      noted = new Map();
      // A view is no promise: what cannot be written now is not kept for later.
      if (views.length > 0) await write(views).catch((err: unknown) => log.warn({ err }, 'views were not counted'));
    };
    return (flushing = flushing.then(run));
  };

  async function forget(): Promise<boolean> {
    const today = dayAt(clock());
    const sharedBefore = new Date(clock().getTime() - SHARE_DAYS * DAY_MS);
    await pool.query('delete from view_keys where day < $1', [today]);
    const { rowCount: visitors } = await pool.query(
      `delete from view_visitors where ctid = any(array(select ctid from view_visitors where day < $1 limit ${MAX_FORGOTTEN}))`,
      [today],
    );
    const { rowCount: shares } = await pool.query(
      `delete from event_shares where (event_id, sharer) in (select event_id, sharer from event_shares
        where sharer like 'visitor:%' and created_at < $1 limit ${MAX_FORGOTTEN})`,
      [sharedBefore],
    );
    return visitors === MAX_FORGOTTEN || shares === MAX_FORGOTTEN;
  }

  const flusher = setInterval(() => void flush(), FLUSH_MS).unref();
  const forgetter = startPolling(log, 'forget visitors', FORGET_MS, forget);
  forgetter.wake();
  return {
    note({ eventId, network, userAgent }) {
      if (!userAgent || isbot(userAgent) || noted.size >= MAX_NOTED) return;
      const visitor = `${eventId} ${network} ${browserOf(userAgent)}`;
      noted.set(visitor, { eventId, visitor });
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
