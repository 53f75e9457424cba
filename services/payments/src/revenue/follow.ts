import { follow, type Follower, type Queries, type Store } from '@beltway/event-store';
import { fieldsOf } from '@beltway/kit/columns';
import { revenueDays } from '../generated/tables.ts';
import { MONEY_EVENTS, sumsOf, type DaySum } from './sums.ts';

/** The name of the sums' checkpoint. */
export const REVENUE_FOLLOWER = 'projection:revenue_days';

const ADD = revenueDays.insertMany(fieldsOf(revenueDays.columns), {
  rest: `on conflict (day, item, event_id, organizer_id) do update set cents = revenue_days.cents + excluded.cents,
    fee_cents = revenue_days.fee_cents + excluded.fee_cents, payments = revenue_days.payments + excluded.payments`,
});

/** Adds these sums to the stored ones. */
export const addSums = async (db: Pick<Queries, 'query'>, sums: DaySum[]): Promise<void> =>
  void (await db.query(
    ADD.text,
    ADD.values(sums, {
      day: ({ day }) => day,
      item: ({ item }) => item,
      eventId: ({ eventId }) => eventId,
      organizerId: ({ organizerId }) => organizerId,
      cents: ({ cents }) => cents,
      feeCents: ({ feeCents }) => feeCents,
      payments: ({ payments }) => payments,
    }),
  ));

/**
 * Sums revenue as a follower of the log. If each purchase updated the sums, all purchases of an event would wait for
 * one row. Sums and checkpoint commit together, so each log event counts once, within about a second.
 */
export const followRevenue = (store: Store): Follower =>
  follow(store, {
    name: REVENUE_FOLLOWER,
    types: MONEY_EVENTS,
    transactional: true,
    handle: (events, db) => addSums(db, sumsOf(events)),
  });
