import type { Logger } from '@beltway/kit/logger';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { addToCounts } from './counts.ts';
import { MAX_FORGOTTEN, openVisitorCounting, type VisitorCounting } from '@beltway/kit/visitor-counting';
import type { Visitor } from '@beltway/kit/visitors';

export interface Views extends Pick<VisitorCounting<object>, 'flush' | 'forget' | 'stop'> {
  /** Counts a view of an event's page in the next batch. Counts each visitor once per day, and ignores bots. */
  note(view: Visitor & { eventId: number }): void;
}

/** The number of days for which `event_shares` keeps visitors who were not signed in. */
const SHARE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Plain SQL, like all statements for batched counting, because its parameters are arrays. */
const SEE = `insert into view_visitors (day, visitor, event_id)
  select $1, n.visitor, n.event_id from unnest($2::bytea[], $3::int[]) as n (visitor, event_id)
    join listings l using (event_id) where l.status <> 'canceled'
  order by n.visitor on conflict do nothing returning event_id as "eventId"`;

export function openViews({ pool, log, clock }: { pool: Pool; log: Logger; clock: () => Date }): Views {
  const { noteOf, ...counting } = openVisitorCounting<{ eventId: number }>({
    ...{ pool, log, clock, table: 'view_visitors' },
    async count(tx, day, views) {
      const values = [day, views.map(({ digest }) => digest), views.map(({ eventId }) => eventId)];
      const { rows } = await tx.query<{ eventId: number }>({ name: 'see-visitors', text: SEE, values });
      await addToCounts(
        tx,
        rows.map(({ eventId }) => ({ eventId, count: 'views', by: 1 })),
      );
      return rows.length;
    },
    /** Deletes the keys of past days and the visitors of old shares. */
    async forgetMore(today) {
      const sharedBefore = new Date(clock().getTime() - SHARE_DAYS * DAY_MS);
      const db = kysely(pool);
      await db.deleteFrom('viewKeys').where('day', '<', today).execute();
      const { numDeletedRows: forgotten } = await db
        .deleteFrom('eventShares')
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('eventId', 'sharer'),
            'in',
            selectFrom('eventShares as old')
              .select(['old.eventId', 'old.sharer'])
              .where('old.sharer', 'like', 'visitor:%')
              .where('old.createdAt', '<', sharedBefore)
              .limit(MAX_FORGOTTEN)
              .$asTuple('eventId', 'sharer'),
          ),
        )
        .executeTakeFirstOrThrow();
      return forgotten === BigInt(MAX_FORGOTTEN);
    },
  });
  return {
    ...counting,
    note: ({ eventId, ...by }) => void noteOf(String(eventId), by, () => ({ eventId })),
  };
}
