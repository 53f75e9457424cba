import { useSyncExternalStore } from 'react';
import { drafts } from '../storage/drafts.ts';
import { post } from '../http/http.ts';
import { sessionStore, type CurrentSession } from '../storage/session-store.ts';

/** The current session. It also changes when another tab signs in or out. */
export function useSession(): CurrentSession {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
}

let signingOut: Promise<unknown> = Promise.resolve();
/** Resolves when the last sign-out has been answered. */
export const signedOut = (): Promise<unknown> => signingOut;

/** Ends the session on this device immediately, even if the server is unreachable. */
export async function logout(): Promise<void> {
  const { token } = sessionStore.get();
  if (!token) return;
  const told = post('/api/auth/logout', undefined, undefined, { session: false });
  signingOut = told.catch(() => undefined);
  forgetSession();
  await signingOut;
}

/** Clears the session in this browser after the server has ended it. */
export function forgetSession(): void {
  sessionStore.clear();
  drafts.dropAll();
}
