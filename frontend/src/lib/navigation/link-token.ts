import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { tabStorage } from '../storage/tab-storage.ts';

/**
 * The token of a mailed link, from the URL's fragment; null if there is no token. The token is removed from the URL
 * immediately, so that no history, bookmark or report contains it. This tab keeps the token in case the user must sign
 * in first.
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
