import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { adKeys } from './api.ts';

/**
 * Keeps the key that the mail's link came with, and removes it from the address bar, which is copied, photographed and logged. Behind the #
 * it reaches no server at all; the query is read too, for links that were made by hand.
 */
export function useAdLink(adId: string): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const key = new URLSearchParams(hash.slice(1)).get('key') ?? new URLSearchParams(search).get('key');
  if (key) adKeys.set(adId, key);
  const hasKey = key !== null;
  useEffect(() => {
    if (hasKey) void navigate(pathname, { replace: true });
  }, [hasKey, navigate, pathname]);
}
