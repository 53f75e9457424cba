import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { adKeys } from './api.ts';

/**
 * Stores the key from the mailed link and removes it from the address bar, because people copy and photograph URLs, and
 * servers log them. Mailed links have the key in the fragment, which browsers never send to a server. A link made by
 * hand may have the key in the query, so the query is read as well.
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
