import { z } from 'zod';
import { EventList } from './events.ts';

/** Maximum number of organizers that one account follows. */
export const MAX_FOLLOWED = 1_000;

/** GET /internal/following/:userId of the catalog: the organizers that an account follows. */
export const FollowedAccounts = z.object({ accounts: z.array(z.int()) });
export type FollowedAccounts = z.infer<typeof FollowedAccounts>;

/** The public view of an account that published an event. It has no email address. */
export const Organizer = z.object({
  id: z.int(),
  /** null until the catalog knows the name, which it may not know for older accounts. */
  name: z.string().nullable(),
  followers: z.int(),
  /** Plain text with line breaks; empty: none. */
  about: z.string().default(''),
  /** Web links, normalized. */
  links: z.array(z.string()).default([]),
  /** Paths of pictures that Beltway stores; null: none. */
  pictureUrl: z.string().nullable().default(null),
  coverUrl: z.string().nullable().default(null),
});
export type Organizer = z.infer<typeof Organizer>;

/** GET /api/organizers/:id/events. Both lists are truncated; the counts are complete. */
export const OrganizerEvents = z.object({
  /** Soonest first. */
  upcoming: EventList,
  upcomingCount: z.int(),
  /** Latest first. */
  past: EventList,
  pastCount: z.int(),
});
export type OrganizerEvents = z.infer<typeof OrganizerEvents>;

/** Response to following and unfollowing: the new state. */
export const Followed = z.object({ following: z.boolean(), followers: z.int() });
export type Followed = z.infer<typeof Followed>;

/**
 * GET /api/me/following: the organizers that the caller follows, latest first, and their upcoming events, soonest
 * first.
 */
export const Following = z.object({
  organizers: z.array(Organizer.pick({ id: true, name: true })),
  upcoming: EventList,
});
export type Following = z.infer<typeof Following>;

/** GET /api/me/organizer: how many events the account has published, in any state. */
export const Organizing = z.object({ events: z.int() });
export type Organizing = z.infer<typeof Organizing>;
