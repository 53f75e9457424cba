import type { Caller } from '@beltway/kit/auth';
import type { Guest } from './guests.ts';
import type { RoomInfo } from './queries.ts';

/** A reader or writer: an account, or a guest. */
export type Person = { caller: Caller; guest?: undefined } | { caller?: undefined; guest: Guest };

/** The key of a person in rooms (`personOf` of the decider). */
export const personKey = ({ caller, guest }: Person): string =>
  caller ? `account:${caller.id}` : `guest:${guest.guestId}`;

/** The owner of the event, and admins. */
export const isModerator = ({ ownerId }: RoomInfo, caller: Caller | undefined): boolean =>
  caller !== undefined && (caller.role === 'admin' || caller.id === ownerId);
