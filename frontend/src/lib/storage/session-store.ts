import './refused-storage.ts';
import { User } from '@beltway/contracts/identity/accounts';
import type { Session } from '@beltway/contracts/identity/accounts';

/** The two storage keys of services/identity/PRODUCT.md#accounts */
export const TOKEN_KEY = 'beltway.token';
export const USER_KEY = 'beltway.user';
/** Present while the last session ended without a sign-out, for the other tabs. */
const EXPIRED_KEY = 'beltway.expired';
/** Tickets for use without a network (kept-tickets.ts). They belong to one account and are deleted with its session. */
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
    return signedOut; // Written by an older release or by hand: the user must sign in again.
  }
}

/** The account in storage right now: another tab may just have signed out, or signed in as another account. */
export function storedUserId(): number | null {
  return read().user?.id ?? null;
}

/**
 * Deletes the stored tickets of other accounts. Runs on page load and on every session change, so that no tickets
 * remain for the next person, even if the browser was killed.
 */
function dropTicketsOfOthers(): void {
  const kept = localStorage.getItem(KEPT_TICKETS_KEY);
  if (kept === null) return;
  try {
    const { userId } = JSON.parse(kept) as { userId?: unknown };
    if (current.user && userId === current.user.id) return;
  } catch {
    // Unreadable, so it belongs to no account.
  }
  localStorage.removeItem(KEPT_TICKETS_KEY);
}
dropTicketsOfOthers();

function changed(): void {
  current = read();
  dropTicketsOfOthers();
  for (const listener of listeners) listener();
}

// Another tab signed in, refreshed or signed out. A null key means that the whole storage was cleared.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === TOKEN_KEY) expired = newValue === null && localStorage.getItem(EXPIRED_KEY) !== null;
  if (key === TOKEN_KEY || key === USER_KEY || key === null) changed();
});

/** The session, kept in local storage and shared by all tabs. */
export const sessionStore = {
  get: (): CurrentSession => current,
  /** The token in storage right now: another tab may just have written it. */
  latestToken: (): string | null => localStorage.getItem(TOKEN_KEY),
  set({ token, user }: Session): void {
    localStorage.removeItem(EXPIRED_KEY);
    localStorage.setItem(USER_KEY, JSON.stringify(user));
    localStorage.setItem(TOKEN_KEY, token);
    expired = false;
    changed();
  },
  /** True if the session ended without a sign-out, so that the user returns to the page after signing in. */
  hasExpired: (): boolean => expired,
  /** True if there is no session because the user signed out, maybe in another tab. */
  hasSignedOut: (): boolean => localStorage.getItem(TOKEN_KEY) === null && !expired,
  clear({ hasExpired = false } = {}): void {
    localStorage.removeItem(KEPT_TICKETS_KEY);
    localStorage.removeItem(EXPIRED_KEY);
    expired = hasExpired;
    try {
      // Before the token, so that other tabs know the reason when they notice.
      if (hasExpired) localStorage.setItem(EXPIRED_KEY, '1');
    } catch {
      // A full storage: other tabs take it for a sign-out.
    }
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
/** Calls `listener` when an action needs a session that has ended; the router then goes to /auth. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/**
 * Ends the session locally. Pages and dialogs that need a session lead to /auth anyway; a public page leads there only
 * with `redirect`.
 */
export function expireSession({ redirect = true } = {}): void {
  sessionStore.clear({ hasExpired: true });
  if (redirect) for (const listener of expiryListeners) listener();
}
