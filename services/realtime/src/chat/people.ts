import type { Caller } from '@beltway/kit/auth';
import type { Guest } from './guests.ts';
import type { RoomInfo } from './queries.ts';

/** Who reads or writes: an account, or a guest. */
export type Person = { caller: Caller; guest?: undefined } | { caller?: undefined; guest: Guest };

/** As rooms name people (`personOf` of the decider). */
export const personKey = ({ caller, guest }: Person): string =>
  caller ? `account:${caller.id}` : `guest:${guest.guestId}`;

/** Who owns the event, and admins. */
export const isModerator = ({ ownerId }: RoomInfo, caller: Caller | undefined): boolean =>
  caller !== undefined && (caller.role === 'admin' || caller.id === ownerId);
