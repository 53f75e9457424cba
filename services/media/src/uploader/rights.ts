import type { UploadRights, VerificationRequests } from '@beltway/contracts/media/gallery';
import type { Caller } from '@beltway/kit/auth';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { eventsHeld, hasBegun, holdsTicket, type GalleryEvent } from '../attendance/attendance.ts';
import type { VerifiedBy } from '../item/events.ts';
import type { UploaderStanding } from './decider.ts';

type Uploading = Pick<Caller, 'id' | 'role'>;

/** Businesses show what they do, admins what they have; others only where they were. */
const mayUploadForAll = ({ role }: Uploading): boolean => role !== 'user';

/**
 * Whether the account may upload a photo of an event, and what verifies it at once: null where an admin has to look. `may` is false for
 * who is no business and was not there.
 */
export async function rightsFor(
  db: Queryable,
  caller: Uploading,
  event: GalleryEvent,
  now: Date,
): Promise<{ may: boolean; verifiedBy: VerifiedBy | null }> {
  if (caller.role === 'admin') return { may: true, verifiedBy: 'admin' };
  if (hasBegun(event, now)) {
    if (await holdsTicket(db, caller.id, event.eventId)) return { may: true, verifiedBy: 'ticket' };
    if (caller.role === 'business' && (await standingOf(db, caller.id)).state === 'verified')
      return { may: true, verifiedBy: 'business' };
  }
  return { may: mayUploadForAll(caller), verifiedBy: null };
}

const NOBODY = { state: 'none', businessName: null, about: null } as const;

const standingOf = async (db: Queryable, userId: number) =>
  (await kysely(db)
    .selectFrom('uploaders as u')
    .leftJoin('uploaderRequests as r', 'r.userId', 'u.userId')
    .select(['u.state', 'r.businessName', 'r.about'])
    .where('u.userId', '=', userId)
    .$narrowType<{ state: UploaderStanding['state'] }>()
    .executeTakeFirst()) ?? NOBODY;

/** What the account may upload, for the page. */
export async function uploadRights(db: Queryable, caller: Uploading, now: Date): Promise<UploadRights> {
  const events = await eventsHeld(db, caller.id);
  return {
    mayUploadForAll: mayUploadForAll(caller),
    events: events.map((event) => ({
      eventId: event.eventId,
      title: event.title,
      startsAt: event.startsAt.toISOString(),
      hasBegun: hasBegun(event, now),
    })),
    business: caller.role === 'business' ? await standingOf(db, caller.id) : null,
  };
}

/** Businesses that wait for an admin's look, the longest first. */
export async function verificationRequests(db: Queryable): Promise<VerificationRequests> {
  const rows = await kysely(db)
    .selectFrom('uploaders as u')
    .innerJoin('uploaderRequests as r', 'r.userId', 'u.userId')
    .select(['u.userId', 'r.businessName', 'r.about', 'u.askedAt'])
    // A literal, for the index of those who wait.
    .where('u.state', '=', sql.lit('asked'))
    .orderBy('u.askedAt')
    .limit(100)
    .execute();
  return { items: rows.map((row) => ({ ...row, askedAt: row.askedAt.toISOString() })) };
}
