import { sql, type Expression } from 'kysely';

/**
 * SQL: whether an event is an account's own, which earns it nothing: it organizes the event, or it shared a network or a browser with the
 * organizer when one of the two referred the other (referral/hints.ts). Who pays for a ticket of their own event gets 95 % of it back.
 */
export const isOwn = (userId: Expression<unknown>, organizerId: Expression<unknown>) =>
  sql<boolean>`coalesce(${userId} = ${organizerId} or exists (select from referral_hints h
    where (h.referred_id = ${userId} and h.referrer_id = ${organizerId})
      or (h.referred_id = ${organizerId} and h.referrer_id = ${userId})), false)`;
