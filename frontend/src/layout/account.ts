import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { organizingQuery } from '../lib/events/event-queries.ts';
import { logout, useSession } from '../lib/session/session.ts';

/** Whether the account sells tickets and therefore has the dashboard. */
export function useIsBusiness(): boolean {
  const { user } = useSession();
  return user?.role === 'business' || user?.role === 'admin';
}

/** Whether the account moderates and answers messages. */
export const useIsAdmin = (): boolean => useSession().user?.role === 'admin';

/** Whether the account has launched an event; false until that is known. */
export function useHasEvents(): boolean {
  const { token } = useSession();
  const { data } = useQuery({ ...organizingQuery(), enabled: token !== null });
  return token !== null && data !== undefined && data.events > 0;
}

/** Signs out and goes to /auth (services/identity/PRODUCT.md#accounts). */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () => {
    void navigate('/auth', { replace: window.location.hash === '#menu' });
    void logout();
  };
}
