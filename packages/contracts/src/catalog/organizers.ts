import { z } from 'zod';
import { EventList } from './events.ts';

/** Whom one account follows at most. */
export const MAX_FOLLOWED = 1_000;

/** GET /internal/following/:userId of the catalog: the organizers that an account follows. */
export const FollowedAccounts = z.object({ accounts: z.array(z.int()) });
export type FollowedAccounts = z.infer<typeof FollowedAccounts>;

/** An account that published an event, as everybody sees it. No address is in it. */
export const Organizer = z.object({
  id: z.int(),
  /** Null while the name of an older account is still on its way. */
  name: z.string().nullable(),
  followers: z.int(),
});
export type Organizer = z.infer<typeof Organizer>;

/** GET /api/organizers/:id/events. Both lists are bounded; the counts are of all. */
export const OrganizerEvents = z.object({
  /** Soonest first. */
  upcoming: EventList,
  upcomingCount: z.int(),
  /** Latest first. */
  past: EventList,
  pastCount: z.int(),
});
export type OrganizerEvents = z.infer<typeof OrganizerEvents>;

/** What following and no longer following answer: how it is now. */
export const Followed = z.object({ following: z.boolean(), followers: z.int() });
export type Followed = z.infer<typeof Followed>;

/** GET /api/me/following: whom the caller follows, the latest first, and what comes next of them, soonest first. */
export const Following = z.object({
  organizers: z.array(Organizer.omit({ followers: true })),
  upcoming: EventList,
});
export type Following = z.infer<typeof Following>;
