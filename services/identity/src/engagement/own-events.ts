import { sql, type Expression } from 'kysely';

/**
 * SQL: whether an event is one of an account's own events, which earn no points. True if the account organizes the
 * event. Also true if account and organizer shared a network or browser and one of them referred the other
 * (referral/hints.ts). Otherwise points would be cheap: the organizer gets 95 % of the ticket price back.
 */
export const isOwn = (userId: Expression<unknown>, organizerId: Expression<unknown>) =>
  sql<boolean>`coalesce(${userId} = ${organizerId} or exists (select from referral_hints h
    where (h.referred_id = ${userId} and h.referrer_id = ${organizerId})
      or (h.referred_id = ${organizerId} and h.referrer_id = ${userId})), false)`;
