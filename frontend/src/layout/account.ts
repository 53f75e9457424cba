import { useNavigate } from 'react-router-dom';
import { logout, useSession } from '../lib/session/session.ts';

/** Those who sell: they see the dashboard. */
export function useIsBusiness(): boolean {
  const { user } = useSession();
  return user?.role === 'business' || user?.role === 'admin';
}

/** Those who answer what people wrote. */
export const useIsAdmin = (): boolean => useSession().user?.role === 'admin';

/** Logs out and goes to /auth (services/identity/PRODUCT.md#accounts). */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () => {
    void navigate('/auth', { replace: window.location.hash === '#menu' });
    void logout();
  };
}
