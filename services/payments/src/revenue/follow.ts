import { follow, type Follower, type Queries, type Store } from '@beltway/event-store';
import { MONEY_EVENTS, sumsOf, type DaySum } from './sums.ts';

/** The checkpoint of the sums. */
export const REVENUE_FOLLOWER = 'projection:revenue_days';

const ADD = `insert into revenue_days as r (day, item, event_id, organiser_id, cents, fee_cents, payments)
  select * from unnest($1::date[], $2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::int[])
  on conflict (day, item, event_id, organiser_id) do update
    set cents = r.cents + excluded.cents, fee_cents = r.fee_cents + excluded.fee_cents, payments = r.payments + excluded.payments`;

/** Adds these sums to those that are there. */
export const addSums = async (db: Pick<Queries, 'query'>, sums: DaySum[]): Promise<void> =>
  void (await db.query(ADD, [
    sums.map(({ day }) => day),
    sums.map(({ item }) => item),
    sums.map(({ eventId }) => eventId),
    sums.map(({ organiserId }) => organiserId),
    sums.map(({ cents }) => cents),
    sums.map(({ feeCents }) => feeCents),
    sums.map(({ payments }) => payments),
  ]));

/**
 * Adds up what was taken, behind the log and not with each purchase: all purchases of an event would wait for its row. Sums and
 * checkpoint commit together, so each event counts once; within a second or so.
 */
export const followRevenue = (store: Store): Follower =>
  follow(store, {
    name: REVENUE_FOLLOWER,
    types: MONEY_EVENTS,
    transactional: true,
    handle: (events, db) => addSums(db, sumsOf(events)),
  });
