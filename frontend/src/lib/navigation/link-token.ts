import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { tabStorage } from '../storage/tab-storage.ts';

/**
 * The token of a mailed link, from behind the `#`. It leaves the address at once, so that it stands in no history, bookmark or report, and
 * is kept in this tab for who has to sign in first. Null: there is none.
 */
export function useLinkToken(slot: string): { token: string | null; forget: () => void } {
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const shown = hash.slice(1);
  useEffect(() => {
    if (!shown) return;
    tabStorage.set(slot, shown);
    void navigate(pathname, { replace: true, state: state as unknown });
  }, [slot, shown, pathname, state, navigate]);
  return { token: shown || tabStorage.get(slot), forget: () => tabStorage.remove(slot) };
}
