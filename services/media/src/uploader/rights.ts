import type { UploadRights, VerificationRequests } from '@beltway/contracts/media/gallery';
import type { Caller } from '@beltway/kit/auth';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { eventsHeld, hasBegun, holdsTicket, type GalleryEvent } from '../attendance/attendance.ts';
import type { VerifiedBy } from '../item/events.ts';
import type { UploaderStanding } from './decider.ts';

type Uploading = Pick<Caller, 'id' | 'role'>;

/** Businesses and admins may upload photos of all events; other accounts only of events they attended. */
const mayUploadForAll = ({ role }: Uploading): boolean => role !== 'user';

/**
 * Whether the account may upload a photo of an event. Also returns why the photo is verified immediately; null if an
 * admin has to check the photo. `may` is false for accounts that are not businesses and did not attend.
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

/** What the account may upload; read by the frontend. */
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

/** Businesses that wait for verification. The business that has waited longest comes first. */
export async function verificationRequests(db: Queryable): Promise<VerificationRequests> {
  const rows = await kysely(db)
    .selectFrom('uploaders as u')
    .innerJoin('uploaderRequests as r', 'r.userId', 'u.userId')
    .select(['u.userId', 'r.businessName', 'r.about', 'u.askedAt'])
    // A literal and no parameter, so that the partial index of open requests is used.
    .where('u.state', '=', sql.lit('asked'))
    .orderBy('u.askedAt')
    .limit(100)
    .execute();
  return { items: rows.map((row) => ({ ...row, askedAt: row.askedAt.toISOString() })) };
}
