import './refused-storage.ts';
import { User } from '@beltway/contracts/identity/accounts';
import type { Session } from '@beltway/contracts/identity/accounts';

/** The two keys of services/identity/PRODUCT.md#accounts */
export const TOKEN_KEY = 'beltway.token';
export const USER_KEY = 'beltway.user';
/** Tickets for when there is no network (kept-tickets.ts). They are of one account and go with its session. */
export const KEPT_TICKETS_KEY = 'beltway.tickets';

export interface CurrentSession {
  token: string | null;
  user: User | null;
}

const signedOut: CurrentSession = { token: null, user: null };
const listeners = new Set<() => void>();
let current = read();
let expired = false;

function read(): CurrentSession {
  const token = localStorage.getItem(TOKEN_KEY);
  if (!token) return signedOut;
  try {
    return { token, user: User.parse(JSON.parse(localStorage.getItem(USER_KEY) ?? '')) };
  } catch {
    return signedOut; // Written by an older Beltway, or by hand: sign in again.
  }
}

/** The account as storage has it now: another tab may have signed out, or in as another, a moment ago. */
export function storedUserId(): number | null {
  return read().user?.id ?? null;
}

/** At every change and at the start: a browser that was ended in between leaves nothing for the next person. */
function dropTicketsOfOthers(): void {
  const kept = localStorage.getItem(KEPT_TICKETS_KEY);
  if (kept === null) return;
  try {
    const { userId } = JSON.parse(kept) as { userId?: unknown };
    if (current.user && userId === current.user.id) return;
  } catch {
    // Nobody's, then.
  }
  localStorage.removeItem(KEPT_TICKETS_KEY);
}
dropTicketsOfOthers();

function changed(): void {
  current = read();
  dropTicketsOfOthers();
  for (const listener of listeners) listener();
}

// Another tab signed in, refreshed or signed out. A null key means the whole storage was cleared.
window.addEventListener('storage', ({ key }) => {
  if (key === TOKEN_KEY || key === USER_KEY || key === null) changed();
});

/** Who is signed in, kept in local storage and shared by all tabs. */
export const sessionStore = {
  get: (): CurrentSession => current,
  /** The token as storage has it now: another tab may have written it a moment ago. */
  latestToken: (): string | null => localStorage.getItem(TOKEN_KEY),
  set({ token, user }: Session): void {
    localStorage.setItem(USER_KEY, JSON.stringify(user));
    localStorage.setItem(TOKEN_KEY, token);
    expired = false;
    changed();
  },
  /** The session ended on its own: whoever was on a page wants to come back to it. Not so after signing out. */
  hasExpired: (): boolean => expired,
  clear(): void {
    localStorage.removeItem(KEPT_TICKETS_KEY);
    localStorage.removeItem(TOKEN_KEY);
    localStorage.removeItem(USER_KEY);
    changed();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const expiryListeners = new Set<() => void>();
/** Called when an action needs a session and there is none any more; the router then goes to /auth. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** Logs out on this side. A page or dialog that needs a session leads to /auth by itself; a public page does with `redirect`. */
export function expireSession({ redirect = true } = {}): void {
  expired = true;
  sessionStore.clear();
  if (redirect) for (const listener of expiryListeners) listener();
}
