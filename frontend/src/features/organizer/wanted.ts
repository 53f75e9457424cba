import { tabStorage } from '../../lib/storage/tab-storage.ts';

const SLOT = 'beltway.follow';
/** Signing in takes minutes; an older request is considered abandoned. */
const KEPT_MS = 15 * 60_000;

/** Remembers the organizer to follow while a visitor signs in. Only this tab can set the organizer; a link cannot. */
export const noteWanted = (organizerId: number): void => tabStorage.set(SLOT, `${organizerId} ${Date.now()}`);

/** Whether the visitor requested to follow this organizer. Clears the request. */
export function takeWanted(organizerId: number): boolean {
  const [id, at] = (tabStorage.get(SLOT) ?? '').split(' ').map(Number);
  if (id !== organizerId) return false;
  tabStorage.remove(SLOT);
  return Date.now() - (at ?? 0) < KEPT_MS;
}
