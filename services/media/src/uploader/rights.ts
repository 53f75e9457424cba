import type { UploadRights, VerificationRequests } from '@beltway/contracts/media/gallery';
import type { Caller } from '@beltway/kit/auth';
import type { Queryable } from '@beltway/kit/postgres';
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

interface Standing {
  state: UploaderStanding['state'];
  businessName: string | null;
  about: string | null;
}

async function standingOf(db: Queryable, userId: number): Promise<Standing> {
  const { rows } = await db.query<Standing>(
    `select u.state, r.business_name as "businessName", r.about from uploaders u left join uploader_requests r using (user_id)
     where u.user_id = $1`,
    [userId],
  );
  return rows[0] ?? { state: 'none', businessName: null, about: null };
}

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
  const { rows } = await db.query<{ userId: number; businessName: string; about: string; askedAt: Date }>(
    `select u.user_id as "userId", r.business_name as "businessName", r.about, u.asked_at as "askedAt"
     from uploaders u join uploader_requests r using (user_id) where u.state = 'asked' order by u.asked_at limit 100`,
  );
  return { items: rows.map((row) => ({ ...row, askedAt: row.askedAt.toISOString() })) };
}
