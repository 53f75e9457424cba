import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';

/** Shows its page to those signed in and sends others to /auth, which brings them back here. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { token } = useSession();
  const { pathname, search } = useLocation();
  return token ? children : <Navigate to={signInPath(pathname + search)} replace />;
}
