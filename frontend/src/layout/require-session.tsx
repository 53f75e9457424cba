import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { DIALOG_ENTRY, isDialogEntry } from '../lib/navigation/dialog-entry.ts';
import { signInPath } from '../lib/navigation/return-path.ts';
import { onSessionExpired, sessionStore } from '../lib/storage/session-store.ts';
import { useSession } from '../lib/session/session.ts';

/** Shows its page while signed in. Otherwise redirects to /auth, which returns here. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { token } = useSession();
  const { pathname, search, hash } = useLocation();
  const [cameSignedIn] = useState(token !== null);
  if (token) return children;
  const hasLeft = cameSignedIn && !sessionStore.hasExpired();
  return <Navigate to={hasLeft ? '/auth' : signInPath(pathname + search + hash)} replace />;
}

/**
 * Redirects to /auth when the session has ended. After signing in, the user returns to the page, and an open dialog
 * opens again.
 */
export function useExpiryRedirect(): void {
  const navigate = useNavigate();
  const { pathname, search, hash, state } = useLocation();
  useEffect(
    () =>
      onSessionExpired(() => {
        if (pathname === '/auth') return;
        const here = signInPath(pathname + search + hash);
        void navigate(here, isDialogEntry(state) ? { replace: true, state: DIALOG_ENTRY } : {});
      }),
    [navigate, pathname, search, hash, state],
  );
}
