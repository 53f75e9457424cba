import { MyTickets, type MyTicket } from '@beltway/contracts/ticketing/tickets';
import { isOver } from '../events/event-facts.ts';
import { get } from '../http/http.ts';
import { apiQuery } from '../http/query.ts';
import { serverNow } from '../time/server-clock.ts';
import { KEPT_TICKETS_KEY, sessionStore, storedUserId } from '../storage/session-store.ts';

/** The maximum number of stored tickets, those of the soonest events. Each takes about 1 kB of local storage's 5 MB. */
const MAX_KEPT = 100;
/** Tickets loaded longer ago than this are not shown at the door. In milliseconds. */
const MAX_AGE = 30 * 86_400_000;
/** How old the stored tickets may be before they are loaded again in the background. In milliseconds. */
const FRESH = 3_600_000;

export interface KeptTickets {
  /** When the server sent these tickets, in milliseconds of the server's clock. */
  asOf: number;
  tickets: MyTicket[];
}

const PATH = '/api/tickets/my-tickets';

/** GET /api/tickets/my-tickets. Stores the response on this device for use without a network. */
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
 * Replaces the stored tickets. Stores nothing if the account that requested them is no longer signed in. Before the
 * response arrived, a tab may have signed out or signed in as another account.
 */
export function keepTickets(asker: number | null, tickets: readonly MyTicket[], now = serverNow()): void {
  if (asker === null || asker !== storedUserId()) return;
  const time = ({ event }: MyTicket) => Date.parse(event.eventDate);
  const needed = tickets
    .filter(({ event }) => !isOver(event, new Date(now)))
    .toSorted((one, other) => time(one) - time(other))
    .slice(0, MAX_KEPT)
    // The door does not need the holder's email address.
    .map(({ ticket, event }) => ({ ticket: { ...ticket, ticketHolderEmail: '' }, event }));
  try {
    localStorage.setItem(KEPT_TICKETS_KEY, JSON.stringify({ userId: asker, asOf: now, tickets: needed }));
  } catch {
    // The storage is full. Deletes the stored tickets, because they are outdated.
    localStorage.removeItem(KEPT_TICKETS_KEY);
  }
}

/** The signed-in account's stored tickets; null if there are none, or they are too old or unreadable. */
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

/**
 * Loads the tickets in the background when the stored tickets are old or missing. Never rejects and never ends a
 * session.
 */
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
