import type { ViewerBar } from '@beltway/contracts/media/broadcast';
import { notFound } from '@beltway/kit/problems';
import type { Caller } from '@beltway/kit/auth';
import type { Queryable } from '@beltway/kit/postgres';
import { holdsTicket } from '../attendance/attendance.ts';
import { termsOf, type BroadcastTerms } from './terms.ts';

export const isOwnerOrAdmin = (caller: Caller | undefined, { ownerId }: BroadcastTerms): boolean =>
  caller !== undefined && (caller.id === ownerId || caller.role === 'admin');

/** Why the viewer may not watch, even if seats are free; null if the viewer may watch. */
export async function barOf(
  db: Queryable,
  terms: BroadcastTerms,
  caller: Caller | undefined,
): Promise<Exclude<ViewerBar, 'full'> | null> {
  if (!terms.isTicketed || isOwnerOrAdmin(caller, terms)) return null;
  if (!caller) return 'sign-in';
  return (await holdsTicket(db, caller.id, terms.eventId)) ? null : 'ticket';
}

/**
 * The live stream of an event that the caller manages. For other callers, throws 404 as if there were no live stream.
 */
export async function ownTerms(db: Queryable, eventId: number, caller: Caller): Promise<BroadcastTerms> {
  const terms = await termsOf(db, eventId);
  if (!terms || !isOwnerOrAdmin(caller, terms)) throw notFound('live-stream');
  return terms;
}
