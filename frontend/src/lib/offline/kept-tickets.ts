import { MyTickets, type MyTicket } from '@beltway/contracts/ticketing/tickets';
import { isOver } from '../events/event-facts.ts';
import { get } from '../http/http.ts';
import { apiQuery } from '../http/query.ts';
import { serverNow } from '../time/server-clock.ts';
import { KEPT_TICKETS_KEY, sessionStore, storedUserId } from '../storage/session-store.ts';

/** Of one account; the soonest events first. About 1 kB each, of the 5 MB that local storage has. */
const MAX_KEPT = 100;
/** Nobody needs a code at the door that was last seen so long ago. In milliseconds. */
const MAX_AGE = 30 * 86_400_000;
/** How old the kept tickets may be before they are asked for again in the background. In milliseconds. */
const FRESH = 3_600_000;

export interface KeptTickets {
  /** When the server said this, in milliseconds; by its clock. */
  asOf: number;
  tickets: MyTicket[];
}

const PATH = '/api/tickets/my-tickets';

/** GET /api/tickets/my-tickets. What it answers is kept on this device for when there is no network. */
export const myTicketsQuery = () => ({
  ...apiQuery(MyTickets, PATH),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const asker = storedUserId();
    const tickets = await get(PATH, MyTickets, { signal });
    keepTickets(asker, tickets);
    return tickets;
  },
});

/**
 * Keeps an account's tickets, in place of those kept before. Nothing is kept for who is not signed in any more: whoever
 * asked may have signed out, or another may have signed in, in any tab, before the answer came.
 */
export function keepTickets(asker: number | null, tickets: readonly MyTicket[], now = serverNow()): void {
  if (asker === null || asker !== storedUserId()) return;
  const time = ({ event }: MyTicket) => Date.parse(event.eventDate);
  const needed = tickets
    .filter(({ event }) => !isOver(event, new Date(now)))
    .toSorted((one, other) => time(one) - time(other))
    .slice(0, MAX_KEPT)
    // No address is needed at the door.
    .map(({ ticket, event }) => ({ ticket: { ...ticket, ticketHolderEmail: '' }, event }));
  try {
    localStorage.setItem(KEPT_TICKETS_KEY, JSON.stringify({ userId: asker, asOf: now, tickets: needed }));
  } catch {
    // The storage is full: rather none than old ones.
    localStorage.removeItem(KEPT_TICKETS_KEY);
  }
}

/** The kept tickets of who is signed in; null when there are none, they are too old, or cannot be read. */
export function keptTickets(now = serverNow()): KeptTickets | null {
  try {
    const { userId, asOf, tickets } = JSON.parse(localStorage.getItem(KEPT_TICKETS_KEY) ?? 'null') as Record<
      string,
      unknown
    >;
    if (userId !== sessionStore.get().user?.id || typeof asOf !== 'number' || now - asOf > MAX_AGE) return null;
    return { asOf, tickets: MyTickets.parse(tickets) };
  } catch {
    return null;
  }
}

/** Asks for the tickets in the background when those kept are old, or not there. Never rejects, and never ends a session. */
export async function refreshKeptTickets({ evenIfFresh = false } = {}): Promise<void> {
  const asker = storedUserId();
  if (asker === null) return;
  const kept = keptTickets();
  if (kept && serverNow() - kept.asOf < FRESH && !evenIfFresh) return;
  await get(PATH, MyTickets, { session: false }).then(
    (tickets) => keepTickets(asker, tickets),
    () => undefined,
  );
}
