import { tabStorage } from '../../lib/storage/tab-storage.ts';

const SLOT = 'beltway.follow';
/** Signing in takes minutes. What is found later was given up. */
const KEPT_MS = 15 * 60_000;

/** Notes whom somebody wanted to follow when they were sent to sign in; a link cannot write this note. */
export const noteWanted = (organizerId: number): void => tabStorage.set(SLOT, `${organizerId} ${Date.now()}`);

/** Whether this organizer is the one, once: asking takes the note away. */
export function takeWanted(organizerId: number): boolean {
  const [id, at] = (tabStorage.get(SLOT) ?? '').split(' ').map(Number);
  if (id !== organizerId) return false;
  tabStorage.remove(SLOT);
  return Date.now() - (at ?? 0) < KEPT_MS;
}
