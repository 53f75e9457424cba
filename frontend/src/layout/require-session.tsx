import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { signInPath } from '../lib/return-path.ts';
import { onSessionExpired, sessionStore } from '../lib/session-store.ts';
import { useSession } from '../lib/session.ts';

/** Shows its page to those signed in and sends others to /auth, which brings them back here. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { token } = useSession();
  const { pathname, search, hash } = useLocation();
  const [cameSignedIn] = useState(token !== null);
  if (token) return children;
  const hasLeft = cameSignedIn && !sessionStore.hasExpired();
  return <Navigate to={hasLeft ? '/auth' : signInPath(pathname + search + hash)} replace />;
}

/** When the server no longer knows the session: to /auth, and back here afterwards. */
export function useExpiryRedirect(): void {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  useEffect(
    () => onSessionExpired(() => pathname !== '/auth' && void navigate(signInPath(pathname + search + hash))),
    [navigate, pathname, search, hash],
  );
}
